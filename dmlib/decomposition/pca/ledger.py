"""Principal components in words and numbers: covariances, turns, the eigen equation, shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pca.stages import Stage
from dmlib.decomposition.vectors_ledger import matrix_table, named_rows, vector_table
from dmlib.pictures.axes import along
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import count, num, num4, percent, short, signed
from dmlib.problem import Problem

MAX_ENTRIES = 6  # columns that a matrix or a vector is written out for
MAX_COMPONENTS = 4  # components whose entries stand side by side
MAX_TERMS = 3  # summands of a formula


@dataclass(frozen=True)
class OwnAxis:
    """The axis that the reader turns: it lies in the plane of the picture.

    Attributes
    ----------
    angle : float
        Against the first axis of the picture, in degrees.
    direction : ndarray of shape (n_features,)
        The unit vector.
    variance : float
        The variance of the rows projected onto it.
    best : float
        The largest variance that any axis reaches.
    """

    angle: float
    direction: Floats
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
    >>> frame = pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> axis = own_axis(problem, np.cov(problem.X.T), 0.0)
    >>> round(axis.variance, 3), round(axis.best, 3), round(axis.lost, 3)
    (12.167, 16.667, 0.27)
    """
    (direction,) = along(problem, np.array([angle]))
    best = float(np.linalg.eigvalsh(covariance)[-1])
    return OwnAxis(angle, direction, float(direction @ covariance @ direction), best)


