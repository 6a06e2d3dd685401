"""What to do about each rule that is broken, in a sentence. Where there is none, the rule's own sentence says it. Pure."""

from collections.abc import Mapping

_ADVICE: Mapping[str, str] = {
    "RPC-0": "Answer every request, if only with an error; look at the server's log for what it was doing.",
    "RPC-1": 'Write each message as one JSON object in UTF-8 with "jsonrpc": "2.0".',
    "RPC-4": "Copy the id of the request into its answer, type and all; leave the member out where none could be read.",
    "RPC-5": "Send either result, an object, or error, and never both.",
    "RPC-6": "Do not answer what has no id.",
    "RPC-7": "Do not send requests; ask for input with a result of type input_required.",
    "RPC-8": "Refuse arrays with -32600.",
    "RPC-10": "Bound the depth and the length of what you read and write, and take no NaN.",
    "ERR-1": "Use -32020, -32021 and -32022 for what they mean, and no other code from -32099 to -32020.",
    "ERR-2": "Use -32602 for what is not there; -32002 and -32042 are gone.",
    "ERR-3": "Use codes outside of -32768 to -32000 for your own errors.",
    "META-2": "Do not require clientInfo.",
    "META-3": "Refuse requests without protocolVersion or clientCapabilities in _meta with -32602.",
    "META-4": "Treat required metadata of a wrong type as missing: -32602.",
    "META-5": "Keep nothing from one request to the next: version, capabilities and log level are in each _meta.",
    "META-10": "Put io.modelcontextprotocol/serverInfo into the _meta of every result.",
    "RES-1": 'Add "resultType": "complete" to every result.',
    "RES-5": "Answer -32601 to methods that you do not serve.",
    "VER-1": "Answer -32022 with data.supported and data.requested to a version that is not served.",
    "VER-2": "List only versions that work without a handshake.",
    "VER-4": "Serve server/discover; revision 2026-07-28 needs it.",
    "VER-5": "Name the versions that you serve in the error that initialize gets.",
    "DISC-1": "List 2026-07-28 in supportedVersions.",
    "DISC-2": "Advertise what you serve, and nothing else.",
    "STDIO-1": "End every message with one line feed, and write none inside it; flush after each.",
    "STDIO-2": "Send prints and logs to stderr: stdout is for messages alone.",
    "STDIO-3": "Catch what a line does to your decoder, answer -32700 without an id, and read on.",
    "STDIO-6": "End when stdin ends: no thread or child may keep the process.",
    "STDIO-10": "Read on while a request is being worked on.",
    "STDIO-11": "End on SIGTERM and on SIGINT; a thread that reads stdin must not keep the process.",
    "STDIO-12": "End the processes that you start before you end.",
    "CACHE-1": "Add ttlMs (an integer of at least 0) and cacheScope to the result.",
    "CACHE-7": "Give all pages of a list the same cacheScope.",
    "PAGE-3": "Refuse a cursor that you did not give with -32602.",
    "PAGE-4": "Leave nextCursor out on the last page.",
    "TOOL-2": "Sort the tools, or list them in the order in which they were registered.",
    "TOOL-3": "Rename the tool.",
    "TOOL-6": "Answer -32602 to a tool that is not there.",
    "TOOL-7": "Validate arguments, and answer with isError and a text that says what to mend.",
    "TOOL-8": "Validate structuredContent against outputSchema before you send it.",
    "TOOL-9": "Add a text block with the JSON of structuredContent.",
    "TOOL-15": "Refuse arguments that are no object with -32602; arguments that are left out are an empty object.",
    "SCH-2": "Mend the schema: it must be valid JSON Schema 2020-12, or of the dialect that its $schema names.",
    "SCH-4": "Put what the schema refers to into its $defs; clients fetch nothing.",
    "RSRC-3": "Answer -32602 with data.uri to a resource that is not there.",
    "PROG-2": "Send progress only for the token that was given, before the answer, and each time a greater number.",
    "LOG-1": "Send log lines only to a request with io.modelcontextprotocol/logLevel, and none after its answer.",
    "CAN-3": "Drop the answer of a request that was cancelled.",
    "SUB-2": "Send notifications/subscriptions/acknowledged before anything else.",
    "SUB-3": "Put the id of the listen into _meta as it came: 5 stays a number.",
    "SUB-10": "Send nothing on a subscription once it was cancelled, and do not answer its listen.",
    "HTTP-20": "End what a request has begun as soon as its connection is closed, its subscription among it.",
    "RS-1": "Put the endpoint's URL into resource, and an issuer into authorization_servers.",
    "RS-2": "Serve the metadata without a token, where the challenge says or at /.well-known/oauth-protected-resource/PATH.",
    "RS-3": 'Answer 401 with WWW-Authenticate: Bearer resource_metadata="…" to whoever shows no good token.',
    "RS-5": "Check the signature, the issuer, the audience and the time of every token.",
}  # fmt: skip


def advice_for(rule: str) -> str:
    """Say what to do."""
    return _ADVICE.get(
        rule, "Do as the rule says; docs/reference/rules.md links to its page of the specification."
    )
