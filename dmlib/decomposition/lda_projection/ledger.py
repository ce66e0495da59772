"""What the picture of Fisher's projection says: sentences, and the arithmetic with the numbers put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.decomposition.lda_projection.fisher import Scatter, angle_between, unit
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, signed

MOST_COLUMNS = 4  # of a matrix that is written out
MOST_ENTRIES = 8  # of a vector
MOST_TERMS = 4  # of a sum
LEAST = 5e-5  # a ratio that a sentence does not call 0


@dataclass(frozen=True)
class OwnAxis:
    """The axis that the reader turns in the plane of the picture."""

    angle: float  # against the first axis of the picture, in degrees
    direction: Floats  # (n_features,): the unit vector
    ratio: float  # Fisher's ratio along it


class Teller:
    """Tells every frame of one run."""

    FIRST = 4
    """The number of the frame of the first principal component, from 0."""

    def __init__(self, run: Run, scatter: Scatter, own: OwnAxis) -> None:
        self.run, self.problem, self.scatter, self.own = run, run.problem, scatter, own
        self.last: DiscriminantStep = run.trace.steps[-1]
        self.axes: list[DiscriminantStep] = [step for step in run.trace.steps if step.phase == "axis"]
        self.codes = np.unique(np.asarray(run.problem.training.y))
        self.names = [f"mean of {run.problem.classes[code]}" for code in self.codes]
        self.means = self.last.means
        axes = self.last.scalings
        self.found: list[Floats] = [] if axes is None else [unit(axis) for axis in axes.T[: len(self.axes)]]
        values = self.last.eigenvalues
        self.best = float(values[0]) if values is not None and len(values) else 0.0

    # --- the two kinds of scatter -------------------------------------------------------------------------------------

    def mean(self) -> Frame:
        """Tell the means of the classes, and of all rows."""
        features = self.problem.features[:MOST_COLUMNS]
        every: list[list[Any]] = [[name, *[None] * (len(features) + 1)] for name in self.problem.classes]
        for code, n, mean in zip(self.codes, self.last.counts, self.means, strict=True):
            every[code] = [self.problem.classes[code], int(n), *map(float, mean[: len(features)])]
        table = short_table(("class", "rows", *features), every, "Class means", classes=True)
        terms = [f"{n} · {signed(m)}" for n, m in zip(self.last.counts, self.means[:, 0], strict=True)]
        total = int(self.last.counts.sum())
        mean = f"mean of {features[0]}: ({few(terms, MOST_TERMS)}) / {total} = {num(self.scatter.mean[0])}"
        return self._frame("mean", "The class means, and the mean of all rows.", [table, Formula(mean)])

    def within(self) -> Frame:
        """Tell the scatter within the classes."""
        terms = [
            f"{n} / {self.last.counts.sum()} · {signed(single[0, 0])}"
            for n, single in zip(self.last.counts, self.last.singles, strict=True)
        ]
        name, value = self.problem.features[0], float(self.scatter.within[0, 0])
        return self._frame(
            "within",
            "Within: how the rows scatter around the mean of their own class, pooled over the classes.",
            [
                self._matrix(self.scatter.within, "Scatter within the classes S_W, divided by n"),
                Formula(f"S_W({name}, {name}) = {few(terms, MOST_TERMS)} = {num(value)}"),
            ],
        )

    def between(self) -> Frame:
        """Tell the scatter between the classes."""
        total, mean = self.last.counts.sum(), float(self.scatter.mean[0])
        terms = [
            f"{n} / {total} · ({num(m)} − {signed(mean)})²"
            for n, m in zip(self.last.counts, self.means[:, 0], strict=True)
        ]
        name, value = self.problem.features[0], float(self.scatter.between[0, 0])
        k = len(self.codes)
        return self._frame(
            "between",
            f"Between: how the {k} class means scatter around the mean of all rows, in at most {k - 1} "
            f"{'direction' if k == 2 else 'directions'}.",
            [
                self._matrix(self.scatter.between, "Scatter between the classes S_B, divided by n"),
                Formula(f"S_B({name}, {name}) = {few(terms, MOST_TERMS)} = {num(value)}"),
            ],
        )

    # --- axes ---------------------------------------------------------------------------------------------------------

    def own_axis(self) -> Frame:
        """Tell the reader's axis."""
        reached = "" if self.best <= 0 else f", {min(self.own.ratio / self.best, 1.0):.0%} of the largest"
        caption = f"Your axis at {self.own.angle:g}° has the ratio {_short(self.own.ratio)}{reached}: turn it."
        return self._frame("try", caption, self._ratio(self.own.direction, "u"))

    def component(self) -> Frame:
        """Tell the first principal component, which does not know the classes."""
        axis, share = self.scatter.component
        caption = (
            f"The first principal component holds {share:.1%} of the variance, whatever the classes; its ratio is "
            f"{_short(self.scatter.ratio(axis))}."
        )
        return self._frame("component", caption, self._ratio(axis, "PC1"), axis)

    def turn(self, before: Floats, axis: Floats) -> Frame:
        """Tell one turn of the axis."""
        old, new = self.scatter.ratio(before), self.scatter.ratio(axis)
        grows = f"rises from {_short(old)} to {_short(new)}" if new >= old else f"falls to {_short(new)}"
        caption = f"The axis turns by {angle_between(before, axis):.3g}°, and Fisher's ratio {grows}."
        return self._frame("turn", caption, self._ratio(axis, "w"), axis)

    def axis(self, step: DiscriminantStep) -> Frame:
        """Tell an axis that is found."""
        assert step.eigenvalues is not None
        j = step.index or 0
        axis = self.found[j]
        value = float(step.eigenvalues[j])
        apart = angle_between(axis, self.scatter.component[0])
        caption = f"Axis {j + 1} has the ratio λ = {_short(value)}, {apart:.3g}° from the first principal component."
        left, right = self.scatter.between @ axis, value * (self.scatter.within @ axis)
        blocks = [
            self._vectors({"w": axis, "S_B w": left, "λ S_W w": right}, "Eigen equation: S_B w = λ S_W w"),
            *self._ratio(axis, "w"),
        ]
        if len(self.codes) == 2:
            blocks.append(Formula("with two classes: w is S_W⁻¹ (μ₂ − μ₁), scaled to length 1"))
        return self._frame("axis", caption, blocks, axis)

    def done(self) -> Frame:
        """Tell the answer."""
        if not self.axes:
            caption = "The class means coincide, so no axis separates the classes."
            return self._frame("done", caption, [error_table(self.problem, self.run.fitted)])
        values = self.axes[-1].eigenvalues
        assert values is not None
        shares = self.run.fitted.explained_variance_ratio_
        pc, _ = self.scatter.component
        first = self.found[0]
        caption = (
            f"Done: along the best axis the ratio is {_short(float(values[0]))}, along the first principal component "
            f"{_short(self.scatter.ratio(pc))}, {angle_between(first, pc):.3g}° away. {self.last.reason}"
        )
        rows = [(str(j + 1), float(v), float(share)) for j, (v, share) in enumerate(zip(values, shares, strict=False))]
        axes = {f"w{j + 1}": axis for j, axis in enumerate(self.found[:MOST_COLUMNS])}
        most = min(len(self.codes) - 1, len(self.problem.features))
        limit = f"at most min(classes − 1, columns) = min({len(self.codes) - 1}, {len(self.problem.features)}) = {most}"
        return self._frame(
            "done",
            caption.strip(),
            [
                short_table(("axis", "λ = between / within", "share"), rows, "Eigenvalues", most=MOST_ENTRIES),
                Formula(f"{count(most, 'axis', 'axes')}: {limit}"),
                self._vectors(axes, "Axes, by column"),
                error_table(self.problem, self.run.fitted),
            ],
            first,
        )

    # --- parts --------------------------------------------------------------------------------------------------------

    def _frame(self, phase: str, caption: str, blocks: Sequence[Any], axis: Floats | None = None) -> Frame:
        """Return the frame; the row that was clicked comes first, and the reader's axis last."""
        clicked = self._clicked(self.own.direction if axis is None else axis) if self.run.selected is not None else []
        own = f"your axis, {self.own.angle:g}°: ratio {num(self.own.ratio)}; the largest is {num(self.best)}"
        return Frame(caption, [*clicked, *blocks, Formula(own)], phase)

    def _ratio(self, axis: Floats, name: str) -> Blocks:
        between, within = self.scatter.along(axis)
        ratio = self.scatter.ratio(axis)
        return [
            Formula(f"between: {name}′S_B {name} = {num(between)}; within: {name}′S_W {name} = {num(within)}"),
            Formula(f"Fisher's ratio: {num(between)} / {num(within)} = {num(ratio)}"),
        ]

    def _clicked(self, axis: Floats) -> Blocks:
        """Write out the projection of the clicked row."""
        row = self.run.selected
        x = self.problem.X[row] - self.scatter.mean
        terms = [f"{signed(a)} · {signed(b)}" for a, b in zip(x, axis, strict=True)]
        title = f"Row {self.problem.rows[row] + 1}: its score on the axis"
        return [
            self._vectors({"x − mean": x, "axis": axis, "product": x * axis}, title),
            Formula(f"t = {few(terms, MOST_TERMS)} = {num(x @ axis)}"),
        ]

    def _matrix(self, matrix: Floats, title: str) -> LedgerTable:
        names = self.problem.features[:MOST_COLUMNS]
        more = "" if len(names) == len(matrix) else f" (the first {len(names)} of {len(matrix)} columns)"
        return LedgerTable(("", *names), _rows(names, matrix[: len(names), : len(names)]), title + more)

    def _vectors(self, vectors: dict[str, Floats], title: str) -> LedgerTable:
        rows = _rows(self.problem.features, zip(*vectors.values(), strict=True))
        return short_table(("column", *vectors), rows, title, most=MOST_ENTRIES)


def _rows(names: Sequence[str], numbers: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that have a name and numbers."""
    return [(name, *map(float, values)) for name, values in zip(names, numbers, strict=False)]


def _short(value: float) -> str:
    """Write a ratio for a sentence; one that rounds to 0 is 0."""
    return "0" if value < LEAST else f"{value:.4g}".replace("inf", "∞")
