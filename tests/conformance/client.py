"""The client that the official conformance suite tests: `client.py URL`, with the scenario's name in the environment.

On the public API alone. A scenario is a function; those that are not named list the tools and call the first.
"""

import contextlib
import http.client
import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from client_login import login

from readingroom import Client, MemoryLogins, OAuthLogin, PeerProtocolError, ReadingRoomError

CONTEXT: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
ERA = "older" if os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION") == "2025-11-25" else "modern"
EXAMPLES = {"string": "text", "integer": 7, "number": 1.5, "boolean": True, "array": [], "object": {}}

Scenario = Callable[[str], None]


def client(url: str, **options: Any) -> Client:
    """Make a client as the scenario wants it."""
    if SCENARIO.startswith("auth/"):
        options["auth"] = login(CONTEXT)
    return Client.http(url, era=ERA, timeout=15.0, name="readingroom-conformance", version="1.0.0", **options)


def example(schema: dict[str, Any]) -> dict[str, Any]:
    """Give arguments that fit a schema of plain properties."""
    properties = schema.get("properties", {})
    return {name: EXAMPLES.get(described.get("type"), "text") for name, described in properties.items()}


def plain(url: str) -> None:
    """List the tools and call the first."""
    with client(url, strict=False) as opened:
        for tool in opened.list_tools()[:1]:
            opened.call_tool(tool.name, example(tool.input_schema))


def only_list(url: str) -> None:
    """List the tools."""
    with client(url, strict=False) as opened:
        opened.list_tools()


def declaring(url: str) -> None:
    """List the tools, as a client that can be asked everything."""
    asked: dict[str, Any] = {
        "on_elicit_form": lambda _form: None,
        "on_elicit_url": lambda _ask: None,
        "on_sample": lambda _ask: None,
        "roots": ["file:///"],
    }
    with client(url, strict=False, **asked) as opened:
        opened.list_tools()


def add_numbers(url: str) -> None:
    """Call a tool with numbers."""
    with client(url, strict=False) as opened:
        opened.list_tools()
        opened.call_tool("add_numbers", {"a": 5, "b": 3})


def request_state(url: str) -> None:
    """Answer what is asked in rounds, with other calls under way."""
    with (
        client(url, strict=False, on_elicit_form=lambda form: example(form.schema)) as opened,
        ThreadPoolExecutor() as pool,
    ):
        opened.list_tools()
        names = (
            "test_mrtr_echo_state",
            "test_mrtr_unrelated",
            "test_mrtr_no_state",
            "test_mrtr_no_result_type",
        )
        for found in [pool.submit(opened.call_tool, name, {}) for name in names]:
            found.result()


def standard_headers(url: str) -> None:
    """Make a request of each kind whose headers are looked at."""
    with client(url, strict=False) as opened:
        tools = opened.list_tools()
        for tool in tools:
            opened.call_tool(tool.name, example(tool.input_schema))
        for resource in opened.list_resources():
            # The suite's server gives no contents, which is an answer that breaks the rules.
            with contextlib.suppress(PeerProtocolError):
                opened.read_resource(resource.uri)
        for prompt in opened.list_prompts():
            opened.get_prompt(prompt.name, {argument["name"]: "text" for argument in prompt.arguments})


def custom_headers(url: str) -> None:
    """Make the calls that the suite names."""
    with client(url, strict=False) as opened:
        opened.list_tools()
        for call in CONTEXT.get("toolCalls", ()):
            opened.call_tool(call["name"], call["arguments"])


def every_tool(url: str) -> None:
    """Call every tool that is left after those were left out that cannot be called."""
    with client(url, strict=False) as opened:
        for tool in opened.list_tools():
            opened.call_tool(tool.name, example(tool.input_schema))


def kept_schema(url: str) -> None:
    """Send a schema back as it came."""
    with client(url, strict=False) as opened:
        [schema] = [t.input_schema for t in opened.list_tools() if t.name == "json_schema_2020_12_tool"]
        opened.call_tool("json_schema_echo", {"schema": schema})


def form_defaults(url: str) -> None:
    """Accept a form as it is, so that its defaults are its answer."""
    with client(url, strict=False, on_elicit_form=lambda _form: {}) as opened:
        opened.list_tools()
        opened.call_tool("test_client_elicitation_defaults", {})


def browsed(url: str) -> str:
    """Do as a browser and a person who agrees at once: give where the authorization server sends them back to."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=10.0)
    with contextlib.closing(connection):
        connection.request("GET", f"{parts.path}?{parts.query}")
        return connection.getresponse().headers["Location"] or ""


def authorized(url: str) -> None:
    """List the tools and call the first, logging in when the server asks for it, and once more after that."""
    login = OAuthLogin(
        client_id=CONTEXT.get("client_id"),
        client_secret=CONTEXT.get("client_secret"),
        issuer=CONTEXT.get("issuer"),
        client_metadata_url="https://conformance-test.local/client-metadata.json",
        open_url=browsed,
        logins=MemoryLogins(),
    )
    with client(url, strict=False, auth=login) as opened:
        for _ in range(2):
            for tool in opened.list_tools()[:1]:
                opened.call_tool(tool.name, example(tool.input_schema))


def reconnection(url: str) -> None:
    """Call a tool whose stream breaks before its answer."""
    with client(url, strict=False) as opened:
        opened.list_tools()
        opened.call_tool("test_reconnection", {})


SCENARIOS: dict[str, Scenario] = {
    "tools_call": add_numbers,
    "initialize": only_list,
    "request-metadata": declaring,
    "json-schema-ref-no-deref": only_list,
    "sep-2322-client-request-state": request_state,
    "http-standard-headers": standard_headers,
    "http-custom-headers": custom_headers,
    "http-invalid-tool-headers": every_tool,
    "json-schema-2020-12-preservation": kept_schema,
    "elicitation-sep1034-client-defaults": form_defaults,
    "sse-retry": reconnection,
}


def main() -> int:
    """Run the scenario; an error that the client names is the answer of some."""
    try:
        name = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
        run = authorized if name.startswith("auth/") else SCENARIOS.get(name, plain)
        run(sys.argv[-1])
    except ReadingRoomError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
