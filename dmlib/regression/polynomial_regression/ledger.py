"""Captions and ledgers of curves: coefficients, knots, weights of a neighbourhood, errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialStep, condition
from dmlib.regression.polynomial_regression.curve import Curve, CurveErrors, unit_scale
from dmlib.regression.polynomial_regression.local_regression import (
    LocalRegression,
    LocalStep,
    tricube,
)
from dmlib.regression.polynomial_regression.natural_spline import SplineStep, basis

TERMS = 4  # of a formula
NEIGHBOURS = 12  # rows of a table
ROUNDING = 1e-13  # times the largest target: errors below it are shown as 0
MAX_CONDITION = 1e15  # condition numbers beyond it are rounding


class Narrator:
    """Captions and ledgers of a curve.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Curve
        Fitted.
    errors : CurveErrors
        Of all levels.
    steps : sequence
        Those of the run.
    selected : int or None
        The row that the reader clicked.
    """

    def __init__(
        self, problem: Problem, model: Curve, errors: CurveErrors, steps: Any, selected: int | None
    ) -> None:
        self.problem = problem
        self.model = model
        self.errors = errors
        self.steps = steps
        self.selected = selected
        self.x = model.places_
        self.y = model.heights_
        self.name = problem.features[model.column - 1]
        self.middle, self.half = unit_scale(self.x)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step = moment.step
        if isinstance(step, PolynomialStep):
            caption, ledger = self._polynomial(step, moment.before)
        elif isinstance(step, SplineStep):
            caption, ledger = self._spline(step, moment.before)
        else:
            caption, ledger = self._local(step)
        if step.phase == "done":
            caption = f"{caption} {self._verdict()}"
        if self.selected is not None:
            ledger = [*ledger, *self._row(step, self.selected)]
        return caption, ledger

    def _verdict(self) -> str:
        """Return the leave-one-out error, and the level at which it is smallest."""
        levels = self.errors.levels
        errors = np.array([self._clean(error) for error in self.errors.left_out])
        if not np.isfinite(errors).any():
            return "There are too few rows to leave one out."
        level = float(getattr(self.model, self.model.LEVEL))
        at = int(np.abs(levels - level).argmin())
        best = at if errors[at] == np.nanmin(errors) else int(np.nanargmin(errors))
        best_level = float(levels[best])
        settings = {
            "degree": f"degree {best_level:.0f}",
            "n_knots": count(int(best_level), "knot", "knots"),
            "span": f"a span of {best_level:.2f}",
        }
        minimum = f"{num4(errors[best])} with {settings[self.model.LEVEL]}"
        if at == best:
            return f"The leave-one-out error is {minimum}: the minimum."
        if not np.isfinite(errors[at]):
            return f"The minimum leave-one-out error is {minimum}."
        return f"The leave-one-out error is {num4(errors[at])}; its minimum is {minimum}."

    def _clean(self, error: float) -> float:
        """Return an error, or 0 where it is rounding."""
        return 0.0 if error < ROUNDING * np.abs(self.y).max() else float(error)

    # --- polynomials ------------------------------------------------------------------------------

    def _polynomial(self, step: PolynomialStep, before: PolynomialStep) -> tuple[str, Blocks]:
        if step.phase == "constant":
            mean = step.coef[0]
            return f"Degree 0 is the mean, {num4(mean)}.", [Formula(f"ŷ = Σ y / n = {num(mean)}")]
        errors = (short(np.sqrt(s.sse / len(self.x))) for s in (before, step))
        change = changes("the RMSE", *errors)
        coefficients = self._coefficients(step)
        if step.phase == "degree":
            orthogonal = "where q is orthogonal to all lower degrees and Σ q² = 1"
            difference = f"{num4(before.sse)} − {signed(step.added, 4)}²"
            formulas = (
                Formula(f"c = Σ q y = {num(step.added)}, {orthogonal}"),
                Formula(f"SSE = {difference} = {num4(step.sse)}"),
            )
            return f"Degree {step.degree}: {change}.", [*formulas, *coefficients]
        if step.phase == "shrink":
            return f"The penalty shrinks the coefficients of z, z², …: {change}.", coefficients
        caption = f"Degree {step.degree}: {self._rmse()}."
        return caption, [*self._equation(step), *coefficients, self._conditioning(step.degree)]

    def _conditioning(self, degree: int) -> LedgerTable:
        raw, scaled = condition(self.x, degree)
        rows = [
            (f"1, {self.name}, {self.name}², …", _condition(raw)),
            ("1, z, z², …", _condition(scaled)),
            ("orthogonal polynomials", 1.0),
        ]
        head = ("columns", "condition number")
        return LedgerTable(head, rows, "Conditioning of the least-squares problem")

    def _equation(self, step: PolynomialStep) -> Blocks:
        parts = [f"{signed(b, 4)} {_power(k)}".strip() for k, b in enumerate(step.powers)]
        z = f"z = ({self.name} − {num4(self.middle)}) / {num4(self.half)}"
        return [Formula(f"ŷ = {abridged(parts, TERMS)}, {z}")]

    def _coefficients(self, step: PolynomialStep) -> Blocks:
        least_squares = self.steps[step.degree].powers
        columns = {"coefficient": least_squares}
        if not np.array_equal(least_squares, step.powers):
            columns = {"least squares": least_squares, "shrunk": step.powers}
        head = ("power", *columns)
        rows = [
            (_power(k) or "1", *map(short, coefs))
            for k, coefs in enumerate(zip(*columns.values(), strict=True))
        ]
        return [short_table(head, rows, "Coefficients of z, from −1 to 1", max_rows=26)]

    def _rmse(self) -> str:
        """Return the error of the rows in words, and why there is no R² if there is none."""
        error = f"RMSE {num4(self._clean(self.model.rmse_))}"
        return f"{NO_R2}; {error}" if np.isnan(self.model.r2_) else error

    # --- splines ----------------------------------------------------------------------------------

    def _spline(self, step: SplineStep, before: SplineStep) -> tuple[str, Blocks]:
        n = len(step.knots)
        errors = (short(np.sqrt(s.sse / len(self.x))) for s in (before, step))
        heights = basis(step.knots, step.knots) @ step.coef
        rows = [
            (k, short(t), short(height))
            for k, (t, height) in enumerate(zip(step.knots, heights, strict=True), start=1)
        ]
        head = ("knot", self.name, "height")
        table = numbered_table(head, rows, "Knots, at quantiles of the rows", by="knot")
        pieces = count(n - 1, "piece", "pieces")
        sizes = Formula(
            f"{pieces} of degree 3: {4 * (n - 1)} coefficients − 3 · {n - 2} at the joints − 4 at"
            f" the ends = {n}"
        )
        error = Formula(f"RMSE = √(SSE / n) = √({num4(step.sse)} / {len(self.x)})")
        if step.phase == "line":
            return "Two knots are the straight line of least squares.", [error, table]
        caption = f"Done: {count(n, 'knot', 'knots')}, {self._rmse()}."
        if step.phase == "knot":
            caption = f"{count(n, 'knot', 'knots')}: {changes('the RMSE', *errors)}."
        return caption, [sizes, error, table]

    # --- local regression -------------------------------------------------------------------------

    def _local(self, step: LocalStep) -> tuple[str, Blocks]:
        if step.phase == "robust":
            return self._robust_weights(step)
        if step.phase == "done":
            return f"Done: {self._rmse()}.", self._neighbourhood(step)
        place = f"{self.name} = {num4(step.place)}"
        caption = f"At {place} the local line predicts {num4(step.coef[0])}."
        return caption, self._neighbourhood(step)

    def _robust_weights(self, step: LocalStep) -> tuple[str, Blocks]:
        outlying = count(int((step.trust < 0.5).sum()), "row", "rows")
        caption = f"{outlying} far from the curve keep less than half of their weight."
        order = np.argsort(step.trust, kind="stable")[:NEIGHBOURS]
        rows = [
            (int(self.problem.training.rows[i]) + 1, short(self.y[i]), short(step.trust[i]))
            for i in order
        ]
        head = ("row", self.problem.target, "trust")
        weight = f"(1 − (residual / {num4(step.spread)})²)², 0 beyond"
        return caption, [
            Formula(f"robustness weight = {weight}"),
            numbered_table(head, rows, "Rows with the smallest robustness weights"),
        ]

    def _neighbourhood(self, step: LocalStep, name: str = "") -> Blocks:
        weights = tricube(self.x, step.place, step.radius) * step.trust
        neighbours = np.flatnonzero(weights > 0)
        neighbours = neighbours[np.argsort(-weights[neighbours], kind="stable")]
        rows = [
            (
                int(self.problem.training.rows[i]) + 1,
                short(self.x[i]),
                short(weights[i]),
                short(self.y[i]),
            )
            for i in neighbours[:NEIGHBOURS]
        ]
        title = f"{len(neighbours)} rows with weight"
        title = f"{name}: {title}" if name else f"{title}, the nearest first"
        radius = num4(step.radius)
        head = ("row", self.name, "w", self.problem.target)
        terms = [f"{signed(b, 4)} {_power(k, 'u')}".strip() for k, b in enumerate(step.coef)]
        return [
            Formula(f"w = (1 − u³)³, u = |{self.name} − {num4(step.place)}| / {radius}"),
            Formula(
                f"least squares with weights w: {' + '.join(terms)}; at u = 0: {num4(step.coef[0])}"
            ),
            numbered_table(head, rows, title, max_rows=NEIGHBOURS),
        ]

    # --- a row ------------------------------------------------------------------------------------

    def _row(self, step: Any, row: int) -> Blocks:
        """Return the residual of a row, with its neighbourhood or its scaled place."""
        problem, model = self.problem, self.model
        x = float(problem.X[row, 0])
        y = float(np.asarray(problem.y)[row])
        height = float(model.curve(step, np.array([x]))[0])
        residual = f"{num4(y)} − {num4(height)} = {num4(y - height)}"
        ledger: Blocks = [Formula(f"row {problem.rows[row] + 1}: residual = {residual}")]
        if isinstance(model, LocalRegression):
            coef, radius, _ = model.local(self.x, self.y, np.array([x]), step.trust)
            local = LocalStep("place", x, float(radius[0]), coef[0], step.trust, step.spread)
            return [*ledger, *self._neighbourhood(local, f"Row {problem.rows[row] + 1}")]
        z = (x - self.middle) / self.half
        scaled = f"({num4(x)} − {num4(self.middle)}) / {num4(self.half)}"
        return [*ledger, Formula(f"z = {scaled} = {num4(z)}")]


def _power(k: int, name: str = "z") -> str:
    if k < 2:
        return name * k
    return name + str(k).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _condition(number: float) -> Any:
    return short(number) if number < MAX_CONDITION else "above 1e15"
