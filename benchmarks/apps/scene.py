"""A scene of the goals' size: 500 points, 100 steps, two panels, and a line of text below it."""

import numpy as np
import streamlit as st

from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.marks import Cells, Line, PerFrame, Points
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from ui.stage import stage

N_POINTS, N_STEPS, N_CENTERS = 500, 100, 5


@st.cache_data(max_entries=1)
def scene_bytes() -> bytes:
    """Return centres that drift over points, which change their class, and a curve that grows."""
    rng = np.random.default_rng(0)
    centers = rng.uniform(1, 9, (N_CENTERS, 2))
    points = centers[rng.integers(N_CENTERS, size=N_POINTS)] + rng.normal(0, 0.8, (N_POINTS, 2))
    where, labels, curve, frames = [], [], [], []
    for i in range(N_STEPS):
        centers = np.clip(centers + rng.normal(0, 0.15, centers.shape), 0, 10)
        squares = ((points[:, None] - centers) ** 2).sum(axis=2)
        where.append(centers)
        labels.append(squares.argmin(axis=1))
        curve.append(float(squares.min(axis=1).sum()))
        rows = [
            (j + 1, int((labels[-1] == j).sum()), *map(float, center))
            for j, center in enumerate(centers)
        ]
        table = LedgerTable(("centre", "rows", "x", "y"), rows, "Centres", classes=True)
        frames.append(
            Frame(
                f"Step {i}: the SSE is {curve[-1]:.6g}.", (table, Formula(f"SSE = {curve[-1]:.6g}"))
            )
        )
    x, y = (PerFrame([center[:, axis] for center in where]) for axis in (0, 1))
    marks = (
        Cells(x=x, y=y, tween=True),
        Points(x=points[:, 0], y=points[:, 1], color=PerFrame(labels), data=True),
        Points(x=x, y=y, color=np.arange(N_CENTERS), emphasis=True, tween=True),
        Line(
            panel="curve",
            x=PerFrame([np.arange(i + 1) for i in range(N_STEPS)]),
            y=PerFrame([curve[: i + 1] for i in range(N_STEPS)]),
        ),
    )
    panels = (
        Panel("data", Axis("x", -2, 12), Axis("y", -2, 12), equal=True),
        Panel(
            "curve",
            Axis("step", 0, N_STEPS, integer=True),
            Axis("SSE", 0, max(curve)),
            title="SSE",
            side=True,
        ),
    )
    return encode(Scene(panels, marks, frames), name="scene", title="Scene")


st.set_page_config(layout="wide")
data = scene_bytes()
stage(data, key="stage", on_frame=lambda: None, on_selected=lambda: None, on_edited=lambda: None)
st.caption(f"{len(data)} bytes")
