"""A file dropped on the page, and the panel of the data beside the picture."""

import pytest
from playwright.sync_api import expect

from tests.browser.modules import call

pytestmark = pytest.mark.browser

TABLE = "height,weight\n" + "".join(f"{150 + i},{50 + i * i % 40}\n" for i in range(30))
DRAG = """([files, events]) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([text], name));
  const options = { bubbles: true, cancelable: true, dataTransfer: transfer };
  for (const name of events) document.body.dispatchEvent(new DragEvent(name, options));
}"""


def drag(stage, *files, events=("dragenter", "dragover", "drop")):
    """Drag files over the page, and drop them."""
    stage.page.evaluate(DRAG, [files, events])


def data_line(stage):
    return stage.page.locator(".st-key-data-line")


def test_a_file_is_dropped_anywhere(stage):
    stage.open("kmeans")
    overlay = stage.page.locator(".dm-drop")
    drag(stage, ["people.csv", TABLE], events=("dragenter", "dragover"))
    expect(overlay).to_have_text("Drop the file: it is read here, and not stored.")
    expect(overlay).not_to_be_visible()  # the file has left the page
    drag(stage, ["people.csv", TABLE])
    expect(data_line(stage)).to_have_text("people.csv · height × weight · 30 rows")
    ink = stage.settle().ink()
    drag(stage, ["bad.csv", ""])
    refusal = stage.page.locator(".st-key-refusal")
    expect(refusal).to_contain_text("bad.csv · The file is empty.")
    stage.settle()
    drag(stage, ["a.csv", TABLE], ["b.csv", TABLE])
    expect(refusal).to_contain_text("Several files cannot be read at once.")
    refusal.get_by_role("button", name="Dismiss").click()
    expect(refusal).to_have_count(0)
    assert stage.settle().ink() == ink


def test_a_closed_panel_does_not_bring_back_what_was_chosen_before(stage):
    stage.open("kmeans")
    stage.data().get_by_role("radio", name="Generate").click()
    expect(data_line(stage)).to_contain_text("Round groups")
    stage.settle().close_data()
    drag(stage, ["people.csv", TABLE])
    expect(data_line(stage)).to_contain_text("people.csv")
    stage.settle().page.locator(".st-key-projector").get_by_text("Projector").click()
    expect(stage.page.locator(".dm-projector")).to_be_visible()
    stage.settle()
    expect(data_line(stage)).to_contain_text("people.csv")
    expect(stage.data().get_by_role("radio", name="File")).to_be_checked()


def test_a_page_without_files_says_so(stage):
    stage.open("gradient_descent")
    drag(stage, ["people.csv", TABLE], events=("dragenter", "dragover"))
    expect(stage.page.locator(".dm-drop")).to_contain_text("This page takes no file.")


def test_the_panel_of_the_data_covers_neither_picture_nor_player(visitor):
    stage = visitor(viewport={"width": 1366, "height": 768}).open("kmeans")
    parts = (stage.canvas(), stage.part("player"))
    tops = [part.bounding_box()["y"] for part in parts]
    panel = stage.data().bounding_box()
    stage.settle()
    for part, top in zip(parts, tops, strict=True):
        box = part.bounding_box()
        assert box["x"] >= panel["x"] + panel["width"]
        assert box["y"] <= top + 1
    stage.data().get_by_role("radio", name="File").click()
    expect(stage.data().get_by_role("button", name="Upload", exact=True)).to_be_visible()


TWO_DROPS = (
    DRAG.replace("([files, events]) =>", "const drag = ([files, events]) =>")
    + """
  const uploader = () => {
    const box = Object.assign(document.createElement('div'), { className: 'st-key-dropped' });
    const input = box.appendChild(Object.assign(document.createElement('input'), { type: 'file' }));
    document.body.append(box);
    return { box, input, change: new Promise((done) => input.addEventListener('change', done)) };
  };
  const names = (input) => [...input.files].map(({ name }) => name);
  const data = { accepts: true, megabytes: 1, sentence: '' };
  const end = m.default({ data, parentElement: document.body, setTriggerValue() {} });
  const first = uploader();
  for (const name of ['a.csv', 'b.csv', 'c.csv']) drag([[[name, 'x']], ['drop']]);
  const given = [];
  let current = first;
  for (let i = 0; i < 3; i += 1) {
    await current.change;
    for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
    given.push(names(current.input));  // nothing else came while it was there
    current.box.remove();
    current = uploader();
  }
  current.box.remove();
  end();
  return given;
"""
)


def test_files_wait_until_the_server_has_taken_those_before(modules):
    assert call(modules, "drop.js", TWO_DROPS) == [["a.csv"], ["b.csv"], ["c.csv"]]


def test_of_files_that_are_dropped_at_once_the_last_is_shown(stage):
    stage.open("kmeans")
    sent = []
    stage.page.on("request", lambda request: sent.append(request.method))
    stage.page.evaluate(
        f"(drops) => drops.forEach({DRAG})",
        [[[[name, TABLE]], ["dragenter", "drop"]] for name in ("a.csv", "b.csv", "c.csv")],
    )
    expect(data_line(stage)).to_contain_text("c.csv")
    stage.settle()
    expect(data_line(stage)).to_contain_text("c.csv")
    assert sent.count("PUT") == 3
