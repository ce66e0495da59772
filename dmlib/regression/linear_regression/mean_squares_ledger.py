"""The captions and the arithmetic of least mean squares."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, count, num, num4, signed
from dmlib.problem import Query
from dmlib.regression.linear_regression.fit_ledger import MAX_TERMS, Fit, cell
from dmlib.regression.linear_regression.least_mean_squares import (
    RECENT,
    LeastMeanSquares,
    LeastMeanSquaresStep,
)
from dmlib.regression.linear_regression.ledger import equation
from dmlib.regression.linear_regression.result_ledger import query_blocks


class Narrator:
    """Says what the neuron does.

    Parameters
    ----------
    fit : Fit
        Least squares on the same rows.
    model : LeastMeanSquares
        The neuron, not fitted.
    query : Query or None
        What is predicted at each step.
    """

    def __init__(self, fit: Fit, model: LeastMeanSquares, query: Query | None) -> None:
        self.fit, self.rate, self.query = fit, model.learning_rate, query
        self.is_shuffled = model.order != "index"
        self.names = [*["intercept"] * model.fit_intercept, *fit.terms][:MAX_TERMS]
        self.numbers = [*[None] * model.fit_intercept, *fit.numbers][:MAX_TERMS]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment, and the prediction of the query."""
        step: LeastMeanSquaresStep = moment.step
        if step.phase == "correct":
            caption, ledger = self._correct(step, moment.before)
        elif step.phase == "done":
            caption, ledger = self._done(step)
        elif step.phase == "pass":
            caption = f"Pass {step.iteration} ends after {step.n_seen} rows: {self._recent(step)}."
            ledger = [Formula(equation(self.fit, step)), self._stability(step)]
        else:
            caption = "The neuron starts with all weights at 0, so it predicts 0 for every row."
            ledger = [Formula("e = y − ŷ; w ← w + η e x"), self._stability(step)]
        if self.query is not None:
            ledger = [*query_blocks(self.fit, step, self.query), *ledger]
        return caption, ledger

    def inputs(self, row: int) -> list[float]:
        """Return the inputs of a training row, with the 1 of the intercept."""
        data = self.fit.data
        return [*[1.0] * data.fit_intercept, *data.Z[row].tolist()]

    def _correct(
        self, step: LeastMeanSquaresStep, before: LeastMeanSquaresStep
    ) -> tuple[str, Blocks]:
        fit, row = self.fit, step.row
        assert row is not None
        name = int(fit.problem.rows[fit.problem.trained[row]]) + 1
        x, y = self.inputs(row), float(fit.data.y[row])
        shrink = 1 - step.gain / step.error * float(np.dot(x, x)) if step.error else 1.0
        left = shrink * step.error
        caption = (
            f"Row {name} has the error e = {num4(y)} − {signed(step.predicted, 4)} ="
            f" {num4(step.error)}; its correction leaves {num4(left)} of it."
        )
        old, new = (self._weights(each) for each in (before, step))
        rows = [
            (label, cell(a), cell(value), cell(b - a), cell(b))
            for label, value, a, b in zip(self.names, x, old, new, strict=False)
        ]
        products = [f"{signed(w)} · {signed(v)}" for w, v in zip(old, x, strict=True)][:MAX_TERMS]
        dots = " + …" if len(x) > MAX_TERMS else ""
        weight = float(fit.data.roots[row] ** 2)
        factor = "" if fit.data.weights is None else f" · {num(weight)}"
        of = "η e" if fit.data.weights is None else "η e · weight"
        return caption, [
            Formula(f"ŷ = {' + '.join(products)}{dots} = {num(step.predicted)}"),
            Formula(f"e = {num(y)} − {signed(step.predicted)} = {num(step.error)}"),
            Formula(f"{of} = {self.rate:.6g} · {signed(step.error)}{factor} = {num(step.gain)}"),
            LedgerTable(
                ("", "w", "x", "η e x", "new w"),
                rows,
                "w ← w + η e x",
                by="column",
                numbers=self.numbers,
            ),
            Formula(
                f"its error afterwards: e (1 − η ‖x‖²) = {num(step.error)} · {signed(shrink)} ="
                f" {num(left)}"
            ),
            Formula(self._recent(step)),
            self._stability(step),
        ]

    def _weights(self, step: LeastMeanSquaresStep) -> list[float]:
        return [*[step.intercept] * self.fit.data.fit_intercept, *step.coef.tolist()]

    def _recent(self, step: LeastMeanSquaresStep) -> str:
        n = min(step.n_seen, RECENT)
        rows = "the last row" if n == 1 else f"the last {n} rows"
        return f"the mean of e² over {rows} is {num4(step.recent)}"

    def _stability(self, step: LeastMeanSquaresStep) -> Formula:
        sign = "<" if self.rate < step.largest_step else "≥"
        return Formula(
            f"η = {self.rate:.6g} {sign} 2/λmax = {num(step.largest_step)}; 2/max‖x‖² ="
            f" {num(step.safe_step)}"
        )

    def _done(self, step: LeastMeanSquaresStep) -> tuple[str, Blocks]:
        fit = self.fit
        n = len(fit.data.y)
        ledger: Blocks = [Formula(equation(fit, step))]
        if not step.converged:
            return step.reason, [*ledger, self._stability(step)]
        passes = count(step.iteration, "pass", "passes")
        caption = (
            f"After {passes} of {n} rows, RMSE = {num4(step.rmse)}; the least squares of all rows"
            f" together has {num4(fit.model.rmse_)}"
        )
        if np.isnan(step.r2):
            caption += f"; {NO_R2}"
        weights, squares = self._weights(step), self._weights_of_squares()
        rows = [
            (name, cell(a), cell(b))
            for name, a, b in zip(self.names, weights, squares, strict=False)
        ]
        table = LedgerTable(
            ("", "w", "least squares"), rows, "Weights", by="column", numbers=self.numbers
        )
        errors = [("this neuron", step.sse), ("least squares", fit.model.sse_)]
        sums = LedgerTable(("", "SSE"), errors, "Squared errors of all rows")
        return f"{caption}.", [
            *ledger,
            table,
            sums,
            *self._last_rows(step),
            *self._test_error(step),
            self._stability(step),
        ]

    def _last_rows(self, step: LeastMeanSquaresStep) -> Blocks:
        """Compare the errors of the rows that came last, where rows come in their order."""
        if self.is_shuffled:
            return []
        data, model = self.fit.data, self.fit.model
        residuals = data.residuals(model.coef_, model.intercept_) / data.roots
        squares = float(np.mean(residuals[-RECENT:] ** 2))
        return [Formula(f"{self._recent(step)}; of least squares, {num4(squares)}")]

    def _weights_of_squares(self) -> list[float]:
        model = self.fit.model
        return [*[model.intercept_] * self.fit.data.fit_intercept, *model.coef_.tolist()]

    def _test_error(self, step: LeastMeanSquaresStep) -> Blocks:
        testing = self.fit.problem.testing
        if testing is None:
            return []
        predicted = self.fit.model.design(testing.data) @ step.coef + step.intercept
        errors = np.asarray(testing.y, float) - predicted
        rows = count(len(errors), "row", "rows")
        return [Formula(f"test set: RMSE = {num(np.sqrt(np.mean(errors**2)))} in {rows}")]
