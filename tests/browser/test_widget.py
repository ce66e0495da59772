"""The widget of a notebook in a page that is its host."""

import base64
import json

import pytest

from dmlib import play
from dmlib.clustering import DBSCAN, KMeans

pytestmark = pytest.mark.browser
ROWS = [[0.0, 1.0], [1.0, 0.0], [9.0, 9.0], [10.0, 8.0]]
# A host as a notebook is one: it has the values, and tells both sides of changes.
HOST = """<!doctype html><meta charset="utf-8"><div id="cell"></div><script type="module">
const values = VALUES;
values.scene = new DataView(
  Uint8Array.from(atob(values.scene), (c) => c.charCodeAt(0)).buffer);
const heard = {};
globalThis.model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; heard[name]?.(); },
  save_changes: () => { globalThis.saved = { ...values, scene: null }; },
  on: (event, listener) => { heard[event.slice(7)] = listener; },
  off: () => {},
};
const { default: widget } = await import("data:text/javascript;base64,MODULE");
globalThis.end = widget.render({ model, el: document.querySelector('#cell') });
</script>"""


def host_page(widget):
    values = {
        "scene": base64.b64encode(widget.scene).decode(),
        "frame": widget.frame,
        "selected": widget.selected,
        "moved": widget.moved,
    }
    module = base64.b64encode(widget._esm.encode()).decode()
    return HOST.replace("MODULE", module).replace("VALUES", json.dumps(values))


@pytest.fixture
def host(browser):
    """Return a function that shows a widget in a page without a network."""
    contexts = []

    def arrive(widget):
        contexts.append(browser.new_context(offline=True, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.goto("about:blank")
        page.set_content(host_page(widget))
        page.add_style_tag(content=widget._css)
        page.wait_for_selector(".dm-stage[data-frame]")
        return page

    yield arrive
    for context in contexts:
        context.close()


def test_frame_and_row_come_back(host):
    page = host(play(KMeans(2, random_state=0), ROWS).widget())
    last = int(page.locator(".dm-stage").get_attribute("data-frame"))
    page.locator(".dm-stage").focus()
    page.keyboard.press("Home")
    page.wait_for_function("globalThis.saved?.frame === 0")
    page.evaluate(f"model.set('frame', {last})")
    page.wait_for_selector(f'.dm-stage[data-frame="{last}"]')
    canvas = page.locator(".dm-main canvas").first
    box = canvas.bounding_box()
    for i in range(1, 40):  # somewhere there is a point
        for j in range(1, 40):
            x, y = box["x"] + i * box["width"] / 40, box["y"] + j * box["height"] / 40
            page.mouse.move(x, y)
            if canvas.evaluate("canvas => canvas.style.cursor") == "pointer":
                page.mouse.click(x, y)
                page.wait_for_function("Number.isInteger(globalThis.saved?.selected)")
                return
    pytest.fail("no point was found")


def test_a_scene_of_the_kernel_is_shown(host):
    widget = play(KMeans(2, random_state=0), ROWS).widget()
    page = host(widget)
    widget.playback = play(DBSCAN(eps=2.0, min_samples=2), ROWS)
    scene = base64.b64encode(widget.scene).decode()
    page.evaluate(
        "scene => model.set('scene', new DataView("
        "Uint8Array.from(atob(scene), (c) => c.charCodeAt(0)).buffer))",
        scene,
    )
    frames = str(len(widget.playback.frames))
    page.wait_for_selector(f'.dm-stage[data-frames="{frames}"]')


def test_a_dragged_handle_comes_back(host):
    page = host(play(DBSCAN(eps=2.0, min_samples=2), ROWS).widget())
    page.locator(".dm-stage").focus()
    page.keyboard.press("Shift+ArrowUp")
    page.wait_for_function("globalThis.saved?.moved.name === 'eps'")
    assert page.evaluate("saved.moved.y") > 2.0
