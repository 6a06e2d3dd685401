"""Drives a browser for the tests: one command as JSON on each line of stdin, one answer on each line of stdout.

Run with the Python of the `playwright` peer; knows nothing of Reading Room. Everything that a page does besides is noted:
requests, dialogs, faults, windows. A request to anywhere but the origins that were allowed is noted and not made.
"""

import json
import os
import shutil
import sys
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

TIMEOUT_MS = 15_000
ELSEWHERE = "rebound.example"
"""A name that leads to this machine, as after DNS rebinding."""


class Driver:
    """One browser with one page."""

    def __init__(self, playwright) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise SystemExit("there is no chromium here; run: make test-peers")
        is_root = hasattr(os, "getuid") and os.getuid() == 0
        flags = [f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1", *(["--no-sandbox"] if is_root else [])]
        self._browser = playwright.chromium.launch(executable_path=program, args=flags)
        self._context = None

    def open(self, allowed, width=1280, height=900, scheme="light", zoom=1):
        """Begin anew, as another browser would."""
        if self._context is not None:
            self._context.close()
        self._allowed = set(allowed)
        self._noted = {"requests": [], "elsewhere": [], "dialogs": [], "errors": [], "windows": 0}
        self._context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=zoom
        )
        self._context.set_default_timeout(TIMEOUT_MS)
        self._context.route("**/*", self._route)
        self._context.on("request", lambda request: self._noted["requests"].append(request.url))
        self._page = self._context.new_page()
        self._page.on("dialog", self._dismiss)
        self._page.on("pageerror", lambda error: self._noted["errors"].append(str(error)))
        self._page.on("popup", self._count)

    def _route(self, route):
        parts = urlsplit(route.request.url)
        if f"{parts.scheme}://{parts.netloc}" in self._allowed:
            route.continue_()
        else:
            self._noted["elsewhere"].append(route.request.url)
            route.abort()

    def _dismiss(self, dialog):
        self._noted["dialogs"].append(dialog.message)
        dialog.dismiss()

    def _count(self, _page):
        self._noted["windows"] += 1

    def noted(self):
        """What the page did besides what it was told to."""
        return self._noted

    def allow(self, origin):
        """Let the page ask one more origin."""
        self._allowed.add(origin)

    def goto(self, address):
        """Open an address; the status, or 0 when there was no answer."""
        answer = self._page.goto(address, wait_until="load")
        return 0 if answer is None else answer.status

    def back(self):
        """Go back."""
        self._page.go_back(wait_until="load")

    def pause(self, milliseconds=300):
        """Give what must not happen the time to happen; in a page without scripts no timer of its own would run."""
        self._page.wait_for_timeout(milliseconds)

    def settle(self):
        """Wait until nothing is loaded any more."""
        self._page.wait_for_load_state("networkidle")

    def cookies_sent(self):
        """The cookies that went along with the last page."""
        answer = self._page.reload()
        return [answer.request.all_headers().get("cookie", "")]

    def address(self):
        """Where the page is."""
        return self._page.url

    def text(self, selector="body"):
        """What an element says to whoever sees it."""
        return self._page.locator(selector).first.inner_text()

    def count(self, selector):
        """How many elements there are."""
        return self._page.locator(selector).count()

    def run(self, script, argument=None):
        """Run a script of the tests in the page, past its policy; what it gives."""
        return self._page.evaluate(script, argument)

    def run_in_frames(self, script):
        """Run a script in every frame but the page itself; what each gives."""
        return [frame.evaluate(script) for frame in self._page.frames[1:]]

    def click(self, selector):
        """Click, and wait for what comes of it."""
        self._page.locator(selector).first.click()
        self._page.wait_for_load_state("load")

    def press(self, *keys):
        """Press keys, one after the other."""
        for key in keys:
            self._page.keyboard.press(key)
        self._page.wait_for_load_state("load")

    def type(self, text):
        """Type a text where the focus is."""
        self._page.keyboard.type(text)

    def fill(self, selector, text):
        """Fill a field."""
        self._page.locator(selector).first.fill(text)

    def wait(self, selector):
        """Wait for an element to be seen."""
        self._page.locator(selector).first.wait_for()

    def resize(self, width, height):
        """Give the window another size."""
        self._page.set_viewport_size({"width": width, "height": height})

    def scheme(self, scheme):
        """Prefer light or dark."""
        self._page.emulate_media(color_scheme=scheme)

    def screenshot(self, path, whole=False):
        """Take a picture."""
        self._page.screenshot(path=path, full_page=whole, animations="disabled")

    def axe(self, source):
        """Look for what shuts people out of the page, but for its frames, where no script runs; a line for each fault."""
        found = []
        for frame in self._page.frames[:1]:
            frame.evaluate(source)
            options = {
                "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
                "iframes": False,
            }
            result = frame.evaluate("options => axe.run(document, options)", options)
            if not result["passes"]:
                raise RuntimeError("axe-core has looked at nothing")
            for fault in result["violations"]:
                targets = [
                    f"{' '.join(map(str, node['target']))}: {node['failureSummary']}"
                    for node in fault["nodes"][:3]
                ]
                found.append(f"{fault['id']}: {fault['help']}: {targets}")
        return found


def main():
    """Obey until stdin ends."""
    with sync_playwright() as playwright:
        driver = Driver(playwright)
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                answer = {"value": getattr(driver, asked["do"])(*asked["with"], **asked["by"])}
            except Exception as error:  # noqa: BLE001  -- told to the test
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