class Narrator:
    """Captions and ledgers of principal components.

    Parameters
    ----------
    problem : Problem
        The data.
    covariance : ndarray of shape (n_features, n_features)
        Their covariance matrix.
    own : OwnAxis
        The axis of the reader.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(
        self, problem: Problem, covariance: Floats, own: OwnAxis, selected: int | None
    ) -> None:
        self.problem, self.covariance = problem, covariance
        self.own, self.selected = own, selected
        mean, deviations = problem.X.mean(axis=0), problem.X.std(axis=0, ddof=1)
        is_rounding = np.abs(mean) <= 1e-12 * deviations  # that of scores
        self.mean: Floats = np.where(is_rounding, 0.0, mean)
        self.deviations: Floats = deviations
        self.total = float(np.trace(covariance))

    def caption_and_ledger(self, stage: Stage) -> tuple[str, Blocks]:
        """Return caption and ledger; the clicked row comes first, the reader's axis last."""
        if stage.step is None or stage.before is None:
            caption, blocks = self._before(stage.phase)
        else:
            caption, blocks = self._step(stage.step, stage.before)
        if self.selected is not None:
            blocks = [*self._clicked(stage.step), *blocks]
        own, lost = self.own, max(self.own.best - self.own.variance, 0.0)
        variance = f"{num(own.variance)} of the largest variance {num(own.best)}"
        result = f"{num(lost)} = {percent(own.lost)} is lost"
        return caption, [*blocks, Formula(f"Your axis, {own.angle:g}°: {variance}; {result}.")]

    # --- before the algorithm ---

    def _before(self, phase: str) -> tuple[str, Blocks]:
        methods = {"centre": self._centre, "covariance": self._covariance, "try": self._own_axis}
        return methods[phase]()

    def _centre(self) -> tuple[str, Blocks]:
        problem, row = self.problem, self.selected or 0
        head, columns = ["column", "mean", "s"], [self.mean, self.deviations]
        if problem.shift is not None and problem.unit is not None:
            head[1:1] = ["− shift", "/ unit"]
            columns[:0] = [problem.shift, problem.unit]
        rows = named_rows(problem.features, zip(*columns, strict=True))
        title = "Columns; s is the standard deviation, n − 1"
        value = f"row {problem.rows[row] + 1}, {problem.features[0]}"
        mean = "the mean of each column is subtracted"
        caption = f"Centre: {mean}, so that every axis goes through the mean of the rows."
        return caption, [
            short_table(head, rows, title, max_rows=MAX_ENTRIES),
            Formula(f"{value}: {self._centred(row)}"),
        ]

    def _centred(self, row: int) -> str:
        """Return one value, scaled and centred."""
        x, mean = float(self.problem.X[row, 0]), float(self.mean[0])
        centred = f"{num(x)} − {signed(mean, 4)} = {num(x - mean)}"
        if self.problem.shift is None or self.problem.unit is None:
            return centred
        shift, unit = float(self.problem.shift[0]), float(self.problem.unit[0])
        scaled = f"({num(x * unit + shift)} − {signed(shift, 4)}) / {num(unit)} = {num(x)}"
        return scaled if mean == 0 else f"{scaled}; {centred}"

    def _covariance(self) -> tuple[str, Blocks]:
        names, n = self.problem.features, len(self.problem.X)
        i, j = (0, 1) if len(names) > 1 else (0, 0)
        centred = self.problem.X - self.mean
        products = float(centred[:, i] @ centred[:, j])
        terms = f"(x − {signed(self.mean[i], 4)})(y − {signed(self.mean[j], 4)})"
        quotient = f"{num(products)} / {n - 1} = {num(products / (n - 1))}"
        variances = f"{_sum(np.diag(self.covariance))} = {num(self.total)}"
        matrix = "variances and covariances of the columns"
        return f"Covariance matrix: {matrix}; it gives the variance along every axis.", [
            self._matrix(self.covariance, "Covariance matrix S"),
            Formula(f"s({names[i]}, {names[j]}) = Σ {terms} / (n − 1) = {quotient}"),
            Formula(f"Variance of all columns: {variances}"),
        ]

    def _own_axis(self) -> tuple[str, Blocks]:
        own, basis = self.own, self.problem.plane.basis
        (a, c), (_, b) = basis @ self.covariance @ basis.T
        angle = np.deg2rad(own.angle) if basis[1].any() else 0.0
        cos, sin = round(float(np.cos(angle)), 12), round(float(np.sin(angle)), 12)
        product = f"2 · {signed(cos, 4)} · {signed(sin, 4)} · {signed(c, 4)}"
        squares = f"{num4(cos)}² · {num(a)} + {product} + {signed(sin, 4)}² · {num(b)}"
        variance = f"at {own.angle:g}° the projections have the variance {num(own.variance)}"
        return f"Turn the dashed axis: {variance}, and the best axis has {num(own.best)}.", [
            Formula(f"u = (cos {own.angle:g}°, sin {own.angle:g}°) = ({num(cos)}, {num(sin)})"),
            Formula(f"u′Su = {squares} = {num(own.variance)}"),
        ]

    # --- power iteration ---

    def _step(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        if step.phase == "turn":
            return self._turn(step, before)
        methods = {"start": self._start, "found": self._component, "done": self._done}
        return methods[step.phase](step)

    def _start(self, step: PCAStep) -> tuple[str, Blocks]:
        side = " orthogonal to those found" if step.component else ""
        axis = f"Component {step.component + 1}: an axis drawn at random{side}"
        blocks: Blocks = [
            self._vectors({"w": step.axis}, "The axis w, a unit vector"),
            self._variance(step),
        ]
        if step.component:
            blocks.insert(0, self._matrix(step.covariance, "S after deflation"))
        return f"{axis}; the variance along it is {num(step.variance)}.", blocks

    def _turn(self, step: PCAStep, before: PCAStep) -> tuple[str, Blocks]:
        image = step.covariance @ before.axis
        size = float(np.linalg.norm(image))
        variances = num(before.variance), num(step.variance)
        change = f"rises from {variances[0]} to {variances[1]}"
        if variances[0] == variances[1]:
            change = f"stays {variances[1]}"
        turn = f"a turn by {np.rad2deg(step.turned):.3g}° towards S w"
        pairs = zip(step.covariance[0], before.axis, strict=True)
        terms = abridged([f"{signed(s, 4)} · {signed(w, 4)}" for s, w in pairs], MAX_TERMS)
        columns = {"w": before.axis, "S w": image, "new w": step.axis}
        return f"Iteration {step.iteration}: {turn}, and the variance {change}.", [
            self._vectors(columns, "New w = S w / ‖S w‖"),
            Formula(f"first entry of S w: {terms} = {num(image[0])}"),
            Formula(f"‖S w‖ = √({_sum(image**2)}) = {num(size)}"),
            self._variance(step),
        ]

    def _component(self, step: PCAStep) -> tuple[str, Blocks]:
        w, image, name = step.axis, step.covariance @ step.axis, self.problem.features[0]
        value, share = num(step.variance), step.variance / self.total
        iterations = count(step.iteration, "iteration", "iterations")
        component = f"Component {step.component + 1} after {iterations}"
        variance = f"λ = {value}, {percent(share)} of the variance"
        old = float(step.covariance[0, 0])
        new = old - step.variance * w[0] ** 2
        cumulative = step.variances.sum() / self.total
        columns = {"w": w, "S w": image, "λ w": step.variance * w}
        quotient = f"{value} / {num(self.total)} = {share:.4g}"
        difference = f"{num(old)} − {value} · {signed(w[0], 4)}² = {num(new)}"
        return f"{component}: {variance}. {step.reason}", [
            self._vectors(columns, "Eigen equation: S w = λ w"),
            Formula(f"share: {quotient}; cumulative: {cumulative:.4g}"),
            Formula(f"Deflation, S − λ w w′: s({name}, {name}) = {difference}"),
        ]

    def _done(self, step: PCAStep) -> tuple[str, Blocks]:
        shares = step.variances / self.total
        components = count(len(shares), "component holds", "components hold")
        columns = count(len(self.problem.features), "column", "columns")
        triples = zip(step.variances, shares, shares.cumsum(), strict=True)
        rows = [(j, *map(short, triple)) for j, triple in enumerate(triples, start=1)]
        head, title = ("component", "λ", "share", "cumulative"), "Variance explained"
        axes = enumerate(step.components[:MAX_COMPONENTS], start=1)
        (r, d), n = step.components.shape, len(self.problem.trained)
        stored = f"{n} · {r} + {r} · {d} + {d} = {n * r + r * d + d}"
        storage = f"scores, components and mean: {stored} numbers; the rows: {n} · {d} = {n * d}"
        return f"Done: {components} {percent(shares.sum())} of the variance of {columns}.", [
            Formula(f"Stored {storage}"),
            numbered_table(head, rows, title, by="component", max_rows=MAX_ENTRIES),
            self._vectors({f"w{j}": axis for j, axis in axes}, "Components, by column"),
        ]

    # --- parts ---

    def _variance(self, step: PCAStep) -> Formula:
        return Formula(f"variance along w: w′Sw = {num(step.variance)}")

    def _matrix(self, matrix: Floats, title: str) -> LedgerTable:
        return matrix_table(self.problem.features, matrix, title, MAX_ENTRIES)

    def _vectors(self, vectors: dict[str, Floats], title: str) -> LedgerTable:
        return vector_table(self.problem.features, vectors, title, MAX_ENTRIES)

    def _clicked(self, step: PCAStep | None) -> Blocks:
        """Return the clicked row on the reader's axis or on the step's, or rebuilt at the end."""
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

    def _projected(self, name: str, axis: Floats, score: str) -> Blocks:
        """Return the projection of the clicked row."""
        x = self._difference
        t, square = float(x @ axis), float(x @ x)
        title = f"Row {self.problem.rows[self.selected] + 1}: {score}"
        away = max(square - t * t, 0.0) ** 0.5
        return [
            self._vectors({"x − mean": x, name: axis, "product": x * axis}, title),
            Formula(f"t = {_sum(x * axis)} = {num(t)}"),
            Formula(f"distance to the axis: √({num(square)} − {signed(t, 4)}²) = {num(away)}"),
        ]

    def _rebuilt(self, step: PCAStep) -> Blocks:
        """Return the scores of the clicked row, and the row that they give back."""
        problem, scores = self.problem, step.components @ self._difference
        row = f"Row {problem.rows[self.selected] + 1}"
        x = problem.unscaled(problem.X[self.selected])
        back = problem.unscaled(self.mean + scores @ step.components)
        lost = np.where(np.abs(x - back) > 1e-9 * np.abs(x).max(), x - back, 0.0)
        pairs = [(str(j + 1), float(t)) for j, t in enumerate(scores)]
        head = ("component", "t = w′(x − mean)")
        away = float(np.linalg.norm(self._difference - scores @ step.components))
        space = f"distance to the space of the components, ‖x − mean − Σ t w‖ = {num(away)}"
        return [
            Formula(f"{row}: {space}"),
            short_table(head, pairs, f"{row}: scores", max_rows=MAX_ENTRIES),
            self._vectors({"x": x, "rebuilt": back, "lost": lost}, f"{row}: mean + Σ t w"),
        ]


def _sum(terms: Sequence[float] | Floats) -> str:
    """Return a sum, of many terms only the first."""
    texts = [num4(term) for term in terms[:1]]
    return abridged([*texts, *(signed(term, 4) for term in terms[1:])], MAX_ENTRIES)
