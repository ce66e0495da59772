"""Unit balls of several measures, and distances between groups."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.pictures.figures.style import class_color, finish
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import METRICS, Space
from dmlib.similarity.measures.measures import average_link, complete_link, single_link
from dmlib.similarity.measures.scene import ball

POWERS = (0.5, 1.0, 1.5, 2.0, 4.0)
LINKS = {"single link": single_link, "complete link": complete_link, "average link": average_link}
MOST_ROWS = 120  # of a group


def unit_balls(run: Run) -> go.Figure:
    """Draw the points that are 1 from the origin, for several powers and for Chebyshev."""
    figure = go.Figure()
    square = np.array([[0.0, 0.0], [1.0, 1.0]])
    spaces = [(f"p = {p:g}", Space(square, "minkowski", p)) for p in POWERS]
    spaces.append(("p → ∞ (Chebyshev)", Space(square, "chebyshev", 2.0)))
    for code, (name, space) in enumerate(spaces):
        x, y = ball(space, np.zeros(2), 1.0).T
        figure.add_scatter(x=x, y=y, mode="lines", name=name, line={"color": class_color(figure, code)},
                           hovertemplate=f"{name}<br>(%{{x:.2f}}, %{{y:.2f}})<extra></extra>")  # fmt: skip
    figure.update_yaxes(scaleanchor="x", title_text="difference in the second column")
    figure.update_xaxes(title_text="difference in the first column")
    note = "Manhattan is p = 1, Euclid p = 2. A non-convex ball (p < 1) violates the triangle inequality."
    finish(figure, "All points that are 1 from the middle.", note, 520)
    return figure.update_layout(showlegend=True)


def between_groups(run: Run) -> go.Figure:
    """Draw the distances between classes by the three links.

    Raises
    ------
    ValueError
        If there are not two classes.
    """
    problem = run.problem
    known = getattr(problem, "y", None)
    if known is None or len(set(known.tolist())) < 2 or not problem.classes:
        raise ValueError("Distances between groups need classes. Choose a table with at least two classes.")
    space = run.model.space(problem.data)
    present = [c for c in range(len(problem.classes)) if (known == c).any()][:8]
    groups = {problem.classes[c]: space.X[known == c][:MOST_ROWS] for c in present}
    names = list(groups)
    pairs = [(one, other) for i, one in enumerate(names) for other in names[i + 1 :]]
    figure = go.Figure()
    tables = {pair: space.between(groups[pair[0]][:, None], groups[pair[1]]) for pair in pairs}
    for code, (name, link) in enumerate(LINKS.items()):
        figure.add_bar(
            y=[f"{one} – {other}" for one, other in pairs], x=[link(tables[pair]) for pair in pairs], name=name,
            orientation="h", marker={"color": class_color(figure, code)},
            hovertemplate=f"{name}, %{{y}}: %{{x:.4g}}<extra></extra>",
        )  # fmt: skip
    nearest = min(pairs, key=lambda pair: float(tables[pair].mean()))
    figure.update_xaxes(title_text=METRICS[space.metric])
    title = f"On average {nearest[0]} and {nearest[1]} are nearest to each other."
    finish(figure, title, "Single link: the nearest two rows; complete link: the farthest two.", 160 + 60 * len(pairs))
    return figure.update_layout(barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.3}, margin_l=170)
