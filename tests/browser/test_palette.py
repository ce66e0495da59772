"""Marks with colours of their own, as the browser draws them."""

import pytest

from dmlib.pictures.marks import PerFrame, Points, Raster, Rects
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from tests.browser.modules import BASE, mounted

pytestmark = pytest.mark.browser

COLOURS = """
  const canvas = root.querySelector('canvas');
  Object.assign(canvas.style, { width: '400px', height: '300px' });
  stage.view.panels.forEach((panel) => panel.resize());
  const { x, y } = [...stage.view.panels.values()][0].view(1);
  const pixel = (length) => Math.round(length * devicePixelRatio);
  const ink = (u, v) => {
    const { data } = canvas.getContext('2d').getImageData(pixel(x(u)), pixel(y(v)), 1, 1);
    return [...data].slice(0, 3);
  };
"""


def test_a_palette_gives_an_image_its_own_colours_in_every_frame(modules):
    palette = [
        [0] * 900 + [255, 0, 0],
        [0] * 900 + [0, 0, 255],
    ]  # colour 300: more than a byte can count
    # The last two differ in one pixel: a change is sent.
    pixels = PerFrame([[300] * 64, [300] * 64, [0] + [300] * 63])
    raster = Raster(
        pixels=pixels,
        palette=PerFrame([palette[0], palette[1], palette[1]]),
        width=8,
        height=8,
        extent=(0, 8, 0, 8),
        opacity=1,
    )
    scene = Scene(
        (Panel("data", Axis("x", 0, 8), Axis("y", 0, 8)),),
        (raster,),
        (Frame("R."), Frame("B."), Frame("K.")),
    )
    got = mounted(
        modules,
        scene,
        COLOURS
        + """
        const found = [0, 1, 2].map((frame) => {
          stage.player.go(frame);
          stage.paint();
          return [ink(0.5, 7.5), ink(4.5, 4.5)];
        });
        """
        + f"const {{ svgOf }} = await import('{BASE}stage/export.js'); return [found,"
        " svgOf(stage.snapshot())];",
    )
    red, blue, black = [255, 0, 0], [0, 0, 255], [0, 0, 0]
    assert got[0] == [[red, red], [blue, blue], [black, blue]]
    assert 'image-rendering="pixelated"' in got[1]


def test_points_and_bars_may_have_colours_of_their_own(modules):
    own = {"color": [1, 0], "palette": [255, 0, 0, 0, 128, 0]}
    marks = (
        Points(x=[2, 6], y=[6, 6], size=[9], symbol=[0], **own),
        Rects(x0=[1, 5], y0=[1, 1], x1=[3, 7], y1=[3, 3], **own),
    )
    scene = Scene((Panel("data", Axis("x", 0, 8), Axis("y", 0, 8)),), marks, (Frame("Own."),))
    got = mounted(
        modules,
        scene,
        COLOURS
        + "stage.paint(); return [[2, 6], [6, 6], [2, 2], [6, 2]].map(([u, v]) => ink(u, v));",
    )
    assert got == [[0, 128, 0], [255, 0, 0]] * 2
