"""Greedy coverage as a picture: columns on a circle, joined where they stand for each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.feature_selection.coverage import CoverageStep
from dmlib.feature_selection.rows_scene import pairs_of_columns, row_values
from dmlib.feature_selection.selector import standardised
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, short_table
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Segments, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, step_panel
from dmlib.pictures.words import count, num, num4

CHOSEN, COVERED = 0, 1  # colours
KEYS = (Key("selected", CHOSEN, 0), Key("covered", COVERED, 0), Key("not covered", NO_CLASS, 0))
NAMED = 40  # columns up to which all are named


def coverage_scene(run: Run) -> Scene:
    """Draw the graph of correlated columns, and who is chosen and covered."""
    problem, trace = run.problem, run.trace
    at = thin(len(trace.steps))
    steps: list[CoverageStep] = [trace.steps[i] for i in at]
    training = problem.training
    near = run.model.neighbourhoods(training.X)
    Z = standardised(training.X)
    r = Z.T @ Z / len(Z)
    names, p = problem.features, len(problem.features)
    angle = np.pi / 2 - 2 * np.pi * np.arange(p) / p
    x, y = np.cos(angle), np.sin(angle)
    a, b = np.nonzero(np.triu(near, 1))
    states = [_colors(step) for step in steps]
    marks: list[Mark] = [
        Segments(x0=x[a], y0=y[a], x1=x[b], y1=y[b], size=0.5 + 3.0 * np.abs(r[a, b]) ** 4, of=""),
        *_star(steps, near, x, y),
        Points(
            x=x, y=y, color=PerFrame(states), symbol=[0], labels=list(problem.features),
            numbers=np.arange(p) + 1, of="column",
            size=PerFrame([np.where(step.support, 12.0, 8.0) for step in steps]),
        ),
        Texts(
            x=1.16 * x, y=1.16 * y, text=[name if p <= NAMED or i % 4 == 0 else "" for i, name in enumerate(names)],
            dy=4.0, of="",
        ),
    ]  # fmt: skip
    panel = Panel("data", Axis("", -1.5, 1.5), Axis("", -1.3, 1.3), equal=True)
    n_covered = [int(step.covered.sum()) for step in steps]
    curve = step_panel("covered", "columns", len(steps) - 1, [0, p], "Columns covered", 0.05)
    dots = Points(
        panel="covered", x=PerFrame([np.arange(i + 1) for i in range(len(steps))]),
        y=PerFrame([n_covered[: i + 1] for i in range(len(steps))]), color=[CHOSEN], symbol=[0], size=[5.0], of="",
    )  # fmt: skip
    rows = pairs_of_columns(problem, [_partner(step, near, r) for step in steps], "Rows: selected, covered")
    frames = Deferred(lambda step: _frame(run, step, near), steps)
    told = f"Columns are joined if their correlation has at least the size {num(run.model.threshold)}."
    notes = (*problem.notes, *thinned_note(at), told, "The target is not used.")
    return Scene((panel, curve, rows.panel), (*marks, dots, *rows.marks), frames, notes, (), KEYS)


def _colors(step: CoverageStep) -> np.ndarray:
    colors = np.where(step.covered, COVERED, NO_CLASS)
    return np.where(step.support, CHOSEN, colors).astype(np.uint8)


def _star(steps: Sequence[CoverageStep], near: np.ndarray, x: np.ndarray, y: np.ndarray) -> list[Mark]:
    """Return the lines from the columns chosen so far to those that they cover."""
    pairs = [[(j, i) for j in step.chosen for i in np.flatnonzero(near[j]) if i != j] for step in steps]
    ends = [np.array(each, int).reshape(-1, 2) for each in pairs]
    color = PerFrame([np.full(len(each), CHOSEN, np.uint8) for each in ends])
    places: dict[str, Any] = {
        "x0": PerFrame([x[each[:, 0]] for each in ends]),
        "y0": PerFrame([y[each[:, 0]] for each in ends]),
        "x1": PerFrame([x[each[:, 1]] for each in ends]),
        "y1": PerFrame([y[each[:, 1]] for each in ends]),
    }
    return [Segments(**places, color=color, width=2.0, of="")]


def _partner(step: CoverageStep, near: np.ndarray, r: np.ndarray) -> tuple[int, int | None]:
    """Return the column chosen last, and the one that is most like it."""
    j = step.chosen[-1] if step.chosen else 0
    others = np.abs(r[j]) * (np.arange(len(r)) != j)
    return j, int(others.argmax()) if len(r) > 1 else None


def _frame(run: Run, step: CoverageStep, near: np.ndarray) -> Frame:
    names, p = run.problem.features, len(run.problem.features)
    n = int(step.covered.sum())
    order = np.argsort(-step.gains, kind="stable")
    picked = step.chosen[-1] if step.phase == "choose" else -1
    rows = [[names[j], int(near[j].sum()) - 1, int(step.gains[j])] for j in order]
    emphasis = [i for i, j in enumerate(order) if j == picked]
    title = "Before this choice" if step.phase == "choose" else "Now"
    head, numbers = ("column", "joined to", "adds"), (order + 1).tolist()
    ledger: Blocks = [short_table(head, rows, title, emphasis, by="column", numbers=numbers)]
    ledger.append(Formula(f"covered: {n} / {p} = {n / p:.0%}"))
    if step.phase == "graph":
        caption = f"{count(int(np.triu(near, 1).sum()), 'pair', 'pairs')} of {p} columns can represent each other."
    elif step.phase == "choose":
        caption = f"{names[picked]} is selected: it covers {step.gains[picked]} more, {n} of {p} in all."
    else:
        chosen = count(len(step.chosen), "column represents", "columns represent")
        caption = f"Done: {chosen} {n} of {p}."
        best = 1 - 1 / np.e
        ledger.append(Formula(f"greedy ≥ (1 − 1/e) · best = {num4(best)} · best of {len(step.chosen)}"))
        ledger.append(Formula(step.reason))
    if run.selected is not None:
        ledger.append(row_values(run.problem, run.selected, range(p)))
    return Frame(caption, ledger, step.phase)
