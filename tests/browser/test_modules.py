"""Unit tests of the stage's JavaScript modules, imported in the browser from the app's server."""

import base64

import numpy as np
import pytest

from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import Cells, PerFrame, Points, Raster, Segments, Texts
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene
from tests.browser.modules import BASE, call, mounted

pytestmark = pytest.mark.browser


def scene():
    return Scene(
        (Panel("data", Axis("x", 1.7e9, 1.7e9 + 1), Axis("y (μm)", 0, 1), title="Größe <b>"),),
        (
            Points(x=PerFrame([[1.7e9, 1.7e9 + 0.5], [1.7e9], [1.7e9]]), y=[0, 1], color=[255]),
            Segments(x0=[0], y0=[0], x1=[1], y1=[np.nan]),
            Cells(x=PerFrame([[0, 1], [2, 3], [np.nan, 3]]), y=[0, 1]),
        ),
        (
            Frame(
                "One.", (LedgerTable(("a", "b"), [(1, 0.1234567), (None, float("inf"))]),), "start"
            ),
            Frame("Two.", (Formula("1 + 1 = 2"),)),
            Frame("Three."),
        ),
    )


def test_rows_that_are_stored_as_changes_come_out_in_any_order(modules):
    rows = [np.arange(40.0)]
    for i in range(9):
        rows.append(np.append(rows[-1][: 40 - i], [7.0 * i] * (i % 3)))
        rows[-1][i] = 99.0
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    packed = encode(
        Scene((panel,), (Points(x=PerFrame(rows), y=[0]),), [Frame("Here.")] * len(rows))
    )
    order = [*range(10), *reversed(range(10)), 2, 8, 0]
    got = call(
        modules,
        "stage/scene.js",
        """
        const scene = m.decode(Uint8Array.from(atob(argument.packed), (c) => c.charCodeAt(0)));
        const channel = scene.marks[0].channels.x;
        const rows = argument.order.map((frame) => [...channel.at(frame)]);
        return { changes: Boolean(channel.places), rows };
        """,
        {"packed": base64.b64encode(packed).decode(), "order": order},
    )
    assert got["changes"]
    assert got["rows"] == [rows[i].tolist() for i in order]


def test_decode_reads_what_python_packs(modules):
    packed = base64.b64encode(encode(scene(), title="T", extra={"a": [1]})).decode()
    got = call(
        modules,
        "stage/scene.js",
        """
        const scene = m.decode(Uint8Array.from(atob(argument), (c) => c.charCodeAt(0)));
        const at = (frame, from = frame, t = 1) => ({ frame, from, t });
        const values = (mark, name, moment) => {
          const found = scene.marks[mark].get(name, moment);
          return found && [...found].map(String);
        };
        return {
          title: scene.title, extra: scene.extra, panels: scene.panels, frames: scene.frames,
          kinds: scene.marks.map((mark) => mark.kind),
          xs: [0, 1, 2].map((frame) => values(0, 'x', at(frame))),
          color: values(0, 'color', at(2)), missing: values(0, 'size', at(0)) ?? null,
          nan: values(1, 'y1', at(0)),
          half: values(2, 'x', at(1, 0, 0.5)), appear: values(2, 'x', at(2, 1, 0.5)),
        };
        """,
        packed,
    )
    assert got["title"] == "T"
    assert got["extra"] == {"a": [1]}
    assert got["panels"][0]["title"] == "Größe <b>"
    assert got["panels"][0]["x"] == {
        "label": "x",
        "low": 1.7e9,
        "high": 1.7e9 + 1,
        "integer": False,
        "ticks": [],
    }
    assert got["kinds"] == ["Points", "Segments", "Cells"]
    assert [list(map(float, row)) for row in got["xs"]] == [[1.7e9, 1.7e9 + 0.5], [1.7e9], [1.7e9]]
    assert got["color"] == ["255"]
    assert got["missing"] is None
    assert got["nan"] == ["NaN"]
    assert got["half"] == ["1", "2"]
    assert got["appear"][0] == "NaN"
    assert [frame["caption"] for frame in got["frames"]] == ["One.", "Two.", "Three."]
    assert got["frames"][0]["ledger"][0]["rows"] == [[1, 0.123457], [None, "inf"]]


def test_classes_have_their_own_symbols(modules):
    shapes = call(
        modules,
        "stage/theme.js",
        """
        const { path } = await import(argument);
        const shape = (index) => {
          const p = path(3);
          m.symbolOf(index).draw(p, 64);
          return String(p);
        };
        return [...Array(8).keys(), 255].map(shape);
        """,
        f"{BASE}vendor/d3.js",
    )
    assert len(set(shapes[:7])) == 7
    assert shapes[7] == shapes[0]
    assert shapes[8] == shapes[0]


