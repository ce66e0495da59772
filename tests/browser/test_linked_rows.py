"""Rows of the ledger and marks of the picture light each other."""

import numpy as np
import pytest

from dmlib.pictures.ledger import LedgerTable, class_table, numbered_table
from dmlib.pictures.marks import Line, Points, Raster, Rects, Segments
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from tests.browser.modules import BASE, mounted

pytestmark = pytest.mark.browser

LIT = """
  const lit = async (row) => {
    row.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    stage.paint();
    return Number(root.dataset.lit);
  };
  const { ledger } = stage.readout;
  const rows = [...ledger.querySelectorAll('tbody tr')];
"""


def linked_scene():
    points = Points(
        x=[0.2, 0.5, 0.8], y=[0.2, 0.5, 0.8], color=[0, 1, 1], numbers=[4, 7, 9], data=True
    )
    bars = Rects(
        panel="bars", x0=[0, 1], y0=[0, 0], x1=[1, 2], y1=[1, 1], color=[0, 1], numbers=[7, 4]
    )
    panels = (
        Panel("data", Axis("x", 0, 1), Axis("y", 0, 1)),
        Panel("bars", Axis("x", 0, 2), Axis("y", 0, 1)),
    )
    tables = (
        class_table(("rows",), [(1,), (2,)], "Classes"),
        numbered_table(("d", "row"), [(0.5, 9), (0.7, 4)], "Nearest"),
        LedgerTable(("row",), [(7,)]),
    )
    return Scene(panels, (points, bars), (Frame("Linked.", tables),))


def test_a_row_of_the_ledger_lights_what_it_is_about(modules):
    got = mounted(
        modules,
        linked_scene(),
        LIT + "return { lit: await Promise.all(rows.map(lit)), stops: rows.map((row) =>"
        " row.tabIndex) };",
    )
    # Class 1 is a point and a bar, class 2 two points and a bar; row 9 has no bar; the last table
    # is about nothing.
    assert got["lit"] == [2, 3, 1, 2, 0]
    assert got["stops"] == [0, -1, 0, -1, -1]


def test_a_mark_lights_the_rows_that_are_about_it(modules):
    places = mounted(
        modules,
        linked_scene(),
        """
        const { ledger } = stage.readout;
        const over = (panel, x, y) => {
          const { x: sx, y: sy } = panel.axesOnScreen;
          const { left, top } = panel.canvas.getBoundingClientRect();
          const place = { clientX: left + sx(x), clientY: top + sy(y) };
          panel.canvas.dispatchEvent(new PointerEvent('pointermove', place));
          stage.paint();
          return [...ledger.querySelectorAll('.dm-lit')].map((row) => row.textContent.trim());
        };
        return {
          point: over(stage.view.panels.get('data'), 0.8, 0.8),
          bar: over(stage.view.panels.get('bars'), 1.5, 0.5),
          parts: root.dataset.lit,
          nothing: over(stage.view.panels.get('data'), 0.05, 0.95),
        };
        """,
    )
    assert places == {"point": ["22", "0.59"], "bar": ["22", "0.74"], "parts": "2", "nothing": []}


def test_rows_without_a_column_of_numbers_and_pixels_of_an_image_light_each_other(modules):
    image = Raster(
        pixels=[0, 1, 1, 0], width=2, height=2, extent=(0, 1, 0, 1), numbers=[1, 2, 3, 3], of="cell"
    )
    table = LedgerTable(
        ("what",), [("right",), ("nothing",), ("below",)], by="cell", numbers=[2, None, 3]
    )
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    got = mounted(
        modules,
        Scene((panel,), (image,), (Frame("Linked.", (table,)),)),
        LIT
        + """
        const parts = await Promise.all(rows.map(lit));
        const { axesOnScreen: { x, y }, canvas } = stage.view.panels.get('data');
        const { left, top } = canvas.getBoundingClientRect();
        const place = { clientX: left + x(0.75), clientY: top + y(0.75) };
        canvas.dispatchEvent(new PointerEvent('pointermove', place));
        stage.paint();
        return { parts, stops: rows.map((row) => row.tabIndex),
          lit: [...ledger.querySelectorAll('.dm-lit')].map((row) => row.textContent) };
        """,
    )
    assert got == {"parts": [1, 0, 2], "stops": [0, -1, -1], "lit": ["right"]}


def test_a_line_under_the_pointer_lights_its_rows(modules):
    lines = (
        Segments(
            x0=[0.1, 0.1], y0=[0.1, 0.9], x1=[0.9, 0.9], y1=[0.1, 0.9], numbers=[1, 2], of="edge"
        ),
        Line(x=[0.1, np.nan, 0.1, 0.9], y=[0.3, np.nan, 0.5, 0.5], numbers=[3], of="edge"),
        Line(x=[0, 1], y=[0.7, 0.7]),
    )
    table = LedgerTable(("edge",), [(1,), (2,), (3,)], by="edge")
    panel = Panel("data", Axis("x", 0, 1), Axis("y", 0, 1))
    got = mounted(
        modules,
        Scene((panel,), lines, (Frame("Linked.", (table,)),)),
        """
        const { ledger } = stage.readout;
        const { axesOnScreen: { x, y }, canvas } = stage.view.panels.get('data');
        const { left, top } = canvas.getBoundingClientRect();
        const places = [[0.5, 0.1], [0.5, 0.9], [0.5, 0.5], [0.3, 0.3], [0.5, 0.7], [0.95, 0.1]];
        return places.map(([u, v]) => {
          const place = { clientX: left + x(u), clientY: top + y(v) + 2 };
          canvas.dispatchEvent(new PointerEvent('pointermove', place));
          stage.paint();
          return [...ledger.querySelectorAll('.dm-lit')].map((row) => row.textContent).join();
        });
        """,
    )
    assert got == ["1", "2", "3", "", "", ""]


def test_what_is_lit_is_drawn_not_only_coloured(modules):
    counts = mounted(
        modules,
        linked_scene(),
        LIT
        + f"""
        const {{ svgOf }} = await import('{BASE}stage/export.js');
        const paths = () => svgOf(stage.snapshot()).match(/<path/g).length;
        const before = paths();
        await lit(rows[2]);
        return [before, paths()];
        """,
    )
    assert counts[1] == counts[0] + 2  # a ring in the ink, on a rim of the background
