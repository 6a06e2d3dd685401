"""The exit codes of every command, in one table; docs/reference/exit-codes.md is made from it. Imports nothing."""

OK = 0
NOTHING = 1
USAGE = 2
FOLDER = 3
INDEX = 4
START = 5
PROTOCOL = 6
CLOSED = 7
TIMEOUT = 8
REFUSED = 9
LEDGER = 10
UNDECIDED = 11
FAILED = 70
HUNG_UP = 129
INTERRUPTED = 130
TERMINATED = 143

EXIT_CODES: tuple[tuple[int, str, str], ...] = (
    (
        OK,
        "ok",
        (
            "The command did what it was asked to. Also: whoever read the output closed it early, as `head` does; and "
            "`serve` after the end of its input, after SIGINT or SIGTERM, or when its client no longer reads."
        ),
    ),
    (
        NOTHING,
        "nothing",
        (
            "`search` found no passage; `read` found no such document, section or line; `forget` had nothing to forget, and "
            "`backup` nothing to write; "
            "`token` found no token of that id; `login --logout` found no login; the tool that `call` called answered with "
            "`isError`; `check` found a rule broken; `log --verify` found what does not hold; `eval` stayed below "
            "`--at-least`; `complete` got no value; `list --all` could not ask one of the servers."
        ),
    ),
    (
        USAGE,
        "usage",
        "The command line, a variable of the environment, the configuration or a query cannot be served as it stands.",
    ),
    (
        FOLDER,
        "folder",
        "The folder does not exist, is no folder, or cannot be read, or its index has no place to be kept.",
    ),
    (INDEX, "index", "The index cannot be used or written, or another process is writing it; try again."),
    (
        START,
        "start",
        "The server could not be started or reached, or does not speak a version that we speak.",
    ),
    (PROTOCOL, "protocol", "The server broke a rule of the protocol; the message names it."),
    (CLOSED, "closed", "The server ended before it had answered, or `watch` lost its subscription."),
    (TIMEOUT, "timeout", "The answer of the server did not come in the time allowed."),
    (
        REFUSED,
        "refused",
        (
            "The server refused the request, with an error of the protocol or a status of HTTP; or it wants a login; or it "
            "asked for something that was not answered."
        ),
    ),
    (
        LEDGER,
        "ledger",
        "The ledger cannot be used or written, is full, or another process is writing it; the message says which.",
    ),
    (
        UNDECIDED,
        "undecided",
        (
            "An operator's command decided nothing, or not all that it was asked to: there was nobody at a terminal, no "
            "passphrase or a wrong one, the answer was no, or a draft or its file had changed; the message says which."
        ),
    ),
    (
        FAILED,
        "failed",
        (
            "A fault of the system, such as a full disk or a port in use, or of Reading Room itself: that one says so. "
            "Please report it. Also: with --git, what was published stands, and git has not committed it."
        ),
    ),
    (
        HUNG_UP,
        "hung up",
        (
            "SIGHUP, as of a terminal that is closed, ended the command, and the command its server; not `serve`, for which "
            "it is a way to end, and nothing under `nohup`."
        ),
    ),
    (
        INTERRUPTED,
        "interrupted",
        "Ctrl-C (SIGINT) ended the command; not `serve` and `watch`, for which it is the way to end.",
    ),
    (
        TERMINATED,
        "terminated",
        (
            "SIGTERM, as of `timeout` or a CI job that is cancelled, ended the command, and the command its server; not "
            "`serve`, for which it is a way to end."
        ),
    ),
)
"""Code, name, and when it is given. Plain tuples, for this module is loaded before Ctrl-C can be heard."""
