"""A served site, a real browser, and a program that waits for a response; skipped without Chromium."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from vetrina.cli import main

VETRINA = Path(sys.executable).with_name("vetrina")
# The one without windows first: it takes less than half of the processor to open a page.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
PATIENCE = 60_000  # milliseconds for a step of the browser, on a busy machine
LATENCY = int(os.environ.get("BROWSER_LATENCY", "0"))  # milliseconds that each answer is held back, to find races
RERUNS = int(os.environ.get("BROWSER_RERUNS", "0"))  # how often a test that fails is run again; the report names it
DELAY = int(os.environ.get("BROWSER_DELAY", "0"))  # milliseconds that what React puts off comes later, to find races

# What React draws after an answer, and what follows a drawing, waits for a message that it sends to itself.
DELAY_REACT = """milliseconds => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (...message) {
        setTimeout(() => post.apply(this, message), milliseconds);
    };
}"""

# Each window would prepare a page for the address bar, which takes half a second of the processor and nobody sees. The
# last such switch alone counts, so what Playwright switches off for the sake of tests stands here as well.
UNUSED_FEATURES = (
    "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup", "AimEnabled", "LensOverlay", "MediaRouter",
    "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "NetworkTimeServiceQuerying", "OptimizationHints",
    "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
)  # fmt: skip


@dataclass
class Served:
    """A running site. root: scheme and host. folder: its path."""

    root: str
    login: str
    password: str
    folder: Path | None = None


@dataclass
class Program:
    """The application that asks for a password: a server on this machine, the URLs requested from it, and its pages."""

    root: str
    called: list[str] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)


def make_site(folder: Path, *command: str) -> str:
    """Make a site with a command whose last argument is the folder, and return what it says."""
    return CliRunner().invoke(main, [*command, str(folder)], catch_exceptions=False).output


def copy_demo(folder: Path, *command: str) -> str:
    """Copy a demonstration to a folder, made once for all processes of a run; return what was said when it was made."""
    run = next((one for one in folder.parents if re.fullmatch(r"pytest-\d+", one.name)), folder.parent)
    demo, said = run / "-".join(["demo", *command[1:]]), run / "-".join(["said", *command[1:]])
    with Path(run / "demos.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            said.write_text(make_site(demo, *command))
    shutil.copytree(demo, folder)
    return said.read_text()


@contextmanager
def serve_new_site(folder: Path, *command: str) -> Iterator[Served]:
    """Make a site with a command (`init`, `demo first --site`), whose last argument is the folder, and serve it."""
    made = copy_demo(folder, *command) if command[0] == "demo" else make_site(folder, *command)
    password = re.search(r"^ +password +(.+)$", made, re.MULTILINE)
    assert password, made
    process = subprocess.Popen(
        [VETRINA, "serve", "--port", "0", "--site", str(folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://[^/\s]+", line)
        assert found, line
        yield Served(found[0], "admin", password[1], folder)
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_new_site(tmp_path_factory.mktemp("browser") / "site", "init") as site:
        yield site


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have a test of this folder run again that fails, where a run asks for that."""
    for item in items:
        if RERUNS and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=RERUNS))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print why a test was run again, which would not be seen where it passed then."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"run again: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)
        for title, content in report.sections:
            terminalreporter.write_line(f"{title}\n{content}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a test that failed what its windows showed."""
    report = yield
    browser: Any = item.funcargs.get("chromium") if isinstance(item, pytest.Function) else None
    if report.when == "call" and report.failed and browser is not None:
        for page in [one for context in browser.contexts for one in context.pages]:
            with suppress(Exception):
                shown = page.locator("body").aria_snapshot(timeout=5_000)
                report.sections.append((f"window at {page.url}", shown))
    return report


class SharedBrowser:
    """The browser of this process, which runs as long as one test after the other uses it.

    It does not outlive them: its driver keeps an event loop in this thread, where other tests run loops of their own.
    """

    def __init__(self) -> None:
        self._running = ExitStack()
        self._browser: Any = None

    def start(self) -> Any:
        """Return the browser, which is started where it does not run."""
        if self._browser is None or not self._browser.is_connected():
            self.stop()
            self._browser = self._running.enter_context(start_browser())
        return self._browser

    def stop(self) -> None:
        self._browser = None
        self._running.close()


_SHARED = SharedBrowser()


@contextmanager
def start_browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; set CHROMIUM, or install the package chromium-headless-shell")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as started:
        # The sandbox needs rights that a container lacks; the pages are our own.
        switches = ["--no-sandbox", f"--disable-features={','.join(UNUSED_FEATURES)}"]
        browser = started.chromium.launch(executable_path=CHROMIUM, args=switches)
        prepare_contexts(browser)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def chromium() -> Any:
    return _SHARED.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Stop the browser where no test of the next file uses it."""
    yield
    if nextitem is None or (nextitem.path != item.path and "chromium" not in getattr(nextitem, "fixturenames", ())):
        _SHARED.stop()


def prepare_contexts(browser: Any) -> None:
    """Have no page move by itself, and each wait for its answers, or draw late, where a run asks for that."""
    new_context = browser.new_context

    def slow_page(page: Any) -> None:
        conditions = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", conditions)

    def new_prepared_context(*args: Any, **options: Any) -> Any:
        # A page that is still scrolling smoothly moves away under a click.
        context = new_context(*args, **{"reduced_motion": "reduce", **options})
        if LATENCY:
            context.on("page", slow_page)
        if DELAY:
            delay_react(context, DELAY)
        return context

    browser.new_context = new_prepared_context


def delay_react(context: Any, milliseconds: int) -> None:
    """Have React draw later what it may put off, in each page that a context opens from now on."""
    context.add_init_script(f"({DELAY_REACT})({milliseconds})")


@pytest.fixture
def tab(chromium: Any) -> Iterator[Any]:
    """An empty window without cookies, which records what the pages' policies refuse."""
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.refused = []
    page.on("console", lambda message: page.refused.append(message.text) if message.type == "error" else None)
    yield page
    context.close()


@pytest.fixture
def program() -> Iterator[Program]:
    called: list[str] = []
    pages: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            called.append(self.path)
            self.send_response(200)
            kind = "text/javascript" if self.path.endswith(".js") else "text/html"
            self.send_header("Content-Type", f"{kind}; charset=UTF-8")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "thank you").encode())

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Program(f"http://127.0.0.1:{server.server_address[1]}", called, pages)
    server.shutdown()
    server.server_close()
