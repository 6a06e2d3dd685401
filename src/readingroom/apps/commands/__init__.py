"""The commands, one a module. Each offers USAGE, DESCRIPTION, EXAMPLES, `configure(parser)` and `run(values, console)`.

This table is all that is loaded to find one; it is also what the overview is printed from.
"""

import msgspec


class Command(msgspec.Struct, frozen=True):
    """A command's name, the module that holds it, and what the overview says of it."""

    name: str
    module: str
    summary: str


COMMANDS: tuple[Command, ...] = (
    Command("serve", "serve", "serve a folder to an AI app, which starts this command itself"),
    Command("search", "search", "find passages in a folder, with their addresses and lines"),
    Command("read", "read", "print a document or a part of it, or a resource of any MCP server"),
    Command("index", "index", "bring the index of a folder up to date now"),
    Command("status", "status", "tell what is indexed, what is left out and why, and how fresh it is"),
    Command("eval", "eval", "judge the search of a folder by questions whose answers you know"),
    Command("config", "config", "say whether a configuration can be used, and what holds"),
    Command("forget", "forget", "remove every index that is kept of a folder"),
    Command("operator", "operator", "set the passphrase that publishing asks for"),
    Command("review", "review", "read the drafts that apps have proposed, and publish or reject them"),
    Command("publish", "publish", "publish drafts that you name"),
    Command("reject", "reject", "reject drafts that you name"),
    Command("undo", "undo", "take back what a decision published"),
    Command("log", "log", "list the decisions, and check that all of it holds"),
    Command("backup", "backup", "write drafts and decisions into one file, to keep elsewhere"),
    Command("restore", "restore", "bring drafts and decisions back from such a file"),
    Command("token", "token", "keep the tokens that a server over HTTP asks for"),
    Command("list", "list_features", "list the tools, resources and prompts of any MCP server"),
    Command("call", "call", "call a tool of any MCP server"),
    Command("prompt", "prompt", "print a prompt of any MCP server, with its arguments filled in"),
    Command("complete", "complete", "print the values that any MCP server suggests for an argument"),
    Command("watch", "watch", "print what any MCP server tells of changes"),
    Command("check", "check", "probe any MCP server by the rules of the protocol"),
    Command("login", "login", "log in to an MCP server over HTTP, or out of it"),
    Command("doctor", "doctor", "go the way of such a login, and say what is wrong and what to do"),
    Command("new", "new", "write an MCP server that can be shipped, in Python or TypeScript"),
    Command("version", "version", "tell the versions of Reading Room and of the protocol"),
)
