"""What the steps of principal components say: sentences, and the arithmetic with the numbers put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.pictures.axes import along
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, numbered_table, short_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, signed
from dmlib.problem import Problem

MOST_ENTRIES = 6  # columns that a matrix or a vector is written out for
MOST_COMPONENTS = 4  # components whose entries stand side by side
MOST_TERMS = 3  # summands of a formula


@dataclass(frozen=True)
class OwnAxis:
    """The axis that the reader turns: it lies in the plane of the picture."""

    angle: float  # against the first axis of the picture, in degrees
    direction: Floats  # (n_features,): the unit vector
    # the variance of the rows projected onto it, and the largest that any axis reaches
    variance: float
    best: float

    @property
    def lost(self) -> float:
        """The share of the best variance that is not reached."""
        return max(0.0, 1 - self.variance / self.best) if self.best > 0 else 0.0


def own_axis(problem: Problem, covariance: Floats, angle: float) -> OwnAxis:
    """Return the reader's axis with its variance.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]}), ["a", "b"])
    >>> axis = own_axis(problem, np.cov(problem.X.T), 0.0)
    >>> round(axis.variance, 3), round(axis.best, 3), round(axis.lost, 3)
    (12.167, 16.667, 0.27)
    """
    (direction,) = along(problem, np.array([angle]))
    best = float(np.linalg.eigvalsh(covariance)[-1])
    return OwnAxis(angle, direction, float(direction @ covariance @ direction), best)


class Teller:
    """Tells every frame of one run."""

    def __init__(self, problem: Problem, covariance: Floats, own: OwnAxis, selected: int | None) -> None:
        self.problem = problem
        self.covariance = covariance
        self.own = own
        self.selected = selected
        mean, deviations = problem.X.mean(axis=0), problem.X.std(axis=0, ddof=1)
        self.mean: Floats = np.where(np.abs(mean) > 1e-12 * deviations, mean, 0.0)  # that of scores is only rounding
        self.deviations: Floats = deviations
        self.total = float(np.trace(covariance))

    # --- before the algorithm -----------------------------------------------------------------------------------------

    def centre(self) -> Frame:
        """Tell how the columns are scaled and centred."""
        problem, row = self.problem, self.selected or 0
        head, columns = ["column", "mean", "s"], [self.mean, self.deviations]
        if problem.shift is not None and problem.unit is not None:
            head, columns = ["column", "− shift", "/ unit", *head[1:]], [problem.shift, problem.unit, *columns]
        table = _rows(problem.features, zip(*columns, strict=True))
        blocks: Blocks = [short_table(head, table, "Columns; s is the standard deviation, n − 1", most=MOST_ENTRIES)]
        blocks.append(Formula(f"row {problem.rows[row] + 1}, {problem.features[0]}: {self._centred(row)}"))
        caption = "Centre: the mean of each column is subtracted, so that every axis goes through the mean of the rows."
        return self._frame("centre", caption, blocks)

    def _centred(self, row: int) -> str:
        """Write out how one value is scaled and centred."""
        x, mean = float(self.problem.X[row, 0]), float(self.mean[0])
        if self.problem.shift is None or self.problem.unit is None:
            return f"{num(x)} − {signed(mean, 4)} = {num(x - mean)}"
        shift, unit = float(self.problem.shift[0]), float(self.problem.unit[0])
        scaled = f"({num(x * unit + shift)} − {signed(shift, 4)}) / {num(unit)} = {num(x)}"
        return scaled if mean == 0 else f"{scaled}; {num(x)} − {signed(mean, 4)} = {num(x - mean)}"

    def covary(self) -> Frame:
        """Tell the covariance matrix, and one entry in full."""
        names, n = self.problem.features, len(self.problem.X)
        i, j = (0, 1) if len(names) > 1 else (0, 0)
        centred = self.problem.X - self.mean
        products = float(centred[:, i] @ centred[:, j])
        blocks: Blocks = [
            self._matrix(self.covariance, "Covariance matrix S"),
            Formula(
                f"s({names[i]}, {names[j]}) = Σ (x − {signed(self.mean[i], 4)})(y − {signed(self.mean[j], 4)}) / "
                f"(n − 1) = {num(products)} / {n - 1} = {num(products / (n - 1))}"
            ),
            Formula(f"Variance of all columns: {_sum(np.diag(self.covariance))} = {num(self.total)}"),
        ]
        caption = "Covariance matrix: variances and covariances of the columns; it gives the variance along every axis."
        return self._frame("covariance", caption, blocks)

    def turn_it(self) -> Frame:
        """Tell the variance along the reader's axis, with the numbers put in."""
        own = self.own
        (a, c), (_, b) = self.problem.plane.basis @ self.covariance @ self.problem.plane.basis.T
        angle = np.deg2rad(own.angle) if self.problem.plane.basis[1].any() else 0.0
        cos, sin = round(float(np.cos(angle)), 12), round(float(np.sin(angle)), 12)
        blocks: Blocks = [
            Formula(f"u = (cos {own.angle:g}°, sin {own.angle:g}°) = ({num(cos)}, {num(sin)})"),
            Formula(
                f"u′Su = {num4(cos)}² · {num(a)} + 2 · {signed(cos, 4)} · {signed(sin, 4)} · {signed(c, 4)} + "
                f"{signed(sin, 4)}² · {num(b)} = {num(own.variance)}"
            ),
        ]
        caption = (
            f"Turn the dashed axis: at {own.angle:g}° the projections have the variance {num(own.variance)}, "
            f"and the best axis has {num(own.best)}."
        )
        return self._frame("try", caption, blocks)

    # --- power iteration ----------------------------------------------------------------------------------------------

    def step(self, step: PCAStep, before: PCAStep) -> Frame:
        """Tell a step of the power iteration."""
        tell = {"start": self._start, "turn": self._turn, "found": self._found, "done": self._done}[step.phase]
        caption, blocks = tell(step, before)
        return self._frame(step.phase, caption, blocks, step)

    def _start(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        caption = (
            f"Component {step.component + 1}: an axis drawn at random"
            f"{' orthogonal to those found' if step.component else ''}; the variance along it is "
            f"{num(step.variance)}."
        )
        blocks: Blocks = [self._vectors({"w": step.axis}, "The axis w, a unit vector"), self._variance(step)]
        if step.component:
            blocks.insert(0, self._matrix(step.covariance, "S after deflation"))
        return caption, blocks

    def _turn(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        image = step.covariance @ before.axis
        size = float(np.linalg.norm(image))
        grows = f"rises from {num(before.variance)} to {num(step.variance)}"
        stays = num(before.variance) == num(step.variance)
        caption = (
            f"Iteration {step.iteration}: a turn by {np.rad2deg(step.turned):.3g}° towards S w, and the variance "
            f"{f'stays {num(step.variance)}' if stays else grows}."
        )
        terms = [f"{signed(s, 4)} · {signed(w, 4)}" for s, w in zip(step.covariance[0], before.axis, strict=True)]
        blocks: Blocks = [
            self._vectors({"w": before.axis, "S w": image, "new w": step.axis}, "New w = S w / ‖S w‖"),
            Formula(f"first entry of S w: {few(terms, MOST_TERMS)} = {num(image[0])}"),
            Formula(f"‖S w‖ = √({_sum(image**2)}) = {num(size)}"),
            self._variance(step),
        ]
        return caption, blocks

    def _found(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        k, w, image = step.component, step.axis, step.covariance @ step.axis
        share = step.variance / self.total
        caption = (
            f"Component {k + 1} after {count(step.iteration, 'iteration', 'iterations')}: λ = {num(step.variance)}, "
            f"{share:.1%} of the variance. {step.reason}"
        )
        left = float(step.covariance[0, 0] - step.variance * w[0] ** 2)
        name = self.problem.features[0]
        blocks: Blocks = [
            self._vectors({"w": w, "S w": image, "λ w": step.variance * w}, "Eigen equation: S w = λ w"),
            Formula(
                f"share: {num(step.variance)} / {num(self.total)} = {share:.4g}; "
                f"cumulative: {step.variances.sum() / self.total:.4g}"
            ),
            Formula(
                f"Deflation, S − λ w w′: s({name}, {name}) = {num(step.covariance[0, 0])} − "
                f"{num(step.variance)} · {signed(w[0], 4)}² = {num(left)}"
            ),
        ]
        return caption, blocks

    def _done(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        shares = step.variances / self.total
        caption = (
            f"Done: {count(len(shares), 'component holds', 'components hold')} {shares.sum():.1%} of the variance "
            f"of {count(len(self.problem.features), 'column', 'columns')}."
        )
        rows = [
            (j + 1, float(value), float(share), float(so_far))
            for j, (value, share, so_far) in enumerate(zip(step.variances, shares, shares.cumsum(), strict=True))
        ]
        blocks: Blocks = [
            numbered_table(
                ("component", "λ", "share", "cumulative"), rows, "Variance explained", by="component", most=MOST_ENTRIES
            )
        ]
        few = {f"w{j + 1}": axis for j, axis in enumerate(step.components[:MOST_COMPONENTS])}
        blocks.append(self._vectors(few, "Components, by column"))
        return caption, blocks

    # --- parts --------------------------------------------------------------------------------------------------------

    def _frame(self, phase: str, caption: str, blocks: Blocks, step: PCAStep | None = None) -> Frame:
        """Return the frame; what was clicked comes first, and the reader's axis last."""
        own = self.own
        if self.selected is not None:
            blocks = [*self._clicked(step), *blocks]
        lost = own.best - own.variance
        yours = (
            f"Your axis, {own.angle:g}°: {num(own.variance)} of the largest variance {num(own.best)}; "
            f"{num(max(lost, 0.0))} = {own.lost:.1%} is lost."
        )
        return Frame(caption, [*blocks, Formula(yours)], phase)

    def _variance(self, step: PCAStep) -> Formula:
        return Formula(f"variance along w: w′Sw = {num(step.variance)}")

    def _matrix(self, matrix: Floats, title: str) -> LedgerTable:
        names = self.problem.features[:MOST_ENTRIES]
        rows = _rows(names, matrix[: len(names), : len(names)])
        more = f" (the first {len(names)} of {len(matrix)} columns)" if len(matrix) > len(names) else ""
        return LedgerTable(("", *names), rows, title + more)

    def _vectors(self, vectors: dict[str, Floats], title: str) -> LedgerTable:
        rows = _rows(self.problem.features, zip(*vectors.values(), strict=True))
        return short_table(("column", *vectors), rows, title, most=MOST_ENTRIES)

    def _clicked(self, step: PCAStep | None) -> Blocks:
        """Return the arithmetic of the clicked row: on the reader's axis, on the step's, or rebuilt at the end."""
        if step is None:
            return self._projected("u", self.own.direction, "its score on your axis")
        if step.phase == "done":
            return self._rebuilt(step)
        return self._projected("w", step.axis, "its score on the axis")

    @cached_property
    def _difference(self) -> Floats:
        """The clicked row without the mean."""
        difference: Floats = self.problem.X[self.selected] - self.mean
        return difference

    def _projected(self, name: str, axis: Floats, what: str) -> Blocks:
        """Write out the projection of the clicked row."""
        x = self._difference
        t, square = float(x @ axis), float(x @ x)
        title = f"Row {self.problem.rows[self.selected] + 1}: {what}"
        away = max(square - t * t, 0.0) ** 0.5
        return [
            self._vectors({"x − mean": x, name: axis, "product": x * axis}, title),
            Formula(f"t = {_sum(x * axis)} = {num(t)}"),
            Formula(f"distance to the axis: √({num(square)} − {signed(t, 4)}²) = {num(away)}"),
        ]

    def _rebuilt(self, step: PCAStep) -> Blocks:
        """Write out the scores of the clicked row, and the row that they give back."""
        problem, scores = self.problem, step.components @ self._difference
        row = f"Row {problem.rows[self.selected] + 1}"
        x, back = problem.X[self.selected], self.mean + scores @ step.components
        x, back = problem.unscaled(x), problem.unscaled(back)
        lost = np.where(np.abs(x - back) > 1e-9 * np.abs(x).max(), x - back, 0.0)
        pairs = [(str(j + 1), float(t)) for j, t in enumerate(scores)]
        return [
            short_table(("component", "t = w′(x − mean)"), pairs, f"{row}: scores", most=MOST_ENTRIES),
            self._vectors({"x": x, "rebuilt": back, "lost": lost}, f"{row}: mean + Σ t w"),
        ]


def _rows(names: Sequence[str], numbers: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a table that have a name and numbers."""
    return [(name, *map(float, values)) for name, values in zip(names, numbers, strict=True)]


def _sum(terms: Sequence[float] | Floats) -> str:
    """Write a sum, of many terms only the first."""
    return few([signed(term, 4) if i else num4(term) for i, term in enumerate(terms)], MOST_ENTRIES)
