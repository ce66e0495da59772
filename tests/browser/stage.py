"""The stage as a visitor meets it: what it shows, and what can be done to it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Page, WebSocket, expect
from playwright.sync_api import TimeoutError as TooLate
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE = 60_000  # milliseconds; it guards against hanging only
expect.set_options(timeout=PATIENCE)


CALM = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const stage = document.querySelector('[data-testid=stage]');
  const { busy, unsaid } = stage?.querySelector('.dm-controls')?.dataset ?? {};
  const now = [app?.dataset.testScriptState, stage?.dataset.rev].join();
  const final = stage?.dataset.rev && stage.dataset.draft !== 'true';
  const answered = busy !== 'true' && unsaid !== 'true';
  const idle = app?.dataset.testScriptState !== 'running' && window.dmLast === now;
  const calm = final && answered && idle;
  window.dmCalm = calm ? (window.dmCalm ?? performance.now()) : undefined;
  window.dmLast = now;
  return calm && performance.now() - window.dmCalm > 350;
}"""


STATE = """() => ({
  ...document.querySelector('[data-testid=stApp]')?.dataset,
  ...document.querySelector('[data-testid=stage]')?.dataset,
  ...document.querySelector('[data-testid=stage] .dm-controls')?.dataset,
})"""


class Conversation:
    """Requests of a tab to the server, and their answers, by the messages of one connection."""

    def __init__(self, socket: WebSocket):
        self.n_requests = self.n_messages = 0
        self.waiting = self.running = False
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    @property
    def answered(self) -> bool:
        return not (self.waiting or self.running)

    def _sent(self, frame: bytes | str) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
            self.n_requests += 1
            self.waiting = True

    def _received(self, frame: bytes | str) -> None:
        message = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
        self.n_messages += 1
        if message.HasField("new_session"):
            self.waiting, self.running = False, True
        elif message.HasField("script_finished"):
            self.running = False


class Stage:
    """One browser tab with a page of the app."""

    def __init__(self, page: Page, address: str):
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self.conversation: Conversation
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._listen)
        page.on("websocket", self._converse)

    def _listen(self, message) -> None:
        # Streamlit itself looks for its own files beside the page first, and finds them one level
        # up.
        url = message.location["url"]
        from_streamlit = "/_stcore/" in url and "/bidi-components/" not in url
        if message.type == "error" and not from_streamlit:
            self.errors.append(f"{message.text} ({url})")

    def _converse(self, socket: WebSocket) -> None:
        self.conversation = Conversation(socket)

    def open(self, slug: str = "kmeans", **link: object) -> Stage:
        """Open a page by its link and wait for its picture: the last one without a ``step``."""
        return self.go(
            f"{self.address}/{slug}" + (f"?{urlencode(link, doseq=True)}" if link else "")
        )

    def go(self, url: str) -> Stage:
        self.page.goto(url)
        self.root.wait_for()
        return self.settle()

    def settle(self) -> Stage:
        """Wait until all requests are answered and the picture no longer changes or gets finer."""
        expect(self.page.get_by_test_id("stStatusWidget")).to_have_count(0)
        return self._until(self._calm)

    def asked_beyond(self, n_requests: int) -> Stage:
        """Wait until the browser has sent more requests than it had before."""
        return self._until(lambda: self.conversation.n_requests > n_requests)

    def reconnected(self, lost: Conversation) -> Stage:
        """Wait until the browser has connected again."""
        return self._until(lambda: self.conversation is not lost)

    def _until(self, condition: Callable[[], bool]) -> Stage:
        deadline = time.monotonic() + PATIENCE / 1000
        while not condition():
            assert time.monotonic() < deadline, "What was waited for never came."
            # The connection's events come while the page is waited for.
            self.page.wait_for_timeout(20)
        return self

    def _calm(self) -> bool:
        """Wait for a calm on the screen, and return whether it was one of the connection too."""
        self.painted()  # what a click has started is sent by then
        before = self.conversation.n_requests, self.conversation.n_messages
        # The calm before what was just done does not count.
        self.page.evaluate("() => { window.dmCalm = undefined; window.dmLast = undefined; }")
        try:
            self.page.wait_for_function(CALM, polling=50)
        except TooLate as error:
            raise AssertionError(
                f"It does not settle: {self.page.evaluate(STATE)}, {vars(self.conversation)}"
            ) from error
        self.painted()
        return self.conversation.answered and before == (
            self.conversation.n_requests,
            self.conversation.n_messages,
        )

    # What it shows

    @property
    def root(self):
        return self.page.get_by_test_id("stage")

    def part(self, name: str):
        return self.root.locator(f".dm-{name}")

    @property
    def frame(self) -> int:
        return int(self.root.get_attribute("data-frame"))

    @property
    def frames(self) -> int:
        return int(self.root.get_attribute("data-frames"))

    @property
    def caption(self) -> str:
        return self.part("caption").inner_text()

    @property
    def ledger(self) -> str:
        return self.part("ledger").inner_text()

    def canvas(self, panel: str = "data"):
        return self.root.locator(f"[data-panel={panel}] canvas")

    def state(self) -> tuple[int, int, str, str]:
        """Return all that two visitors of one link must agree on."""
        return self.frame, self.frames, self.caption, self.ledger

    @property
    def link(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.page.url).query, keep_blank_values=True))

    def shows_frame(self, frame: int) -> Stage:
        expect(self.root).to_have_attribute("data-frame", str(frame))
        return self

    def ink(self, panel: str = "data") -> int:
        """Return a checksum of a panel's pixels."""
        return self.canvas(panel).evaluate(
            """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
                 .data.reduce((sum, value) => (sum * 31 + value) | 0, 7)"""
        )

    def slider(self, label: str):
        """Return the slider of a parameter beside the picture."""
        return self.part("controls").get_by_role("slider", name=label, exact=True)

    @property
    def speed(self):
        return self.part("player").locator("select")

    # What can be done

    def press(self, *keys: str) -> Stage:
        for key in keys:
            self.root.press(key)
        return self.painted()

    def painted(self) -> Stage:
        """Wait until the browser has painted what was asked of it before."""
        # A headless browser may draw nothing more after a change of its window's size, until
        # something is asked of it: then no frame is waited for.
        self.page.evaluate(
            """() => new Promise((done) => {
              requestAnimationFrame(() => requestAnimationFrame(done));
              setTimeout(done, 5000);
            })"""
        )
        return self

    def act(self, name: str) -> Stage:
        self.root.locator(f"[data-act={name}]").click()
        return self.painted()

    def data(self):
        """Open the popover of the data, if it is not open, and return it."""
        popover = self.page.get_by_test_id("stPopoverBody")
        if not popover.count():
            self.page.locator("[class*=st-key-bar-data] button").click()
        popover.wait_for()
        return popover

    def close_data(self) -> Stage:
        """Close the popover of the data, which lies over the picture, and wait until it is gone."""
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_test_id("stPopoverBody")).to_have_count(0)
        return self

    def upload(self, content: bytes, name: str = "data.csv") -> Stage:
        """Give the page a file."""
        file = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.data().locator("input[type=file]").set_input_files(file)
        return self

    def what_was_read(self):
        """Open the dialog about the reader's file and return it."""
        self.data().get_by_role("button", name="What was read").click()
        dialog = self.page.get_by_role("dialog", name="What was read")
        expect(dialog).to_be_visible()
        return dialog

    def tool(self, name: str) -> Stage:
        self.root.locator(f"[data-do='{name}']").click()
        return self


def numbers(text: str) -> list[float]:
    return [
        float(number)
        for number in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text.replace("\u202f", ""))
    ]
