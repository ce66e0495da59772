"""The phones of a class and its teacher, as tests use them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Sequence
from threading import Thread
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.stage import Stage
from tests.rooms import client
from tests.rooms.client import browsers

PATIENCE = 120  # seconds until what a crowd does is given up
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
OF_STAGE = """(read) => {
  let stage;
  document.addEventListener('dm-scene', (event) => { stage = event.detail; }, { once: true });
  document.dispatchEvent(new CustomEvent('dm-call'));
  return eval(read)(stage);
}"""
PLACE_OF_ROW = """({ view, player }) => {
  const { axes, canvas } = view.panels.get('data');
  const [x, y] = ['x', 'y'].map((name) => view.dataMark.get(name, player.moment)[ROW - 1]);
  const { left, top } = canvas.getBoundingClientRect();
  return [left + axes.x(x), top + axes.y(y)];
}"""
PLACE_OF_ANSWER = """({ view, quiz }) => {
  const { axes, canvas } = view.panels.get(quiz.question.answer.panel);
  const { left, top } = canvas.getBoundingClientRect();
  const [x, y] = VALUE;
  return [left + axes.x(x), top + axes.y(y)];
}"""


class Phone:
    """A phone of the class."""

    def __init__(self, context: BrowserContext, address: str):
        self.context, self.address = context, address
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def join(self, code: str) -> Phone:
        self.page.goto(f"{self.address}/join/{code}")
        expect(self.page.get_by_text(f"Room {code}")).to_be_visible()
        expect(self.stage).to_have_attribute("data-frame", re.compile(r"\d"))
        return self

    @property
    def stage(self):
        return self.page.locator("#stage")

    @property
    def question(self):
        return self.stage.get_by_test_id("question")

    def shows(self, frame: int) -> None:
        expect(self.stage).to_have_attribute("data-frame", str(frame))

    def vote(self, text: str) -> None:
        """Type an answer, or press the button that has it."""
        answer = self.question.get_by_role("group", name="Your answer")
        if answer.get_by_role("textbox").count():
            answer.get_by_role("textbox").fill(text)
            self.question.get_by_role("button", name="Vote", exact=True).click()
        else:
            answer.get_by_role("button", name=text).click()
        self.has_arrived()

    def answer(self, value: Any) -> None:
        """Answer a place by a touch, marks by their numbers, an option by its button."""
        answer = self.question.get_by_role("group", name="Your answer")
        kind = self.question.get_attribute("data-kind")
        if kind == "option":
            answer.get_by_role("button").nth(value).click()
        elif kind == "place":
            self.page.touchscreen.tap(*self.of_stage(PLACE_OF_ANSWER.replace("VALUE", str(value))))
        else:
            answer.get_by_role("textbox").fill(str(value))
        if kind != "option":
            self.question.get_by_role("button", name="Vote", exact=True).click()
        self.has_arrived()

    def has_arrived(self) -> None:
        expect(self.question).to_contain_text("Your answer has arrived")

    def of_stage(self, read: str):
        return self.page.evaluate(OF_STAGE, read)

    def touch_row(self, row: int) -> None:
        x, y = self.of_stage(PLACE_OF_ROW.replace("ROW", str(row)))
        self.page.touchscreen.tap(x, y)

    @property
    def task(self):
        return self.page.locator("#task")

    def fill_in(self, **values: str | list[str]) -> None:
        """Fill in fields of a row by their names, and send it."""
        for name, value in values.items():
            if isinstance(value, list):
                for item in value:
                    self.task.get_by_role("checkbox", name=item).check()
                continue
            field = self.task.get_by_label(name)
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.task.get_by_role("button", name="Send my row").click()

    def place(self, x: float, y: float) -> None:
        """Touch the plane at a share of its width and height."""
        pad = self.task.locator("svg.dm-pad")
        pad.scroll_into_view_if_needed()
        box = pad.bounding_box()
        self.page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])
        expect(self.task).to_contain_text("Your point has arrived")


class Teacher:
    """The tab of a teacher, with a room that is open."""

    def __init__(self, stage: Stage):
        self.stage, self.page = stage, stage.page
        self.page.get_by_role("button", name="Class", exact=True).click()
        expect(self.dialog).to_contain_text(self.code)
        self.press("Close")

    @property
    def code(self) -> str:
        return str(self.page.get_by_test_id("room-code").inner_text())

    @property
    def strip(self):
        return self.stage.root.get_by_role("group", name="Class", exact=True)

    @property
    def board(self):
        return self.stage.root.get_by_test_id("board")

    @property
    def dialog(self):
        return self.page.get_by_role("dialog")

    def press(self, name: str) -> None:
        self.stage.root.get_by_role("button", name=name, exact=True).click()

    def ask(self, prompt: str) -> None:
        """Ask a question about the next step."""
        self.press("Ask")
        self.dialog.get_by_role("button", name=prompt).click()
        expect(self.board).to_contain_text(prompt)

    @property
    def question(self) -> Any:
        """The question that is asked, with what is right."""
        return self.page.evaluate("JSON.parse(sessionStorage.getItem('dm-class')).question")

    def ask_next(self) -> None:
        """Ask the first question about the next step that has one."""
        self.press("Ask")
        offers = self.dialog.locator(".dm-offers").get_by_role("button")
        jump = self.dialog.get_by_role("button", name="Go to step")
        expect(offers.or_(jump).first).to_be_visible()
        if jump.count():
            jump.click()
        prompt = offers.first.inner_text()
        offers.first.click()
        expect(self.board).to_contain_text(prompt)

    def collect_rows(self) -> None:
        """Collect rows on a page that takes points too."""
        self.press("Collect")
        self.dialog.get_by_role("button", name="A row: ").click()
        expect(self.board).to_contain_text("Each phone fills in one row.")

    def ask_own(self, prompt: str, kind: str, options: str = "") -> None:
        self.press("Ask")
        self.dialog.get_by_label("Question").fill(prompt)
        self.dialog.get_by_label("Answer").select_option(kind)
        if options:
            self.dialog.get_by_label("Options", exact=True).fill(options)
        self.press("Ask this")
        expect(self.board).to_contain_text(prompt)


class Crowd:
    """Phones without a browser, in a loop of their own; use it in a ``with`` statement."""

    def __init__(self, address: str, code: str, n: int):
        self.address, self.code, self.n = address, code, n

    def __enter__(self) -> Crowd:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self._do(self._join())
        return self

    def __exit__(self, *_exception: object) -> None:
        self._do(self._http.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def vote(self, answers: Sequence[Any]) -> None:
        """Let each phone give its answer to what is asked."""

        async def act() -> None:
            asked = (await self._state())["question"]
            for phone, answer in zip(self.phones, answers, strict=True):
                await phone.vote(answer, asked["id"], asked["round"])

        self._do(act())

    def give(self, rows: Sequence[Any]) -> None:
        """Let each phone give its row of what is collected."""

        async def act() -> None:
            task = (await self._state())["task"]["id"]
            for phone, row in zip(self.phones, rows, strict=True):
                await phone.post("places", task=task, row=row)

        self._do(act())

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    async def _join(self) -> None:
        self._http = browsers()
        http = await self._http.__aenter__()
        phones = [client.Phone(http, self.address, self.code) for _ in range(self.n)]
        self.phones = [await phone.join() for phone in phones]

    async def _state(self) -> dict[str, Any]:
        async with self.phones[0].events() as events:
            return await events.next("state")
