"""The arithmetic of a curve: what a degree or a knot adds, the weights of a neighbourhood, a height."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, few, numbered_table, short_table
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
ROUNDING = 1e-13  # of the largest target: errors below it are none
CERTAIN = 1e15  # condition numbers beyond it only say that no digit is left


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
        self.problem, self.model, self.errors, self.steps, self.selected = (
            problem,
            model,
            errors,
            steps,
            selected,
        )
        self.x, self.y, self.name = (
            model.places_,
            model.heights_,
            problem.features[model.column - 1],
        )
        self.middle, self.half = unit_scale(self.x)

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step = now.step
        if isinstance(step, PolynomialStep):
            caption, blocks = self._polynomial(step, now.before)
        elif isinstance(step, SplineStep):
            caption, blocks = self._spline(step, now.before)
        else:
            caption, blocks = self._local(step)
        if step.phase == "done":
            caption = f"{caption} {self._verdict()}"
        selected = [] if self.selected is None else self._row(step, self.selected)
        return caption, [*blocks, *selected]

    def _verdict(self) -> str:
        """Return how far rows that are left out are missed, and where least."""
        out, levels = (
            np.array([self._clean(error) for error in self.errors.left_out]),
            self.errors.levels,
        )
        if not np.isfinite(out).any():
            return "There are too few rows to leave one out."
        level = float(getattr(self.model, self.model.LEVEL))
        at = int(np.abs(levels - level).argmin())
        at_best = at if out[at] == np.nanmin(out) else int(np.nanargmin(out))
        best = float(levels[at_best])
        named = {
            "degree": f"degree {best:.0f}",
            "n_knots": count(int(best), "knot", "knots"),
            "span": f"a span of {best:.2f}",
        }
        least = f"{num4(out[at_best])} with {named[self.model.LEVEL]}"
        if at == at_best:
            return f"The leave-one-out error is {least}: the minimum."
        if not np.isfinite(out[at]):
            return f"The minimum leave-one-out error is {least}."
        return f"The leave-one-out error is {num4(out[at])}; its minimum is {least}."

    def _clean(self, error: float) -> float:
        """Return an error as 0 where it is nothing but rounding."""
        return 0.0 if error < ROUNDING * np.abs(self.y).max() else float(error)

    # --- polynomials ------------------------------------------------------------------------------

    def _polynomial(self, step: PolynomialStep, before: PolynomialStep) -> tuple[str, Blocks]:
        n, k = len(self.x), step.degree
        errors = (short(np.sqrt(s.sse / n)) for s in (before, step))
        if step.phase == "constant":
            return f"Degree 0 is the mean, {num4(step.coef[0])}.", [
                Formula(f"ŷ = Σ y / n = {num(step.coef[0])}")
            ]
        if step.phase == "degree":
            fall = f"{num4(before.sse)} − {signed(step.added, 4)}² = {num4(step.sse)}"
            blocks = [
                Formula(
                    f"c = Σ q y = {num(step.added)}, where q is orthogonal to all lower degrees and"
                    " Σ q² = 1"
                ),
                Formula(f"SSE = {fall}"),
            ]
            return f"Degree {k}: {changes('the RMSE', *errors)}.", [
                *blocks,
                *self._coefficients(step),
            ]
        if step.phase == "shrink":
            rise = changes("the RMSE", *errors)
            return f"The penalty shrinks the coefficients of z, z², …: {rise}.", self._coefficients(
                step
            )
        raw, scaled = condition(self.x, k)
        name = self.name
        numbers = [
            (f"1, {name}, {name}², …", _condition(raw)),
            ("1, z, z², …", _condition(scaled)),
            ("orthogonal polynomials", 1.0),
        ]
        table = short_table(
            ("columns", "condition number"), numbers, "Conditioning of the least-squares problem"
        )
        caption = f"Degree {k}: {self._rmse()}."
        return caption, [*self._equation(step), *self._coefficients(step), table]

    def _equation(self, step: PolynomialStep) -> Blocks:
        parts = [f"{signed(b, 4)} {_power(k)}".strip() for k, b in enumerate(step.powers)]
        z = f"z = ({self.name} − {num4(self.middle)}) / {num4(self.half)}"
        return [Formula(f"ŷ = {few(parts, TERMS)}, {z}")]

    def _coefficients(self, step: PolynomialStep) -> Blocks:
        free = self.steps[step.degree]  # of least squares
        shrunk = not np.array_equal(free.powers, step.powers)
        head = ("power", "least squares", "shrunk") if shrunk else ("power", "coefficient")
        rows = [
            (_power(k) or "1", short(b), short(step.powers[k]))[: len(head)]
            for k, b in enumerate(free.powers)
        ]
        return [short_table(head, rows, "Coefficients of z, from −1 to 1", most=26)]

    def _rmse(self) -> str:
        """Return the error of the rows in words, and why there is no R² if there is none."""
        error = f"RMSE {num4(self._clean(self.model.rmse_))}"
        return f"{NO_R2}; {error}" if np.isnan(self.model.r2_) else error

    # --- splines ----------------------------------------------------------------------------------

    def _spline(self, step: SplineStep, before: SplineStep) -> tuple[str, Blocks]:
        n = len(step.knots)
        errors = (short(np.sqrt(s.sse / len(self.x))) for s in (before, step))
        rows = [
            (k + 1, short(t), short(height))
            for k, (t, height) in enumerate(
                zip(step.knots, basis(step.knots, step.knots) @ step.coef, strict=True)
            )
        ]
        named = self.name
        table = numbered_table(
            ("knot", named, "height"), rows, "Knots, at quantiles of the rows", by="knot"
        )
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
            far = int((step.trust < 0.5).sum())
            rounds = Formula(
                f"robustness weight = (1 − (residual / {num4(step.spread)})²)², 0 beyond"
            )
            order = np.argsort(step.trust, kind="stable")[:NEIGHBOURS]
            numbers = self.problem.training.rows[order] + 1
            rows = [
                (int(number), short(self.y[i]), short(step.trust[i]))
                for number, i in zip(numbers, order, strict=True)
            ]
            table = numbered_table(
                ("row", self.problem.target, "trust"),
                rows,
                "Rows with the smallest robustness weights",
            )
            return (
                (
                    f"{count(far, 'row', 'rows')} far from the curve keep less than half of their"
                    " weight."
                ),
                [rounds, table],
            )
        if step.phase == "done":
            return f"Done: {self._rmse()}.", self._neighbourhood(step)
        here = f"{self.name} = {num4(step.place)}"
        return f"At {here} the local line predicts {num4(step.coef[0])}.", self._neighbourhood(step)

    def _neighbourhood(self, step: LocalStep, named: str = "") -> Blocks:
        weights = tricube(self.x, step.place, step.radius) * step.trust
        near = np.flatnonzero(weights > 0)
        near = near[np.argsort(-weights[near], kind="stable")]
        numbers = self.problem.training.rows[near[:NEIGHBOURS]] + 1
        rows = [
            (int(number), short(self.x[i]), short(weights[i]), short(self.y[i]))
            for number, i in zip(numbers, near, strict=False)
        ]
        title = (
            f"{named}: {len(near)} rows with weight"
            if named
            else f"{len(near)} rows with weight, the nearest first"
        )
        radius = num4(step.radius)
        head = ("row", self.name, "w", self.problem.target)
        terms = [f"{signed(b, 4)} {_power(k, 'u')}".strip() for k, b in enumerate(step.coef)]
        return [
            Formula(f"w = (1 − u³)³, u = |{self.name} − {num4(step.place)}| / {radius}"),
            Formula(
                f"least squares with weights w: {' + '.join(terms)}; at u = 0: {num4(step.coef[0])}"
            ),
            numbered_table(head, rows, title, most=NEIGHBOURS),
        ]

    # --- a row ------------------------------------------------------------------------------------

    def _row(self, step: Any, row: int) -> Blocks:
        """Return the height of the curve at a row's place, and what is left."""
        problem = self.problem
        x, y = float(problem.X[row, 0]), float(np.asarray(problem.y)[row])
        height = float(self.model.curve(step, np.array([x]))[0])
        rest = f"{num4(y)} − {num4(height)} = {num4(y - height)}"
        blocks: Blocks = [Formula(f"row {problem.rows[row] + 1}: residual = {rest}")]
        model = self.model
        if isinstance(model, LocalRegression):
            coef, radius, _ = model.local(self.x, self.y, np.array([x]), step.trust)
            here = LocalStep("place", x, float(radius[0]), coef[0], step.trust, step.spread)
            blocks += self._neighbourhood(here, f"Row {problem.rows[row] + 1}")
        else:
            z = (x - self.middle) / self.half
            blocks.append(
                Formula(f"z = ({num4(x)} − {num4(self.middle)}) / {num4(self.half)} = {num4(z)}")
            )
        return blocks


def _power(k: int, name: str = "z") -> str:
    digits = str(k).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return "" if k == 0 else name if k == 1 else f"{name}{digits}"


def _condition(number: float) -> Any:
    return short(number) if number < CERTAIN else "above 1e15"
