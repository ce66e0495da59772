"""Fisher's projection in words and numbers: scatter, ratios of axes, the eigen equation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.decomposition.lda_projection.fisher import Scatter, angle_between
from dmlib.decomposition.lda_projection.stages import OwnAxis, Stage
from dmlib.decomposition.vectors_ledger import matrix_table, vector_table
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num, percent, signed
from dmlib.problem import Problem

MAX_COLUMNS = 4  # of a matrix that is written out
MAX_ENTRIES = 8  # of a vector
MAX_TERMS = 4  # of a sum
MIN_RATIO = 5e-5  # below it a sentence says 0


class Narrator:
    """Captions and ledgers of Fisher's projection.

    Parameters
    ----------
    run : Run
        The run.
    scatter : Scatter
        The scatter of its rows.
    own : OwnAxis
        The axis of the reader.
    axes : sequence of ndarray of shape (n_features,)
        The axes of the answer.
    """

    def __init__(
        self,
        run: Run[Problem, LinearDiscriminantAnalysis],
        scatter: Scatter,
        own: OwnAxis,
        axes: Sequence[Floats],
    ) -> None:
        self.run, self.problem, self.scatter = run, run.problem, scatter
        self.own, self.axes = own, axes
        self.last: DiscriminantStep = run.trace.steps[-1]
        self.codes = np.unique(np.asarray(run.problem.training.y))
        values = self.last.eigenvalues
        self.values = np.empty(0) if values is None else values
        self.best = float(self.values[0]) if len(self.values) else 0.0

    def caption_and_ledger(self, stage: Stage) -> tuple[str, Blocks]:
        """Return caption and ledger; the clicked row comes first, the reader's axis last."""
        methods = {
            "mean": self._mean,
            "within": self._within,
            "between": self._between,
            "try": self._own_axis,
            "component": self._component,
            "turn": self._turn,
            "axis": self._axis,
            "done": self._done if self.axes else self._no_axis,
        }
        caption, blocks = methods[stage.phase](stage)
        axis = stage.axis
        if axis is None or (stage.phase == "done" and not self.axes):
            axis = self.own.direction
        clicked = self._clicked(axis)
        ratio = f"your axis, {self.own.angle:g}°: ratio {num(self.own.ratio)}"
        return caption, [*clicked, *blocks, Formula(f"{ratio}; the largest is {num(self.best)}")]

    # --- the two kinds of scatter ---

    def _mean(self, _: Stage) -> tuple[str, Blocks]:
        features = self.problem.features[:MAX_COLUMNS]
        last, total = self.last, int(self.last.counts.sum())
        empty = [None] * (len(features) + 1)
        rows: list[list[Any]] = [[name, *empty] for name in self.problem.classes]
        for code, n, mean in zip(self.codes, last.counts, last.means, strict=True):
            rows[code][1:] = [int(n), *map(float, mean[: len(features)])]
        head = ("class", "rows", *features)
        pairs = zip(last.counts, last.means[:, 0], strict=True)
        terms = abridged([f"{n} · {signed(mean)}" for n, mean in pairs], MAX_TERMS)
        mean = f"mean of {features[0]}: ({terms}) / {total} = {num(self.scatter.mean[0])}"
        return "The class means, and the mean of all rows.", [
            short_table(head, rows, "Class means", classes=True),
            Formula(mean),
        ]

    def _within(self, _: Stage) -> tuple[str, Blocks]:
        last, total = self.last, self.last.counts.sum()
        pairs = zip(last.counts, last.singles, strict=True)
        terms = [f"{n} / {total} · {signed(single[0, 0])}" for n, single in pairs]
        rows = "how the rows scatter around the mean of their own class"
        title = "Scatter within the classes S_W, divided by n"
        features, matrix = self.problem.features, self.scatter.within
        return f"Within: {rows}, pooled over the classes.", [
            matrix_table(features, matrix, title, MAX_COLUMNS),
            self._entry("S_W", terms, matrix),
        ]

    def _between(self, _: Stage) -> tuple[str, Blocks]:
        last, total = self.last, self.last.counts.sum()
        center = signed(float(self.scatter.mean[0]))
        pairs = zip(last.counts, last.means[:, 0], strict=True)
        terms = [f"{n} / {total} · ({num(mean)} − {center})²" for n, mean in pairs]
        k = len(self.codes)
        directions = f"at most {k - 1} {'direction' if k == 2 else 'directions'}"
        means = f"how the {k} class means scatter around the mean of all rows"
        title = "Scatter between the classes S_B, divided by n"
        features, matrix = self.problem.features, self.scatter.between
        return f"Between: {means}, in {directions}.", [
            matrix_table(features, matrix, title, MAX_COLUMNS),
            self._entry("S_B", terms, matrix),
        ]

    def _entry(self, symbol: str, terms: Sequence[str], matrix: Floats) -> Formula:
        """Return the first entry of a matrix as a sum."""
        name = self.problem.features[0]
        total = f"{abridged(terms, MAX_TERMS)} = {num(float(matrix[0, 0]))}"
        return Formula(f"{symbol}({name}, {name}) = {total}")

    # --- axes ---

    def _own_axis(self, _: Stage) -> tuple[str, Blocks]:
        share = ""
        if self.best > 0:
            share = f", {percent(min(self.own.ratio / self.best, 1.0))} of the largest"
        ratio = f"the ratio {_short(self.own.ratio)}{share}"
        caption = f"Your axis at {self.own.angle:g}° has {ratio}: turn it."
        return caption, self._ratio(self.own.direction, "u")

    def _component(self, _: Stage) -> tuple[str, Blocks]:
        axis, share = self.scatter.component
        variance = f"{percent(share)} of the variance, whatever the classes"
        ratio = _short(self.scatter.ratio(axis))
        caption = f"The first principal component holds {variance}; its ratio is {ratio}."
        return caption, self._ratio(axis, "PC1")

    def _turn(self, stage: Stage) -> tuple[str, Blocks]:
        assert stage.axis is not None
        assert stage.before is not None
        old, new = self.scatter.ratio(stage.before), self.scatter.ratio(stage.axis)
        change = f"falls to {_short(new)}"
        if new >= old:
            change = f"rises from {_short(old)} to {_short(new)}"
        angle = f"{angle_between(stage.before, stage.axis):.3g}°"
        caption = f"The axis turns by {angle}, and Fisher's ratio {change}."
        return caption, self._ratio(stage.axis, "w")

    def _axis(self, stage: Stage) -> tuple[str, Blocks]:
        j = stage.n_axes - 1
        axis, value = self.axes[j], float(self.values[j])
        angle = f"{angle_between(axis, self.scatter.component[0]):.3g}°"
        ratio = f"the ratio λ = {_short(value)}"
        caption = f"Axis {j + 1} has {ratio}, {angle} from the first principal component."
        between, within = self.scatter.between @ axis, self.scatter.within @ axis
        columns = {"w": axis, "S_B w": between, "λ S_W w": value * within}
        blocks = [
            self._vectors(columns, "Eigen equation: S_B w = λ S_W w"),
            *self._ratio(axis, "w"),
        ]
        if len(self.codes) == 2:
            axis_text = "S_W⁻¹ (μ₂ − μ₁), scaled to length 1"
            blocks.append(Formula(f"with two classes: w is {axis_text}"))
        return caption, blocks

    def _no_axis(self, _: Stage) -> tuple[str, Blocks]:
        caption = "The class means coincide, so no axis separates the classes."
        return caption, [error_table(self.problem, self.run.fitted)]

    def _done(self, _: Stage) -> tuple[str, Blocks]:
        component, _share = self.scatter.component
        best, ratio = _short(self.best), _short(self.scatter.ratio(component))
        angle = f"{angle_between(self.axes[0], component):.3g}°"
        first = f"along the best axis the ratio is {best}"
        second = f"along the first principal component {ratio}, {angle} away"
        shares = self.run.fitted.explained_variance_ratio_
        rows = []
        for j, (value, share) in enumerate(zip(self.values, shares, strict=False), start=1):
            rows.append((str(j), float(value), float(share)))
        axes = {f"w{j}": axis for j, axis in enumerate(self.axes[:MAX_COLUMNS], start=1)}
        head = ("axis", "λ = between / within", "share")
        return f"Done: {first}, {second}. {self.last.reason}".strip(), [
            short_table(head, rows, "Eigenvalues", max_rows=MAX_ENTRIES),
            self._limit(),
            self._vectors(axes, "Axes, by column"),
            error_table(self.problem, self.run.fitted),
        ]

    def _limit(self) -> Formula:
        """Return the largest number of axes."""
        k, n_features = len(self.codes), len(self.problem.features)
        limit = min(k - 1, n_features)
        numbers = f"min({k - 1}, {n_features}) = {limit}"
        axes = count(limit, "axis", "axes")
        return Formula(f"{axes}: at most min(classes − 1, columns) = {numbers}")

    # --- parts ---

    def _ratio(self, axis: Floats, name: str) -> Blocks:
        between, within = map(num, self.scatter.along(axis))
        ratio = num(self.scatter.ratio(axis))
        first = f"between: {name}′S_B {name} = {between}"
        second = f"within: {name}′S_W {name} = {within}"
        return [
            Formula(f"{first}; {second}"),
            Formula(f"Fisher's ratio: {between} / {within} = {ratio}"),
        ]

    def _clicked(self, axis: Floats) -> Blocks:
        """Return the projection of the clicked row, if there is one."""
        row = self.run.selected
        if row is None:
            return []
        x = self.problem.X[row] - self.scatter.mean
        terms = [f"{signed(a)} · {signed(b)}" for a, b in zip(x, axis, strict=True)]
        title = f"Row {self.problem.rows[row] + 1}: its score on the axis"
        return [
            self._vectors({"x − mean": x, "axis": axis, "product": x * axis}, title),
            Formula(f"t = {abridged(terms, MAX_TERMS)} = {num(x @ axis)}"),
        ]

    def _vectors(self, vectors: dict[str, Floats], title: str) -> LedgerTable:
        return vector_table(self.problem.features, vectors, title, MAX_ENTRIES)


def _short(value: float) -> str:
    """Write a ratio for a sentence; one that rounds to 0 is 0."""
    return "0" if value < MIN_RATIO else f"{value:.4g}".replace("inf", "∞")
