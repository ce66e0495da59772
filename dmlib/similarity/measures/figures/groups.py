"""Distances between groups of rows, sets or texts, by three links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.similarity.measures.algorithm import METRICS
from dmlib.similarity.measures.bags import COEFFICIENTS
from dmlib.similarity.measures.measures import average_link, complete_link, single_link

LINKS = {"single link": single_link, "complete link": complete_link, "average link": average_link}
MOST_ROWS = 120  # of a group
MOST_GROUPS, MOST_ITEMS = 8, 5

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Between:
    """The distances of pairs of groups."""

    pairs: tuple[str, ...]  # what they are called
    links: dict[str, list[float]]  # for each link, that of each pair
    nearest: str  # the pair with the least average link
    note: str  # what the groups are


def between_data(run: Run) -> Between:
    """Measure between classes; of sets without classes, between those that hold an item and those that do not.

    Raises
    ------
    ValueError
        If there are no two groups.
    """
    pairs, note = _pairs(run)
    if not pairs:
        raise ValueError(
            "Distances between groups need two groups. Choose a table or texts with at least two"
            " classes, or sets of which some hold an item and some do not."
        )
    space = run.model.space(run.problem.data)
    tables = [space.cross(one[:MOST_ROWS], other[:MOST_ROWS]) for one, other in pairs.values()]
    links = {name: [float(link(table)) for table in tables] for name, link in LINKS.items()}
    names = tuple(pairs)
    return Between(names, links, names[int(np.argmin(links["average link"]))], note)


def _pairs(run: Run) -> tuple[dict[str, tuple[Rows, Rows]], str]:
    problem = run.problem
    known = getattr(problem, "y", None)
    of = getattr(problem, "groups", ())
    if known is not None and problem.classes:
        of = [problem.classes[code] for code in known]
        present = [name for name in problem.classes if name in set(of)]
    else:
        present = sorted(set(of))
    if len(present) > 1:
        labels = np.array(of, dtype=object)
        members = {name: np.flatnonzero(labels == name) for name in present[:MOST_GROUPS]}
        names = {
            f"{plain(a)} – {plain(b)}": (members[a], members[b])
            for a, b in combinations(members, 2)
        }
        return names, "The groups are the classes."
    if not hasattr(problem, "counts"):
        return {}, ""
    there = problem.counts > 0
    holders = there.sum(axis=0)
    halves = np.argsort(np.abs(holders - len(there) / 2), kind="stable")[:MOST_ITEMS]
    pairs = {
        f"with {plain(problem.items[j])} – without": (
            np.flatnonzero(there[:, j]),
            np.flatnonzero(~there[:, j]),
        )
        for j in halves
        if 0 < holders[j] < len(there)
    }
    return pairs, f"The {problem.holds}s are those that about half of all hold."


def between_groups(run: Run) -> go.Figure:
    """Draw the distances between groups by the three links."""
    data = between_data(run)
    figure = go.Figure()
    for code, (name, lengths) in enumerate(data.links.items()):
        figure.add_bar(
            y=list(data.pairs),
            x=lengths,
            name=name,
            orientation="h",
            marker={"color": class_color(figure, code)},
            hovertemplate=f"{name}, %{{y}}: %{{x:.4g}}<extra></extra>",
        )
    metric = getattr(run.model, "metric", "gower")
    coefficient = getattr(run.model, "coefficient", None)
    figure.update_xaxes(
        title_text=f"1 − {COEFFICIENTS[coefficient]}" if coefficient else METRICS[metric]
    )
    title = f"On average {data.nearest.replace(' – ', ' and ')} are nearest to each other."
    note = (
        "Single link: the nearest two; complete link: the farthest two; average link: all pairs."
        f" {data.note}"
    )
    finish(figure, title, note, 170 + 60 * len(data.pairs))
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.3}, margin_l=190
    )
