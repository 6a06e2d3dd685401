"""The revisions served with per-request metadata (VER-1, VER-2), and the names of the `_meta` keys (§1.5)."""

LATEST = "2026-07-28"
SUPPORTED: tuple[str, ...] = (LATEST,)

PREFIX = "io.modelcontextprotocol/"
PROTOCOL_VERSION = PREFIX + "protocolVersion"
CLIENT_CAPABILITIES = PREFIX + "clientCapabilities"
CLIENT_INFO = PREFIX + "clientInfo"
LOG_LEVEL = PREFIX + "logLevel"
SERVER_INFO = PREFIX + "serverInfo"
SUBSCRIPTION_ID = PREFIX + "subscriptionId"
