"""How the page shares the window: what is in view, and how much of the window the picture takes."""

DESKTOPS = [(1366, 768), (1920, 1080)]
PHONE = (390, 844)
LARGE = 0.385  # of the window that the picture takes,
LARGER = 0.44  # on a projector, small panels beside it,
COMPACT = 0.45  # of a phone's height at most
IN_VIEW = 0.8  # of the picture while a control moves
FIRST = 4  # controls that are seen without scrolling

# The panels' boxes, cut to the window and to the navigation over it.
VISIBLE = """() => {
  const top = document.querySelector('.stAppHeader')?.getBoundingClientRect().bottom ?? 0;
  const panels = [...document.querySelectorAll('.dm-main .dm-panel')];
  const boxes = panels.map((panel) => panel.getBoundingClientRect());
  const sum = (areas) => areas.reduce((total, area) => total + area, 0);
  const within = (box) => Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, top));
  const cut = (box) => box.width * within(box);
  const area = sum(boxes.map(({ width, height }) => width * height));
  const height = sum(boxes.map((box) => box.height));
  return { share: area / innerWidth / innerHeight, view: sum(boxes.map(cut)) / area, height };
}"""
CONTROLS = "input[type=range], select, input[type=checkbox]"
MOVED = f"""(controls) => controls.map((control) => {{
  control.focus({{ preventScroll: true }});
  control.scrollIntoView({{ block: 'nearest' }});
  const box = control.getBoundingClientRect();
  const inside = box.left >= 0 && box.top >= 0
    && box.right <= innerWidth && box.bottom <= innerHeight + 1;
  return {{ name: control.name, inside, view: ({VISIBLE})().view }};
}})"""


def look(stage):
    """Return the picture's share of the window, the part of it that is in view, and its height."""
    return stage.page.evaluate(VISIBLE)


def sized(visitor, size, **options):
    """Return a visitor with a window of this size."""
    return visitor(viewport=_size(size), **options)


def resize(stage, size):
    """Give a visitor's window another size, and wait until it is laid out."""
    stage.page.set_viewport_size(_size(size))
    stage.painted()
    return stage


def inside(stage, locator):
    """Assert that something is wholly in the window."""
    box, size = locator.bounding_box(), stage.page.viewport_size
    assert box["x"] >= 0, locator
    assert box["y"] >= 0, locator
    assert box["x"] + box["width"] <= size["width"], locator
    # A pixel is not whole on every screen.
    assert box["y"] + box["height"] <= size["height"] + 1, locator


def is_large_and_needs_no_scrolling(stage):
    """Assert that a page opens with a large picture, and with all that explains and changes it."""
    assert look(stage)["share"] >= LARGE
    fields = stage.part("controls").locator(":scope > .dm-field").all()[:FIRST]
    heading = stage.page.get_by_role("heading", level=1)
    results = stage.part("results")
    for part in (
        heading,
        stage.part("player"),
        stage.part("caption"),
        *([results] if results.is_visible() else []),
        *fields,
    ):
        inside(stage, part)
    bar, title = stage.page.locator(".st-key-bar").bounding_box(), heading.bounding_box()
    assert bar["y"] < title["y"] + title["height"], "two lines"


def stays_while_any_control_moves(stage):
    """Assert that the picture is in view wherever a control is, with all sections open."""
    for moved in stage.part("controls").locator(CONTROLS).evaluate_all(MOVED):
        assert moved["inside"], moved
        assert moved["view"] >= IN_VIEW, moved


def values_are_whole(stage):
    """Assert that no value of a slider is cut off."""
    cut = "boxes => boxes.filter((b) => b.scrollWidth > b.clientWidth).map((b) => b.value)"
    assert stage.part("controls").locator(".dm-box").evaluate_all(cut) == []


def _size(size):
    return dict(zip(("width", "height"), size, strict=True))
