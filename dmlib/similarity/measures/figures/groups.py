"""Distances between groups of rows, sets or texts, by three links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import BagsProblem
from dmlib.similarity.measures.algorithm import PairMeasure
from dmlib.similarity.measures.bags import BagSimilarity
from dmlib.similarity.measures.measures import average_link, complete_link, single_link
from dmlib.similarity.measures.mixed import DISTANCES, MixedDistances
from dmlib.similarity.measures.registry import COEFFICIENTS, METRICS

LINKS = {"single link": single_link, "complete link": complete_link, "average link": average_link}
MAX_ROWS = 120  # of a group
MAX_GROUPS, MAX_ITEMS = 8, 5

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Between:
    """The distances of pairs of groups."""

    pairs: tuple[str, ...]  # their names
    links: dict[str, list[float]]  # for each link, that of each pair
    nearest: str  # the pair with the smallest average link
    note: str  # on the groups


def between_data(run: Run[Any, PairMeasure]) -> Between:
    """Return the distances between classes, or between sets with an item and those without.

    Raises
    ------
    ValueError
        If there are no two groups.
    """
    pairs, note = _pairs(run)
    if not pairs:
        raise ValueError(
            "Distances between groups need two groups."
            " Choose a table or texts with at least two classes, or sets of which some hold an item"
            " and some do not."
        )
    space = run.model.space(run.problem.data)
    tables = [space.cross(a[:MAX_ROWS], b[:MAX_ROWS]) for a, b in pairs.values()]
    links = {name: [float(link(table)) for table in tables] for name, link in LINKS.items()}
    names = tuple(pairs)
    return Between(names, links, names[int(np.argmin(links["average link"]))], note)


Pairs = dict[str, tuple[Rows, Rows]]


def _pairs(run: Run[Any, PairMeasure]) -> tuple[Pairs, str]:
    """Return the rows of each pair of groups by its name, and a note on the groups."""
    problem = run.problem
    pairs = _class_pairs(problem)
    if pairs:
        return pairs, "The groups are the classes."
    if isinstance(problem, BagsProblem):
        note = f"The {problem.holds}s are those that about half of all hold."
        return _item_pairs(problem), note
    return {}, ""


def _class_pairs(problem: Any) -> Pairs:
    codes = getattr(problem, "y", None)
    labels = list(getattr(problem, "groups", ()))
    names = sorted(set(labels))
    if codes is not None and problem.classes:
        labels = [problem.classes[code] for code in codes]
        names = [name for name in problem.classes if name in set(labels)]
    members = {name: _rows_where(np.array(labels, object) == name) for name in names[:MAX_GROUPS]}
    pairs = combinations(members, 2)
    return {f"{plain(a)} – {plain(b)}": (members[a], members[b]) for a, b in pairs}


def _item_pairs(problem: BagsProblem) -> Pairs:
    """Return the bags with an item and those without, for items in about half of them."""
    has_item = problem.counts > 0
    shares = has_item.mean(axis=0)
    pairs = {}
    for j in np.argsort(np.abs(shares - 0.5), kind="stable")[:MAX_ITEMS]:
        if 0 < shares[j] < 1:
            name = f"with {plain(problem.items[j])} – without"
            pairs[name] = _rows_where(has_item[:, j]), _rows_where(~has_item[:, j])
    return pairs


def _rows_where(mask: NDArray[np.bool_]) -> Rows:
    return np.flatnonzero(mask)


def between_groups(run: Run[Any, PairMeasure]) -> go.Figure:
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
    match run.model:
        case BagSimilarity(coefficient=coefficient):
            x_title = f"1 − {COEFFICIENTS[coefficient]}"
        case MixedDistances(distance=distance):
            x_title = DISTANCES[distance]
        case model:
            x_title = METRICS[getattr(model, "metric", "euclidean")]
    figure.update_xaxes(title_text=x_title)
    title = f"On average {data.nearest.replace(' – ', ' and ')} are nearest to each other."
    links = "Single link: the nearest two; complete link: the farthest two; average link: all pairs"
    finish(figure, title, f"{links}. {data.note}", 170 + 60 * len(data.pairs))
    return figure.update_layout(
        barmode="group", showlegend=True, legend={"orientation": "h", "y": -0.3}, margin_l=190
    )
