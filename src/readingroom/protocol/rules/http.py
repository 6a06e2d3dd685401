"""Rules of Streamable HTTP, of mirrored headers and of their encoding (requirements §8)."""

TABLE = """
HTTP-1 | MUST | server | http | basic/transports#streamable-http
    There is one path, which takes messages by POST.
HTTP-2 | MUST | server | http | basic/transports#security-warning
    An origin that is not allowed is refused with 403, on every request; a request without one may pass.
HTTP-3 | OURS | server | http | basic/transports#security-warning
    A Host that is not the server's own is refused with 421, so that no page of elsewhere reaches it by its name.
HTTP-4 | SHOULD | server | http | basic/transports#security-warning
    This machine alone is served, unless there are authorization and TLS, of the server's own or of a proxy.
HTTP-5 | SHOULD | server | http | basic/transports#streamable-http
    GET, DELETE and every other method but POST are answered with 405.
HTTP-6 | SHOULD | server | http | basic/transports#streamable-http
    A session id and the id of a last event are passed over, and no session id is ever sent.
HTTP-10 | MUST | client | http | basic/transports#sending-messages-to-the-server
    Each message is a POST of its own, and its body is exactly one request or notification.
HTTP-11 | OURS | server | http | basic/transports#sending-messages-to-the-server
    A missing Accept and `*/*` count as both types; one that excludes what is needed is refused with 406.
HTTP-12 | OURS | server | http | basic/transports#sending-messages-to-the-server
    A body that is not declared as JSON in UTF-8 is refused with 415.
HTTP-13 | MUST | server | http | basic/transports#sending-messages-to-the-server
    A request is answered with one JSON object or with a stream of events.
HTTP-14 | MUST | server | http | basic/transports#sending-messages-to-the-server
    A notification that is accepted is answered with 202 and nothing else.
HTTP-15 | OURS | server | http | basic/transports#sending-messages-to-the-server
    A cancellation that is posted cancels nothing: another client's request may have that id.
HTTP-16 | MUST | server | http | basic/transports#sending-messages-to-the-server
    Before the answer a stream has only notifications of its request, and nothing after it.
HTTP-17 | OURS | server | http | basic/transports#sending-messages-to-the-server
    An event is one line of data and nothing besides; a comment keeps a silent stream alive.
HTTP-18 | SHOULD | server | http | basic/transports#sending-messages-to-the-server
    A stream tells proxies not to hold it back.
HTTP-19 | OURS | server | http | basic/transports#sending-messages-to-the-server
    Every refusal that has a status is sent before a stream is opened.
HTTP-20 | MUST | server | http | basic/utilities/cancellation#transport-specific-cancellation
    A client that goes away cancels its request.
HTTP-21 | MUST | client | http | basic/transports#streamable-http
    A stream that breaks has lost its request: nothing is resumed, and only what may be done twice is asked again.
HTTP-22 | OURS | client | http | basic/transports#streamable-http
    An error is read whatever its status, and a status without one is an error that says so.
HTTP-23 | OURS | client | http | basic/transports#streamable-http
    What is answered to a request has the id of that request, and another one is no answer.
HDR-1 | MUST | client | http | basic/transports#protocol-version-header
    The header MCP-Protocol-Version says the version that the body says.
HDR-2 | MUST | client | http | basic/transports#standard-request-headers
    Mcp-Method says the method, and Mcp-Name the name, the address or the task that the body names.
HDR-3 | MUST | server | http | basic/transports#server-validation
    A header that is missing, says something else or cannot be read is refused with 400 and -32020.
HDR-4 | MUST | both | http | basic/transports#server-validation
    Names of headers are compared without case, values with it, and white space around a value does not count.
HDR-5 | OURS | server | http | basic/transports#server-validation
    A mirrored header that comes twice is refused, for two readers might see two values.
HDR-6 | MUST | server | http | basic/transports#value-encoding
    A name or an argument is decoded before it is compared; a version and a method never are.
HDR-7 | OURS | server | http | basic/transports#server-validation
    A missing header comes before the body, missing metadata before a header that differs, that before the version.
HDR-9 | MUST NOT | server | http | basic/transports#server-validation
    What a header says decides nothing: it is compared with the body, and the body is served.
ENC-1 | MUST | client | http | basic/transports#value-encoding
    A value that a header cannot hold as it is, or that looks encoded, is sent as Base64 of its UTF-8 between marks.
ENC-2 | MUST | both | http | basic/transports#value-encoding
    The marks are `=?base64?` and `?=` in lower case; what has not both of them is literal text.
ENC-3 | MUST | server | http | basic/transports#value-encoding
    Between the marks only Base64 with its padding is taken, of UTF-8, in its one spelling.
ENC-4 | MUST | client | http | basic/transports#value-encoding
    An integer is written in decimal and a boolean as true or false.
ENC-5 | MUST | server | http | basic/transports#value-encoding
    A value with bytes that are no visible ASCII is refused.
XH-2 | MUST | server | http | server/tools#x-mcp-header
    A mirrored argument names a header once, by a token, and is a string, an integer or a boolean.
XH-3 | MUST | server | http | server/tools#x-mcp-header
    A mirrored argument is reached through properties alone.
XH-4 | MUST | client | http | server/tools#x-mcp-header
    A tool whose annotations break the rules is left out of the list and cannot be called; the others are kept.
XH-5 | MUST | client | http | server/tools#x-mcp-header
    Each annotated argument that is given and not null is said in its header, and no other one is.
XH-6 | MUST | server | http | server/tools#x-mcp-header
    An argument that is to be mirrored has a header that says the same; one that is absent has none.
XH-7 | SHOULD | client | http | server/tools#x-mcp-header
    A call that is refused for its headers is made once more, with those of the schema as it is listed then.
XH-9 | OURS | server | http | server/tools#x-mcp-header
    A header for an argument that the tool does not declare is passed over.
"""