def test_colours_and_symbols_repeat_together_late(modules):
    pairs = call(
        modules,
        "stage/theme.js",
        """
        const theme = m.readTheme(document.body, false);
        const isFirst = (i) => m.symbolOf(i) === m.symbolOf(0);
        return [...Array(56).keys()].map((i) => `${theme.colorOf(i)} ${isFirst(i)} ${i % 7}`);
        """,
    )
    assert len(set(pairs)) == 56


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"),
        (3, "3"),
        (-2, "\u22122"),
        (-23456, "\u221223\u202f456"),
        (1234567, "1\u202f234\u202f567"),
        (0.1, "0.1"),
        (31.7294, "31.7294"),
        (1234.56, "1234.56"),
        (-0.5, "\u22120.5"),
        (0.00001234, "1.234e\u22125"),
        (123456789012.5, "1.235e+11"),
        ("text", "text"),
        (None, ""),
    ],
)
def test_numbers_are_written_the_same_way_everywhere(modules, value, expected):
    assert call(modules, "stage/ledger.js", "return String(m.show(argument));", value) == expected


EDITOR = """
  const sent = [];
  const view = {
    root: document.createElement('div'),
    theme: { colorOf: () => 'red' },
    invalidate() {},
    focus() {},
    dataMark: undefined,
  };
  const host = { say() {}, edited: (value) => sent.push(value) };
  const editor = new m.Editor(document.createElement('div'), view, { moment: {} }, host);
  const spec = (points, rev) => ({
    panel: 'data', what: 'points', base: 'points', points, rev, open: true,
    label: 'Draw', classes: ['A', 'B'], max: 5, box: [0, 10, 0, 10], step: 0.5,
  });
  const places = () => editor.points.map(({ x, y, c }) => [x, y, c]);
  editor.load(spec([[1, 1, 0], [2, 2, 0]], 0));
"""


def test_undo_and_redo_walk_through_every_change(modules):
    walk = call(
        modules,
        "stage/edit.js",
        EDITOR
        + """
        const seen = [places()];
        editor.change([...editor.points, { x: 3, y: 3, c: 1, row: -1 }]); seen.push(places());
        editor.remove([0]); seen.push(places());
        editor.act('undo'); seen.push(places());
        editor.act('undo'); seen.push(places());
        editor.act('undo'); seen.push(places());
        editor.act('redo'); editor.act('redo'); seen.push(places());
        editor.act('undo'); editor.change([]); editor.act('redo'); seen.push(places());
        return { seen, revs: sent.map((value) => value.rev) };
        """,
    )
    first = [[1, 1, 0], [2, 2, 0]]
    second = [[1, 1, 0], [2, 2, 0], [3, 3, 1]]
    third = [[2, 2, 0], [3, 3, 1]]
    assert walk["seen"] == [first, second, third, second, first, first, third, []]
    assert walk["revs"] == sorted(set(walk["revs"]))


def test_old_answers_are_ignored_and_new_ones_taken(modules):
    got = call(
        modules,
        "stage/edit.js",
        EDITOR
        + """
        editor.change([{ x: 5, y: 5, c: 0, row: -1 }]);
        editor.change([]);
        editor.load(spec([[5, 5, 0]], 1));
        const late = places();
        editor.load(spec([[9, 9, 1]], 2));
        return [late, places(), editor.history.past.length];
        """,
    )
    assert got == [[], [[9, 9, 1]], 2]


def test_an_answer_during_a_gesture_waits(modules):
    got = call(
        modules,
        "stage/edit.js",
        EDITOR
        + """
        const before = editor.points;
        editor.pen.gesture = { tool: 'draw', before, trail: [], sent: 0, moved: true };
        editor.points = [...editor.points, { x: 7, y: 7, c: 0, row: -1 }];
        editor.load(spec([[1, 1, 0], [2, 2, 0]], 0));
        return places();
        """,
    )
    assert got == [[1, 1, 0], [2, 2, 0], [7, 7, 0]]


def test_a_scene_of_small_panels_only_is_shown(modules):
    small = Scene(
        (Panel("data", Axis("x", 0, 1), Axis("y", 0, 1), side=True),), (), (Frame("All is small."),)
    )
    assert mounted(modules, small, "return stage.readout.caption.textContent;") == "All is small."


def test_equal_regions_of_another_certainty_are_drawn_anew(modules):
    shade = PerFrame([[255] * 4, [0] * 4])
    raster = Raster(
        pixels=[0, 0, 0, 0], shade=shade, width=2, height=2, extent=(0, 1, 0, 1), opacity=1
    )
    scene = Scene(
        (Panel("data", Axis("x", 0, 1), Axis("y", 0, 1)),),
        (raster,),
        (Frame("Sure."), Frame("Unsure.")),
    )
    inks = mounted(
        modules,
        scene,
        """
        const canvas = root.querySelector('canvas');
        Object.assign(canvas.style, { width: '400px', height: '300px' });
        stage.view.panels.forEach((panel) => panel.resize());
        return [0, 1].map((frame) => {
          stage.player.go(frame);
          stage.paint();
          const [x, y] = [canvas.width / 2 + 7, canvas.height / 2 + 5];
          return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
        });
        """,
    )
    assert inks[0] != inks[1]


