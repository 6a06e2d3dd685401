"""Rules of the messages, results, features and of stdio (requirements §1–7, §9, §10)."""

TABLE = """
ERR-1 | MUST NOT | both | any | basic#error-codes
    Of the codes that are reserved for the specification only those are sent that it defines, and with its meaning.
ERR-2 | MUST NOT | both | any | basic#error-codes
    The codes -32002 and -32042 of older revisions are not sent.
ERR-3 | SHOULD NOT | both | any | basic#error-codes
    Codes from -32000 to -32019, which older implementations used as they liked, are not used.
ERR-4 | SHOULD | both | any | basic#error-codes
    A code of an application's own lies outside of what JSON-RPC reserves.
ERR-5 | MUST | server | any | basic#error-responses
    An error has an integer as its code and a string as its message, and may have data of any form.
RPC-0 | MUST | server | any | basic#requests
    Every request is answered.
RPC-1 | MUST | both | any | basic#messages
    Every message is JSON-RPC 2.0, says so, and is written in UTF-8.
RPC-2 | MUST | client | any | basic#requests
    The id of a request is a string or an integer, and no other request of its sender that is in flight has it.
RPC-3 | OURS | server | any | basic#requests
    A request whose id is of another type is refused, and the refusal has no id.
RPC-4 | MUST | server | any | basic#responses
    An answer has the id of its request with its JSON type; where none could be read it has none, and never null.
RPC-5 | MUST | server | any | basic#responses
    An answer has either a result, which is an object, or an error, and never both.
RPC-6 | MUST NOT | both | any | basic#notifications
    A notification has no id and is never answered.
RPC-7 | MUST NOT | both | any | basic#messages
    A server sends no requests, and a client no responses; what a client sends as one is passed over.
RPC-8 | OURS | both | any | basic#messages
    An array of messages is no message.
RPC-9 | OURS | both | any | basic#general-fields
    Members that are not known are passed over, and never repeated.
RPC-10 | OURS | both | any | basic#messages
    Depth, length and numbers are bounded; NaN and lone surrogates are no JSON; of duplicate keys the last counts.
META-1 | MUST | client | any | basic#statelessness
    Every request says which version it is of and what its client is capable of.
META-2 | SHOULD | client | any | basic#statelessness
    A request says who its client is; one that does not is served all the same, but what is said must be well formed.
META-3 | MUST | server | any | basic#statelessness
    A request that lacks its version or its client's capabilities is refused as invalid, with its id.
META-4 | OURS | server | any | basic#statelessness
    Required metadata of a wrong type counts as missing.
META-5 | MUST NOT | server | any | basic#statelessness
    Nothing that an earlier request said is used for a later one.
META-6 | SHOULD | server | any | basic#statelessness
    Requests of conversations that have nothing to do with each other may be mixed on one connection.
META-9 | SHOULD NOT | both | any | basic#_meta
    How the other side names itself changes no behaviour.
META-10 | SHOULD | server | any | basic#_meta
    Every result says which server it is from.
META-11 | MUST | server | any | basic#statelessness
    What needs a capability that the request did not declare is refused, and the refusal says which.
META-15 | MUST | both | any | basic#_meta
    Trace context in the metadata is never a reason to refuse a request.
RES-1 | MUST | server | any | basic#result-responses
    Every result says of which type it is.
RES-2 | MUST | client | any | basic#result-responses
    A result that does not say its type is a complete one, from an older server.
RES-3 | MUST | client | any | basic#result-responses
    A result of a type that is not known, or that its method does not have, is no valid answer.
RES-4 | MAY | server | any | basic#result-responses
    A result may hold further members; a client passes over those it does not know.
RES-5 | MUST | server | any | basic/versioning#protocol-version-negotiation
    A method whose capability is not advertised is unknown.
VER-1 | MUST | server | any | basic/versioning#protocol-version-negotiation
    A version that is not served is refused, with those that are and the one that was asked for.
VER-2 | OURS | server | any | basic/versioning#protocol-version-negotiation
    Versions are offered only if requests of them can be served without a handshake.
VER-4 | MUST | server | any | server/discover
    A server answers discovery, and so do those that serve nothing else.
VER-5 | SHOULD | server | any | basic/versioning#backward-compatibility-with-initialization-based-versions
    A client that begins with the handshake of older versions is told which versions are served.
DISC-1 | MUST | server | any | server/discover#response
    Discovery gives the versions served, the capabilities, and how long that holds.
DISC-2 | MUST | server | any | server/discover#response
    A capability is advertised exactly if it is served.
EXT-2 | MUST | both | any | basic/versioning#extension-negotiation
    What needs an extension that the client did not declare is refused, and the refusal names it.
STDIO-1 | MUST | both | stdio | basic/transports/stdio#sending-messages
    A message stands on one line of its own in UTF-8; blank lines are passed over.
STDIO-2 | MUST NOT | both | stdio | basic/transports/stdio#sending-messages
    Nothing but messages is written to stdout, whatever a handler or a child of it prints.
STDIO-3 | OURS | server | stdio | basic/transports/stdio#receiving-messages
    A line that cannot be read costs only itself: it is answered without an id, and the next line is served.
STDIO-4 | MUST | client | stdio | basic/transports/stdio#receiving-messages
    Answers are matched by their ids, in whatever order they come.
STDIO-5 | SHOULD | client | stdio | basic/transports/stdio#shutdown
    A server is ended by closing its stdin, then by asking it, then by force.
STDIO-6 | SHOULD | server | stdio | basic/transports/stdio#shutdown
    A server ends soon after its stdin has ended.
STDIO-8 | SHOULD NOT | client | stdio | basic/transports/stdio
    A server gets no more of its client's environment than it is given.
STDIO-10 | OURS | server | stdio | basic/transports/stdio#receiving-messages
    A request that takes long holds up neither the reading nor any other request.
STDIO-11 | OURS | server | stdio | basic/transports/stdio#shutdown
    A server ends soon after the system has asked it to, by SIGTERM or by SIGINT.
STDIO-12 | OURS | server | stdio | basic/transports/stdio#shutdown
    A server that has ended leaves no process behind.
STDIO-13 | OURS | server | stdio | basic/transports/stdio
    The first answer comes within ten seconds of the start.
MRTR-1 | MUST | server | any | basic/patterns/mrtr#supported-requests
    Only a tool, a resource and a prompt may answer by asking for input.
MRTR-2 | MUST | server | any | basic/patterns/mrtr#inputrequiredresult
    Who asks for input says what is asked, or gives a state to come back with.
MRTR-3 | MUST | server | any | basic/patterns/mrtr#inputrequests
    What is asked is an object of requests by key, each with a method that a client can serve.
MRTR-4 | MUST NOT | server | any | basic/patterns/mrtr#server-requirements-basic-workflow
    Nothing is asked that the request did not declare.
PROG-1 | MUST | client | any | basic/patterns/progress#progress-flow
    A progress token is a string or an integer.
PROG-2 | MUST | server | any | basic/patterns/progress#behavior-requirements
    Progress grows, is told only to who asked, under the token that was given, and ends with the answer.
PROG-3 | MAY | server | any | basic/patterns/progress#implementation-notes
    Progress is a number, with a total and a message if there are any, and may be left out.
CAN-1 | MUST | client | stdio | basic/patterns/cancellation#cancellation-flow
    A cancellation names a request of the client's own that is in flight.
CAN-2 | MUST | client | http | basic/patterns/cancellation#cancellation-flow
    Over HTTP a request is cancelled by closing the stream of its answer.
CAN-3 | MUST | server | any | basic/patterns/cancellation#behavior-requirements
    Nothing more is sent for a request that was cancelled.
CAN-4 | SHOULD | server | any | basic/patterns/cancellation#error-handling
    A cancellation of what is not known, is over, or is not well formed is passed over in silence.
CAN-5 | SHOULD | client | any | basic/patterns/cancellation#timing-considerations
    An answer that comes after its request was cancelled is passed over.
CAN-6 | SHOULD | both | any | basic/patterns/cancellation#timeouts
    Every request of a client has a time after which it is cancelled.
CAN-7 | MUST NOT | server | any | basic/patterns/cancellation#behavior-requirements
    A server cancels nothing but subscriptions.
PAGE-1 | MUST | server | any | server/utilities/pagination#pagination-model
    A list comes in pages of the server's choice, and a page that others follow has a cursor.
PAGE-2 | MUST | client | any | server/utilities/pagination#implementation-guidelines
    A cursor is nobody's but the server's; the end is where there is none, and an empty one is none the less a cursor.
PAGE-3 | SHOULD | server | any | server/utilities/pagination#error-handling
    A cursor that this list did not give is refused as invalid.
PAGE-4 | OURS | client | any | server/utilities/pagination#implementation-guidelines
    A list that gives a cursor twice has no end, and is not followed further.
CACHE-1 | MUST | server | any | server/utilities/caching#cacheable-results
    The complete results of discovery, of the lists and of reading say how long they hold and who may share them.
CACHE-2 | MUST NOT | server | any | server/utilities/caching#cacheable-results
    A result that asks for input says nothing of the kind.
CACHE-7 | MUST | server | any | server/utilities/caching#interaction-with-pagination
    All pages of a list may be shared by the same.
CACHE-9 | OURS | server | any | server/utilities/caching#choosing-a-cache-scope
    Unless it is said otherwise a result holds for no time and is shared by nobody.
TOOL-1 | MUST | server | any | server/tools#listing-tools
    A server with tools lists them, and the list depends on no connection and no other request.
TOOL-2 | SHOULD | server | any | server/tools#listing-tools
    The order of the tools stays the same while they do.
TOOL-3 | SHOULD | server | any | server/tools#tool-names
    The name of a tool has 1 to 128 characters of A-Z, a-z, 0-9, _, - and ., and no other tool has it.
TOOL-4 | OURS | server | any | server/tools#tool
    Every tool has a description.
TOOL-5 | MUST | server | any | server/tools#tool
    The input schema of a tool is one of an object, and without parameters of one that has no members.
TOOL-6 | MUST | server | any | server/tools#error-handling
    A call of a tool that is not there, or that has not the form of a call, is an error of the protocol.
TOOL-7 | SHOULD | server | any | server/tools#error-handling
    What a model can mend, arguments that break the schema among it, is told in a result.
TOOL-8 | MUST | server | any | server/tools#output-schema
    The structured content of a success keeps the output schema.
TOOL-9 | SHOULD | server | any | server/tools#structured-content
    Structured content is told a second time as text.
TOOL-10 | SHOULD | client | any | server/tools#output-schema
    Structured content is checked; null is a value, and not the same as none.
TOOL-11 | MUST | both | any | server/tools#tool
    The hints of a tool are never trusted; a server of ours gives all four.
TOOL-15 | OURS | server | any | server/tools#calling-tools
    Arguments that are left out are an empty object; null and anything else that is no object is refused.
SCH-1 | MUST | both | any | basic#schema-dialect
    A schema that does not say otherwise is one of JSON Schema 2020-12.
SCH-2 | MUST | both | any | basic#implementation-requirements
    A schema is valid, and values are checked by all that it says.
SCH-3 | MUST NOT | both | any | basic#ref-resolution
    A reference to another place is never fetched.
SCH-4 | SHOULD | both | any | basic#ref-resolution
    A schema with a reference that leads nowhere is refused.
SCH-6 | MUST | both | any | basic#json-schema-usage
    A schema is handed on as it was given.
SCH-7 | OURS | both | any | basic#schema-validation
    1.0 is an integer, and true is no number.
RSRC-1 | MUST | server | any | server/resources#listing-resources
    A server with resources says so and lists them.
RSRC-2 | MUST | server | any | server/resources#reading-resources
    A resource is read by its URI, and gives contents with their own URIs, as text or in base64.
RSRC-3 | MUST | server | any | server/resources#error-handling
    A resource that is not there is an error with its URI, and never an empty answer.
RSRC-5 | SHOULD | server | any | server/resources#custom-uri-schemes
    The address of a resource is a valid URI.
RSRC-6 | MUST | server | any | server/resources#resource-templates
    Families of resources have URI templates; the variables are decoded once, and a resource of its own comes first.
RSRC-7 | MAY | server | any | server/resources#annotations
    Content may say for whom it is, how much it matters, and when it last changed.
PRO-1 | MUST | server | any | server/prompts#capabilities
    A server with prompts says so and lists them.
PRO-2 | MUST | server | any | server/prompts#getting-a-prompt
    A prompt takes texts by name and gives messages, each of a role and with one block of content.
PRO-3 | SHOULD | server | any | server/prompts#error-handling
    A prompt that is not there, and arguments that are missing, unknown or no texts, are refused as invalid.
COMP-1 | MUST | server | any | server/utilities/completion#capabilities
    A server that completes arguments says so, and for another the method is unknown.
COMP-2 | MUST | server | any | server/utilities/completion#completion-results
    A completion gives at most a hundred values, and says how many there are.
COMP-3 | SHOULD | server | any | server/utilities/completion#error-handling
    A reference to what is not there is refused as invalid.
LOG-1 | MUST | server | any | server/utilities/logging#capabilities
    Log lines go only to a request that asked for them, and only from a server that says it has them.
LOG-2 | MAY | server | any | server/utilities/logging#requesting-log-messages
    Lines from the level that was asked for on are sent before the answer, and none after it.
LOG-3 | SHOULD | server | any | server/utilities/logging#log-levels
    There are eight levels, and a request for another is refused.
ICON-1 | MUST | server | any | basic#icons
    An icon has a source, and may have a type, sizes and a theme; a server has a name and a version.
SHAPE-1 | OURS | client | any | schema
    A result that has not the form which the schema gives it is no valid answer.
"""
