"""Tests in a real browser of what documents, other sites and other programs' pages may try: nothing comes of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from readingroom.library import Rules
from support.attacks import ATTACKS, HIDDEN
from support.browsing import PASSPHRASE, Browser, Shelf, origin_of
from support.strange_sites import StrangeSite, strange_site

pytestmark = [pytest.mark.peers, pytest.mark.timeout(240)]

HOSTILE = "\n\n".join((*ATTACKS, *HIDDEN)) + "\n"
SCRIPT, TAG = quote(ATTACKS[0]), quote(ATTACKS[7])
PAGES = (
    "search?q=alert",
    "document?path=attack.md",
    "document?path=attack.html",
    "history",
    "decision/2",
    "decision/4",
    f"search?q={SCRIPT}",
    f"search?q={TAG}",
    f"document?path={TAG}",
    f"review?draft={SCRIPT}",
    f"history?path={TAG}",
)
PUT_IN = """() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = 1; alert(1)';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', `<img src=x onerror="window.ran = 1">
        <a href="javascript:window.ran=1" id=lure>x</a>
        <form action="https://evil.example"><button id=send>x</button></form>
        <p style="position:fixed" id=styled>x</p>`);
    document.getElementById('lure').click();
}"""
"""What cleaning takes out, as if it had not."""


@pytest.fixture
def hostile(tmp_path: Path) -> Shelf:
    """A folder whose documents, and drafts of them, say everything that could harm."""
    documents = {"attack.md": f"# Attack\n\n{HOSTILE}", "attack.html": f"<h1>Attack</h1>\n{HOSTILE}"}
    shelf = Shelf(tmp_path, documents, Rules())
    note = " ".join(attack for attack in ATTACKS if len(attack) < 60)[:900]
    for path in documents:
        shelf.propose("replace", path, content=f"{documents[path]}\n<b>more</b>\n{HOSTILE}", note=note)
    shelf.propose("create", "new &lt;b&gt; onerror=alert(1).md", principal=ATTACKS[0], content=HOSTILE)
    return shelf


@pytest.fixture
def stranger() -> Iterator[StrangeSite]:
    """A site of somebody else's on this machine."""
    with strange_site() as site:
        yield site


def test_hostile_documents_are_harmless_on_every_page(chromium: Browser, hostile: Shelf) -> None:
    """No dialog, no request to elsewhere, no script of theirs, no window; and what hides is shown."""
    with hostile.served() as address:
        chromium.open([origin_of(address)])
        chromium.goto(address)
        chromium.wait("nav")
        root = address.partition("/enter")[0]
        drafts = chromium.run("[...document.querySelectorAll('input[name=draft]')].map(box => box.value)")
        assert len(drafts) == 3
        for draft in drafts:
            assert chromium.goto(f"{root}/review?draft={draft}") == 200
            _look_at_everything(chromium)
            assert "⟨U+202E⟩" in chromium.text("main")
        _publish_all(chromium, root, drafts)
        for page in PAGES:
            chromium.goto(f"{root}/{page}")
            _look_at_everything(chromium)
    noted = chromium.noted()
    assert noted["dialogs"] == noted["elsewhere"] == noted["errors"] == []
    assert noted["windows"] == 0
    assert all(asked.startswith(root) for asked in noted["requests"])


def _look_at_everything(chromium: Browser) -> None:
    """Open what is folded, put the focus everywhere, wait, and see that nothing of theirs became part of a page."""
    chromium.run(
        "document.querySelectorAll('details').forEach(part => { part.open = true; part.scrollIntoView(); })"
    )
    chromium.settle()
    chromium.run("document.querySelectorAll('*').forEach(element => element.focus && element.focus())")
    chromium.pause()
    foreign = "script, img, svg, style, object, embed, base, video, math, [onerror], [onload], [onfocus], [style], [srcdoc]"
    counted = f"document.querySelectorAll('{foreign}').length"
    assert chromium.run(counted) == 0
    assert chromium.run_in_frames(counted) == [0] * chromium.count("iframe")
    leading = "document.querySelectorAll('a, form, button, input, iframe, link[rel=prefetch]').length"
    assert chromium.run_in_frames(leading) == [0] * chromium.count("iframe")
    assert chromium.run("document.querySelectorAll('form').length") <= 2


