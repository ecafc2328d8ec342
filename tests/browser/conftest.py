"""A headless Chromium, and a site on localhost whose pages are strings.

Every page comes with a strict Content-Security-Policy.  A test with the fixture ``visitor``
fails if the policy was broken, or if a script of the page raised.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from browser_kit import CSP, PAGE_CSP, document, server_sent
from live_kit import LIVE
from playwright.sync_api import sync_playwright

from citemark import assets
from citemark.cli.page import Section
from citemark.cli.page import page as whole_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

    Connection: TypeAlias = "Sequence[str | bytes | float | threading.Event]"

HERE = __file__.rpartition("conftest")[0]

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]

REPORTER = """
document.addEventListener('securitypolicyviolation', (event) =>
  cspReport(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""

NO_INTEREST = """
delete HTMLAnchorElement.prototype.interestForElement;
for (const name of ['interest', 'loseinterest'])
  document.addEventListener(name, (event) => event.preventDefault(), true);
"""
"""Makes a browser one that does not know ``interestfor``."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(HERE):
            item.add_marker(pytest.mark.browser)


class Site:
    """Pages on localhost, by path.  What is not there is answered with 404."""

    def __init__(self) -> None:
        self._served: dict[str, tuple[str, bytes, str]] = {}
        self._streams: dict[str, list[Connection]] = {}
        self.last_ids: defaultdict[str, list[str | None]] = defaultdict(list)
        """Of each stream, the Last-Event-ID of the connections so far."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def serve(
        self, path: str, content: str | bytes, type_: str = "text/html", *, csp: str = CSP
    ) -> str:
        """Serve a string under a path; return its URL."""
        data = content.encode() if isinstance(content, str) else content
        self._served[path] = (f"{type_}; charset=utf-8", data, csp)
        return self.origin + path

    def stream(self, path: str, *connections: Connection) -> str:
        """Serve server-sent events, and return the path.

        Args:
            path: Where.
            connections: What each one gets: texts, and between them events to wait for, or
                seconds.  Later connections get 204: no more.
        """
        self._streams[path] = list(connections)
        self.last_ids[path].clear()
        return path

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(site) -> type[BaseHTTPRequestHandler]:  # noqa: N805  self is the request's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                if path in site._streams:
                    site.last_ids[path].append(self.headers["Last-Event-ID"])
                    left = site._streams[path]
                    self._send("text/event-stream", left.pop(0) if left else None)
                elif path in site._served:
                    type_, data, csp = site._served[path]
                    self._send(type_, [data], csp)
                else:
                    self.send_error(404)

            def _send(self, type_: str, parts: Connection | None, csp: str = CSP) -> None:
                self.send_response(204 if parts is None else 200)
                self.send_header("Content-Type", type_)
                self.send_header("Content-Security-Policy", csp)
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                for part in parts or ():
                    if isinstance(part, threading.Event):
                        part.wait(5)
                    elif isinstance(part, float):
                        time.sleep(part)
                    else:
                        self._write(part)

            def _write(self, part: str | bytes) -> None:
                with contextlib.suppress(ConnectionError):  # the browser went away
                    self.wfile.write(part.encode() if isinstance(part, str) else part)
                    self.wfile.flush()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Playwright, for one module: while it runs, ``asyncio.run`` refuses to."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def chromium(playwright) -> Iterator[Browser]:
    """The Chromium of the machine."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        # Where everything is checked a browser that is missing is a fault, elsewhere it may be.
        missing = "these tests need Chromium; on Debian: apt-get install chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The site, with the assets under ``/static/``."""
    site = Site()
    for name in assets.NAMES:
        type_ = "text/css" if name.endswith(".css") else "text/javascript"
        site.serve(f"/static/{name}", (assets.path() / name).read_bytes(), type_)
    site.serve("/favicon.ico", b"-", "image/x-icon")
    yield site
    site.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where ``citemark demo`` serves its page."""
    command = [sys.executable, "-m", "citemark", "demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield process.stdout.readline().strip()
        process.terminate()


class Visitor:
    """Opens pages in a browser, and keeps what went wrong in them.

    A context takes longer to make than most tests run: there is one for each kind of browser.
    """

    def __init__(self, site: Site, browser: Browser) -> None:
        self.site = site
        self.reports: list[str] = []
        """What the Content-Security-Policy refused."""
        self.errors: list[str] = []
        """What scripts raised, and what the console calls an error."""
        self._browser = browser
        self._pages: dict[str, Page] = {}

    def page(self, *, interest: bool = True, clock: bool = False, **options: Any) -> Page:
        """Return a page, which is empty at first.

        Args:
            interest: Whether the browser knows ``interestfor``.
            clock: Whether its time stands still, but for ``page.clock.run_for``.
            options: Of the context: ``has_touch``, ``color_scheme``, ...
        """
        kind = repr((interest, clock, sorted(options.items())))
        if kind not in self._pages:
            script = REPORTER if interest else REPORTER + NO_INTEREST
            self._pages[kind] = self._new_page(script, options)
            if clock:
                self._pages[kind].clock.install(time=0)
                self._pages[kind].clock.pause_at(1_000)
        page = self._pages[kind]
        page.mouse.move(0, 0)
        page.goto("about:blank")
        return page

    def _new_page(self, script: str, options: dict[str, Any]) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(5_000)
        context.expose_function("cspReport", self._refused)
        context.add_init_script(script)
        page = context.new_page()
        page.on("pageerror", self._raised)
        page.on("console", self._heard)
        return page

    def open(self, body: str, **options: Any) -> Page:
        """Return a page with this body and all assets; options are those of ``page``."""
        page = self.page(**options)
        page.goto(self.site.serve("/page", document(body)))
        return page

    # Playwright takes no built-in function, such as ``list.append``.
    def _refused(self, report: str) -> None:
        self.reports.append(report)

    def _raised(self, error: object) -> None:
        self.errors.append(str(error))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def leave(self) -> tuple[list[str], list[str]]:
        """Return what went wrong since the last time."""
        for page in self._pages.values():
            page.evaluate("0")  # reports that are on their way arrive
        found = self.reports[:], self.errors[:]
        self.reports.clear()
        self.errors.clear()
        return found

    def close(self) -> None:
        for page in self._pages.values():
            page.context.close()


@pytest.fixture(scope="module")
def _visitor(site, chromium) -> Iterator[Visitor]:
    visitor = Visitor(site, chromium)
    yield visitor
    visitor.close()


@pytest.fixture
def visitor(_visitor) -> Iterator[Visitor]:
    """A visitor of the site; the test fails if something went wrong that it did not clear."""
    yield _visitor
    assert _visitor.leave() == ([], [])


@pytest.fixture
def show(visitor):
    """Open a page around answers, as HTML or sections; options are those of a context."""

    def opened(*answers, lang="en", script=True, **context):
        sections = [Section(each) if isinstance(each, str) else each for each in answers]
        html = whole_page("Answers", sections, lang=lang)
        page = visitor.page(java_script_enabled=script, **context)
        # Beside the stylesheet, which the page looks for in its own folder.
        page.goto(visitor.site.serve("/static/page", html, csp=PAGE_CSP))
        return page

    return opened


@pytest.fixture
def live(visitor, site):
    """Open a page with the element, fed by these events and then gone."""

    def open_(*events, body=LIVE):
        site.stream("/events", [server_sent(*events)])
        return visitor.open(body)

    return open_
