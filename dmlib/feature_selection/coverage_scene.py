"""Greedy coverage as a picture: columns on a circle, joined if they can represent each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.feature_selection.coverage import CoverageStep
from dmlib.feature_selection.rows_scene import PairRows, row_values, shown_step
from dmlib.feature_selection.selector import standardised
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Segments, Texts
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, step_panel
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.pictures.words import count, num, num4, percent
from dmlib.problem import Problem

CHOSEN, COVERED = 0, 1  # colours
KEYS = (Key("selected", CHOSEN, 0), Key("covered", COVERED, 0), Key("not covered", NO_CLASS, 0))
MAX_NAMED = 40  # columns up to which all are named
PANEL = Panel("data", Axis("", -1.5, 1.5), Axis("", -1.3, 1.3), equal=True)


def coverage_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the graph of correlated columns, and which are selected and covered."""
    problem, steps = run.problem, run.trace.steps
    training, n_columns = problem.training, len(problem.features)
    joined = run.model.neighbourhoods(training.X)
    Z = standardised(training.X)
    graph = ColumnGraph(problem.features, joined, Z.T @ Z / len(Z))
    rows = PairRows(problem, "Rows: selected, covered")
    n_covered = [int(step.covered.sum()) for step in steps]
    last, heights = len(steps) - 1, [0, n_columns]
    curve = step_panel("covered", "columns", last, heights, "Columns covered", 0.05)

    def draw(moment: Moment) -> Drawing:
        step: CoverageStep = moment.step
        n = moment.index + 1
        dots = Points(
            panel="covered",
            x=np.arange(n),
            y=n_covered[:n],
            color=[CHOSEN],
            symbol=[0],
            size=[5.0],
            of="",
        )
        pair = graph.pair(shown_step(problem, steps, step))
        marks = (*graph.marks(step), dots, *rows.marks(pair))
        return Drawing(marks, _caption(run, step, joined), _ledger(run, step, joined), step.phase)

    threshold = num(run.model.threshold)
    rule = f"Columns are joined if their correlation has at least the size {threshold}."
    return story(
        run,
        draw,
        panels=(PANEL, curve, rows.panel),
        legend=KEYS,
        notes=(rule, "The target is not used."),
    )


class ColumnGraph:
    """The columns on a circle.

    Parameters
    ----------
    names : sequence of str
        The columns.
    joined : ndarray of bool, shape (n_features, n_features)
        Which can represent each other.
    correlations : ndarray of shape (n_features, n_features)
        Their correlations.
    """

    def __init__(
        self, names: tuple[str, ...], joined: NDArray[np.bool_], correlations: Floats
    ) -> None:
        self.names, self.joined, self.correlations = names, joined, correlations
        angle = np.pi / 2 - 2 * np.pi * np.arange(len(names)) / len(names)
        self.places = np.column_stack([np.cos(angle), np.sin(angle)])
        a, b = np.nonzero(np.triu(joined, 1))
        size = 0.5 + 3.0 * np.abs(correlations[a, b]) ** 4
        self.edges = segments_between(self.places[a], self.places[b], size=size, of="")
        self.texts = self._texts()

    def _texts(self) -> Texts:
        """Return the names, of many columns every fourth."""
        stride = 1 if len(self.names) <= MAX_NAMED else 4
        texts = [name if i % stride == 0 else "" for i, name in enumerate(self.names)]
        x, y = 1.16 * self.places.T
        return Texts(x=x, y=y, text=texts, dy=4.0, of="")

    def marks(self, step: CoverageStep) -> tuple[Mark, ...]:
        """Return the edges, those from selected columns, the columns and their names."""
        return self.edges, stars(self.places, self.joined, step), self._points(step), self.texts

    def _points(self, step: CoverageStep) -> Points:
        colors = np.where(step.covered, COVERED, NO_CLASS)
        return points_at(
            self.places,
            color=np.where(step.support, CHOSEN, colors).astype(np.uint8),
            symbol=[0],
            size=np.where(step.support, 12.0, 8.0),
            labels=list(self.names),
            numbers=np.arange(len(self.names)) + 1,
            of="column",
        )

    def pair(self, step: CoverageStep) -> tuple[int, int | None]:
        """Return the column that was selected last, and the one that is most like it."""
        j = step.chosen[-1] if step.chosen else 0
        sizes = np.abs(self.correlations[j])
        sizes[j] = 0.0
        return j, int(sizes.argmax()) if len(sizes) > 1 else None


def stars(places: Floats, joined: NDArray[np.bool_], step: CoverageStep) -> Segments:
    """Return the lines from the selected places to those that they cover."""
    pairs = [(j, i) for j in step.chosen for i in np.flatnonzero(joined[j]) if i != j]
    start, end = np.array(pairs, int).reshape(-1, 2).T
    color = np.full(len(pairs), CHOSEN, np.uint8)
    return segments_between(places[start], places[end], color=color, width=2.0, of="")


def _caption(run: Run[Problem, Any], step: CoverageStep, joined: NDArray[np.bool_]) -> str:
    names, n = run.problem.features, int(step.covered.sum())
    p = len(names)
    if step.phase == "graph":
        pairs = count(int(np.triu(joined, 1).sum()), "pair", "pairs")
        return f"{pairs} of {p} columns can represent each other."
    if step.phase == "choose":
        j = step.chosen[-1]
        return f"{names[j]} is selected: it covers {step.gains[j]} more, {n} of {p} in all."
    chosen = count(len(step.chosen), "column represents", "columns represent")
    return f"Done: {chosen} {n} of {p}."


def _ledger(run: Run[Problem, Any], step: CoverageStep, joined: NDArray[np.bool_]) -> Blocks:
    p, n = len(run.problem.features), int(step.covered.sum())
    table = gains_table(run.problem.features, step, joined, "column")
    ledger: Blocks = [table, Formula(f"covered: {n} / {p} = {percent(n / p)}")]
    if step.phase not in ("graph", "choose"):
        share = num4(1 - 1 / np.e)
        best = f"{share} · best of {len(step.chosen)}"
        ledger.append(Formula(f"greedy ≥ (1 − 1/e) · best = {best}"))
        ledger.append(Formula(step.reason))
    if run.selected is not None:
        ledger.append(row_values(run.problem, run.selected, range(p)))
    return ledger


def gains_table(
    names: Sequence[str],
    step: CoverageStep,
    joined: NDArray[np.bool_],
    of: str,
    *,
    lazy: bool = False,
) -> LedgerTable:
    """Return how much each of some columns or nodes would cover, of the lazy search at most."""
    focus, title = step.evaluated, "Now"
    if step.phase == "choose":
        focus, title = step.chosen[-1], "Before this choice"
    order = np.argsort(-step.gains, kind="stable").tolist()
    if focus is not None:  # it may have lost its place
        order = [focus, *(j for j in order if j != focus)]
    rows = [[names[j], int(joined[j].sum()) - 1, int(step.gains[j])] for j in order]
    emphasis = [] if focus is None else [0]
    head = (of, "joined to", "adds ≤" if lazy and step.phase != "done" else "adds")
    numbers = [j + 1 for j in order]
    return short_table(head, rows, title, emphasis, by=of, numbers=numbers)