def _publish_all(chromium: Browser, root: str, drafts: list[str]) -> None:
    chromium.goto(f"{root}/review?" + "&".join(f"draft={draft}" for draft in drafts))
    chromium.click("#read")
    chromium.fill("#passphrase", PASSPHRASE)
    chromium.click("button[value=publish]")
    chromium.wait("h1:has-text('Published')")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_form_of_another_site_decides_nothing(
    chromium: Browser, shelf: Shelf, enter: Callable[..., str], stranger: StrangeSite, name: str
) -> None:
    """Not even one that knows the path, the token and the passphrase: another port is elsewhere, and so is another name."""
    draft = shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    root = enter()
    chromium.goto(f"{root}/review?draft={draft}")
    fields = chromium.run("[...new FormData(document.querySelector('form.decide'))]")
    told = {**dict(fields), "passphrase": PASSPHRASE, "decision": "publish", "read": "yes"}
    inputs = "".join(f'<input name="{key}" value="{value}">' for key, value in told.items())
    stranger.pages["/"] = (
        f'<form method="post" action="{root}/decide">{inputs}</form><script>document.forms[0].submit()</script>'
    )
    chromium.allow(f"http://{name}:{stranger.port}")
    chromium.goto(f"http://{name}:{stranger.port}/")
    chromium.wait("h1:has-text('You may not look here')")
    assert "noon" in shelf.text("harbour.md")
    chromium.goto(f"{root}/review?draft={draft}")
    assert chromium.count("button[value=publish]") == 1


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_another_site_can_neither_frame_nor_read_the_page(
    chromium: Browser, shelf: Shelf, enter: Callable[..., str], stranger: StrangeSite, name: str
) -> None:
    """No frame to trick a click into, no answer to read, no style sheet to tell by that we are here."""
    root = enter()
    draft = shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    frames = (
        f"{root}/",
        f"{root}/review?draft={draft}",
        f"{root}/preview/{draft}/1/after",
        f"{root}/style.css",
    )
    stranger.pages["/"] = "".join(f'<iframe src="{frame}"></iframe>' for frame in frames)
    chromium.allow(f"http://{name}:{stranger.port}")
    chromium.goto(f"http://{name}:{stranger.port}/")
    chromium.settle()
    assert set(chromium.run_in_frames("location.href")) == {"chrome-error://chromewebdata/"}
    reads = """async address => {
        const ways = [{credentials: 'include'}, {mode: 'no-cors', credentials: 'include'}];
        const tried = await Promise.allSettled(ways.map(way => fetch(address, way)));
        return tried.map(one => one.status);
    }"""
    assert chromium.run(reads, f"{root}/") == ["rejected", "rejected"]
    loads = """address => new Promise(done => {
        const link = document.createElement('link');
        Object.assign(link, {rel: 'stylesheet', href: address});
        Object.assign(link, {onload: () => done('loaded'), onerror: () => done('refused')});
        document.head.append(link);
    })"""
    assert chromium.run(loads, f"{root}/style.css") == "refused"


def test_a_name_that_leads_here_is_misdirected(chromium: Browser, enter: Callable[..., str]) -> None:
    """As after DNS rebinding: the page is of one name alone."""
    root = enter()
    port = root.split("/")[2].partition(":")[2]
    path = root.split("/", 3)[3]
    for name in ("rebound.example", "localhost"):
        chromium.allow(f"http://{name}:{port}")
        assert chromium.goto(f"http://{name}:{port}/{path}/search") == 421
        assert "Reading Room" not in chromium.text()


def test_the_cookie_goes_to_no_other_port(
    chromium: Browser, enter: Callable[..., str], stranger: StrangeSite
) -> None:
    """Cookies know no ports, but they know paths, and this one nobody else knows."""
    enter()
    stranger.pages["/"] = "<p>hello</p>"
    chromium.allow(f"http://127.0.0.1:{stranger.port}")
    chromium.goto(f"http://127.0.0.1:{stranger.port}/")
    assert chromium.cookies_sent() == [""]


def test_no_script_of_any_kind_runs_in_a_page(
    chromium: Browser, shelf: Shelf, enter: Callable[..., str]
) -> None:
    """The policy is tried by putting in what cleaning should have taken out."""
    draft = shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    root = enter()
    for page in ("", f"review?draft={draft}", f"preview/{draft}/1/after"):
        chromium.goto(f"{root}/{page}")
        chromium.run(PUT_IN)
        chromium.pause()
        assert chromium.run("window.ran === undefined")
        assert chromium.run("getComputedStyle(document.getElementById('styled')).position") == "static"
        chromium.run("document.getElementById('send').click()")
        chromium.pause()
        assert chromium.address().startswith(root)
    assert chromium.noted()["dialogs"] == chromium.noted()["elsewhere"] == []
