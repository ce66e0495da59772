"""A Bayesian network is drawn: by mouse and by finger, as text, and in a link."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# The places of the nodes on the screen, by their names, once the stage says where its panel is.
PLACES = """() => new Promise((done) => {
  document.addEventListener('dm-scene', ({ detail: { view, editor: { points, spec } } }) => {
    const panel = view.panels.get('network');
    const { x, y } = panel.axesOnScreen;
    const { left, top } = panel.canvas.getBoundingClientRect();
    done(Object.fromEntries(points.map((point, i) => [
      spec.names[i], [left + x(point.x), top + y(point.y)]])));
  }, { once: true });
  document.dispatchEvent(new Event('dm-call'));
})"""
NETWORK = {
    "bayesian_network.method": "Query a network",
    "source": "draw",
    "network.table": "titanic",
    "network.laplace": "0.0",
    "learned_network.target": "survived",
    "learned_network.observed.sex": "female",
}


class Network:
    """A stage with a network that is drawn."""

    def __init__(self, stage, edges):
        self.stage = stage.open("bayesian_network", **NETWORK, **{"network.edges": edges})
        self.places = stage.page.evaluate(PLACES)

    def drag(self, first, last):
        mouse = self.stage.page.mouse
        mouse.move(*self.places[first])
        mouse.down()
        mouse.move(*self.places[last], steps=5)
        mouse.up()
        return self

    def click(self, *names):
        """Click the middle between nodes."""
        places = [self.places[name] for name in names]
        self.stage.page.mouse.click(*(sum(each) / len(each) for each in zip(*places, strict=True)))
        return self

    def has(self, edges):
        """Wait until the link has these edges, in any order, and the picture is that of them."""
        self.stage.page.wait_for_function(
            """edges => (new URL(location).searchParams.get('network.edges') ?? '')
              .split('; ').sort().join('; ') === edges""",
            arg="; ".join(sorted(edges.split("; "))),
        )
        self.stage.settle()
        return self


@pytest.fixture
def network(stage):
    return Network(stage, "survived")


def test_three_edges_are_drawn_and_a_cycle_is_refused(network, visitor):
    stage = network.stage
    assert "0.323 for yes" in stage.caption  # 711 of 2201
    network.drag("sex", "survived").has("sex -> survived")
    assert "0.7319 for yes" in stage.caption  # 344 of 470
    network.drag("class", "survived").has("sex -> survived; class -> survived")
    assert "0.7541 for yes" in stage.caption  # the mean of four shares, by the sizes of the classes
    edges = "sex -> survived; class -> survived; class -> sex"
    network.drag("class", "sex").has(edges)
    assert "0.7319 for yes" in stage.caption
    network.click("survived", "sex").has("class -> survived; survived -> sex; class -> sex")
    network.drag("sex", "class")
    expect(stage.part("caption")).to_have_text(
        "This edge would close a cycle: sex → class → survived → sex."
        " Turn or remove one of the others first."
    )
    network.has("class -> survived; survived -> sex; class -> sex")
    stage.tool("undo")
    network.has(edges)
    assert visitor().go(stage.page.url).state() == stage.settle().state()
    stage.press("Control+z")
    network.has("sex -> survived; class -> survived")


def test_what_is_drawn_is_typed_and_what_is_typed_is_drawn(network):
    stage = network.stage
    network.drag("sex", "survived").has("sex -> survived")
    field = stage.data().get_by_role("textbox", name=re.compile("^Edges"))
    expect(field).to_have_value("sex -> survived")
    field.fill("sex -> survived; age -> survived")
    field.press("Enter")
    network.has("sex -> survived; age -> survived")
    stage.close_data()
    network.drag("age", "survived").has("sex -> survived; age")
    stage.tool("tool:erase")
    network.click("age").has("sex -> survived")
    network.click("sex", "survived").has("survived; sex")
    stage.tool("clear")
    network.has("survived")
    stage.tool("undo").tool("undo")
    network.has("sex -> survived")


def test_nodes_are_joined_by_clicks_and_taken_out_by_a_key(network):
    network.click("class").click("survived").has("class -> survived")
    network.click("class").stage.press("Delete")
    network.has("survived")


def test_fingers_draw_on_a_phone(visitor):
    stage = visitor(has_touch=True, viewport={"width": 390, "height": 844})
    network = Network(stage, "survived")
    fingers = stage.page.context.new_cdp_session(stage.page)
    (x0, y0), (x1, y1) = network.places["sex"], network.places["survived"]
    for kind, share in (("Start", 0), ("Move", 0.5), ("Move", 1), ("End", None)):
        place = {"x": x0 + (share or 0) * (x1 - x0), "y": y0 + (share or 0) * (y1 - y0)}
        points = [] if kind == "End" else [place]
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    network.has("sex -> survived")
    assert "0.7319 for yes" in stage.caption
    stage.page.touchscreen.tap((x0 + x1) / 2 + 10, (y0 + y1) / 2)
    network.has("survived -> sex")