@pytest.mark.parametrize("radius", [2.0, 3.0])
def test_small_points_in_a_crowd_keep_their_colour(modules, radius):
    along = np.linspace(0, 1, 500)
    crowd = Points(x=along, y=along, color=[0], size=[radius], data=True)
    scene = Scene(
        (Panel("data", Axis("x", 0, 1), Axis("y", 0, 1)),), (crowd,), (Frame("A line of points."),)
    )
    lightest = mounted(
        modules,
        scene,
        """
        const canvas = root.querySelector('canvas');
        Object.assign(canvas.style, { width: '400px', height: '300px' });
        stage.view.panels.forEach((panel) => panel.resize());
        stage.paint();
        const { x, y } = stage.view.panels.get('data').axesOnScreen;
        const around = (at) => {
          const { data } = canvas.getContext('2d').getImageData(x(at) - 1, y(at) - 1, 3, 3);
          return data.filter((_, i) => i % 4 < 3);
        };
        return [0.2, 0.4, 0.6, 0.8].map((at) => Math.max(...around(at)));
        """,
    )
    assert max(lightest) < 200, "nothing but rims is left of them"


def test_a_leading_mark_is_dragged_through_the_steps(modules):
    levels = [0.9, 0.6, 0.3, 0.1]
    grip = Points(x=PerFrame([[level] for level in levels]), y=[0.5], emphasis=True, leads="x")
    scene = Scene(
        (Panel("data", Axis("x", 0, 1), Axis("y", 0, 1)),), (grip,), [Frame(f"{x}") for x in levels]
    )
    walk = mounted(
        modules,
        scene,
        """
        const panel = stage.view.panels.get('data');
        const send = (type, x) => {
          const { left, top } = panel.canvas.getBoundingClientRect();
          const axes = panel.axesOnScreen;
          const place = { clientX: left + axes.x(x), clientY: top + axes.y(0.2) };
          const event = { ...place, button: 0, isPrimary: true, bubbles: true };
          panel.canvas.dispatchEvent(new PointerEvent(type, event));
          return stage.player.frame;
        };
        panel.canvas.setPointerCapture = () => {};  // these events have no pointer
        const beside = [send('pointerdown', 0.5), send('pointermove', 0.1), send('pointerup', 0.1)];
        const along = [
          send('pointerdown', 0.9),
          ...[0.5, 0.31, 0.0, 0.95].map((x) => send('pointermove', x)),
          send('pointerup', 0.95),
          send('pointermove', 0.1),
        ];
        return { beside, along };
        """,
    )
    assert walk == {"beside": [0, 0, 0], "along": [0, 1, 2, 3, 0, 0, 0]}


def test_a_saved_picture_has_legend_handles_and_the_chosen_row(modules):
    panels = (Panel("data", Axis("x", 0, 1), Axis("y", 0, 1)),)
    rows = Points(x=[0.2, 0.8], y=[0.2, 0.8], data=True)
    handles = (Handle("query", "data", "asked here", 0.5, 0.5),)
    scene = Scene(
        panels, (rows,), (Frame("Two rows."),), handles=handles, legend=(Key("support vector", 0),)
    )
    svg = (
        f"const {{ svgOf }} = await import('{BASE}stage/export.js');"
        " return svgOf(stage.snapshot());"
    )
    plain, chosen = (mounted(modules, scene, svg, selected=selected) for selected in (None, 1))
    assert "support vector" in plain
    assert "asked here" in plain
    assert "Two rows." in plain
    assert chosen.count("<path") == plain.count("<path") + 1


TEXTS = """
  const drawn = [];
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    drawn.push({ text, x, y });
    fillText.call(this, text, x, y);
  };
  try { stage.paint(); } finally { CanvasRenderingContext2D.prototype.fillText = fillText; }
  return drawn;
"""


def test_no_text_is_written_over_another(modules):
    texts = Texts(
        x=[0.5, 0.501, 0.5, 0.9],
        y=[0.5, 0.5, 0.2, 0.5],
        text=["first", "over it", "below it", "beside it"],
    )
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    texts_drawn = [
        each["text"]
        for each in mounted(modules, Scene((panel,), (texts,), (Frame("One."),)), TEXTS)
    ]
    assert "over it" not in texts_drawn
    assert {"first", "below it", "beside it"} <= set(texts_drawn)


def test_a_text_at_the_edge_is_moved_inside_and_one_beyond_it_is_not(modules):
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))

    def place(x, text):
        mark = Texts(x=[x], y=[0.5], text=[text])
        return {
            each["text"]: each["x"]
            for each in mounted(modules, Scene((panel,), (mark,), (Frame("One."),)), TEXTS)
        }[text]

    long = "a text that is long"
    assert place(1.0, long) < place(1.0, "i") < place(1.2, "i")
    assert place(0.0, long) > place(0.0, "i") > place(-0.2, "i")
    assert place(0.5, long) == place(0.5, "i")


def test_the_name_of_a_handle_stays_inside_its_panel(modules):
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    handles = (Handle("place", "data", "at the top", x=0.5, y=1.0),)
    texts_drawn = mounted(modules, Scene((panel,), (), (Frame("One."),), handles=handles), TEXTS)
    (y,) = {each["y"] for each in texts_drawn if each["text"] == "at the top"}
    assert y > 20  # its lower end
