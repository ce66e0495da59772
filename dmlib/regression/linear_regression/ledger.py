"""The captions and the arithmetic of linear regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, count, num
from dmlib.problem import Problem, Query
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.inference import Inference, influence
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

MAX_TERMS = 12  # lines of a table of terms
MAX_MATRIX = 4  # terms up to which the matrix is written out


@dataclass(frozen=True)
class Fit:
    """A fitted regression with its terms: all that fit and ledger are made from.

    Attributes
    ----------
    problem : Problem
        The data.
    model : LinearRegression
        Fitted.
    data : LeastSquares
        The problem that is solved.
    terms : tuple of str
        The names of the terms.
    Z : ndarray of shape (n_samples, n_terms)
        The terms of all samples, those of the test set included.
    line : int
        The number of the column whose line is drawn, from 1; 0 for none.
    """

    problem: Problem
    model: Any
    data: LeastSquares
    terms: tuple[str, ...]
    Z: Floats
    line: int

    @classmethod
    def of(cls, run: Run, column: int) -> Fit:
        """Return the fit of a run, whose line is that of a column, by its number from 1."""
        problem, training = run.problem, run.problem.training
        if run.trace.complete:
            model = run.fitted
        else:  # of a descent that was stopped, the terms are those of a solver that takes no time
            model = clone(run.model).set_params(solver="normal").fit(*training.arguments)
        data = model.least_squares(training.data, np.asarray(training.y))
        line = column if column <= len(problem.features) else 0
        return cls(
            problem,
            model,
            data,
            model.term_names(problem.features),
            model.design(problem.data),
            line,
        )

    @property
    def numbers(self) -> list[int | None]:
        """The number of the line that each term makes; None where it makes none."""
        return [self.line if owner + 1 == self.line else None for owner in self.model.owners_]

    def fitted(self, step: LinearRegressionStep) -> Floats:
        """Return the predictions of a step for all samples."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.Z @ step.coef + step.intercept)


def short(value: float) -> str:
    """Return a number for a caption.

    Examples
    --------
    >>> short(-5.34447), short(14076.7)
    ('−5.344', '14077')
    """
    text = f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"
    return text.replace("inf", "∞").replace("-", "−")


def cell(value: float) -> float | None:
    """Return a number for a table, short since tables are narrow; nothing where it is not determined."""
    return None if np.isnan(value) else float(f"{value:.5g}")


def tell(fit: Fit, now: Moment, query: Query | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment, and the prediction of a query."""
    caption, ledger = _BUILD[now.step.phase](fit, now.step, now.before)
    if query is not None:
        ledger = [*query_blocks(fit, now.step, query), *ledger]
    return caption, ledger


def equation(fit: Fit, step: LinearRegressionStep) -> str:
    """Return the formula of the prediction with its numbers."""
    terms = few(
        [f"{num(b)} · {name}" for b, name in zip(step.coef, fit.terms, strict=True)], MAX_TERMS
    )
    constant = f"{num(step.intercept)} + " if fit.data.fit_intercept else ""
    return f"ŷ = {constant}{terms}".replace("+ −", "− ")


def _fall(step: LinearRegressionStep, before: LinearRegressionStep) -> str:
    old, new = short(before.sse), short(step.sse)
    if old == new:
        return f"SSE stays {new}"
    return f"SSE {'falls' if step.sse < before.sse else 'rises'} from {old} to {new}"


def _table(fit: Fit, title: str, **columns: Floats) -> LedgerTable:
    cut = f" (first {MAX_TERMS} of {len(fit.terms)})" if len(fit.terms) > MAX_TERMS else ""
    heads = [name.replace("_", " ") for name in columns]
    rows = [
        [name, *(cell(values[j]) for values in columns.values())]
        for j, name in enumerate(fit.terms[:MAX_TERMS])
    ]
    return LedgerTable(
        ("", *heads), rows, title + cut, by="column", numbers=fit.numbers[:MAX_TERMS]
    )


# --- normal equations -----------------------------------------------------------------------------


def _sums(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    data, target = fit.data, fit.problem.target
    n = len(data.y)
    if not data.fit_intercept:
        caption = (
            f"Without an intercept the prediction starts at 0; the squares of {target} sum to"
            f" {short(step.sse)}."
        )
        return caption, [Formula(f"SST = Σ y² = {num(step.sse)}, n = {n}")]
    caption = (
        f"The mean of {target} in {n} rows is {short(data.y_mean)}; predicting it everywhere leaves"
        " SSE = "
    )
    sums = _table(fit, "Sums", Σ=data.means * n, mean=data.means)
    formula = (
        f"ȳ = {num(data.y_mean * n)} / {n} = {num(data.y_mean)}; SST = Σ(y − ȳ)² = {num(step.sse)}"
    )
    return f"{caption}{short(step.sse)}.", [sums, Formula(formula)]


def _matrix(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    gram, moments = np.asarray(step.gram), np.asarray(step.moments)
    p = len(moments)
    around = "around the means " if fit.data.fit_intercept else ""
    title = f"X'X and X'y {around}".strip()
    if p > MAX_MATRIX:
        caption = (
            f"X'X is {p} × {p}, with {p * (p + 1) // 2} different sums of products {around}in it."
        )
        return caption, [_table(fit, f"Diagonal of {title}", X_X=np.diag(gram), X_y=moments)]
    first = (
        f"{short(gram[0, 0])} and {short(moments[0])}"
        if p == 1
        else f"a {p} × {p} matrix and {p} numbers"
    )
    rows: list[list[Any]] = [
        [name, *map(float, gram[j]), float(moments[j])] for j, name in enumerate(fit.terms)
    ]
    table = LedgerTable(("", *fit.terms, "y"), rows, title, by="column", numbers=fit.numbers)
    return f"The sums of products {around}are X'X and X'y: {first}.", [table]


def _solve(
    fit: Fit, step: LinearRegressionStep, before: LinearRegressionStep
) -> tuple[str, Blocks]:
    data = fit.data
    ledger: Blocks = []
    if len(step.coef) == 1:
        gram, moment = float(data.C[:, 0] @ data.C[:, 0]), float(data.C[:, 0] @ data.t)
        ledger.append(Formula(f"b = X'y / X'X = {num(moment)} / {num(gram)} = {num(step.coef[0])}"))
    else:
        ledger.append(_table(fit, "b solves X'X b = X'y", b=step.coef))
    if data.fit_intercept:
        products = few(
            [f"({num(b)}) · {num(m)}" for b, m in zip(step.coef, data.means, strict=True)], 3, " − "
        )
        ledger.append(
            Formula(f"b₀ = ȳ − Σ b x̄ = {num(data.y_mean)} − {products} = {num(step.intercept)}")
        )
    what = (
        f"slope {short(step.coef[0])}"
        if len(step.coef) == 1
        else count(len(step.coef), "coefficient", "coefficients")
    )
    return f"The equations X'X b = X'y give {what}, and {_fall(step, before)}.", ledger


# --- singular values, gradient descent ------------------------------------------------------------


def _decompose(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    singular = np.asarray(step.singular)
    values = ", ".join(map(short, singular[:4])) + (" …" if len(singular) > 4 else "")
    values_text = count(len(singular), "singular value", "singular values")
    caption = (
        f"X = U S V' around the means has {values_text}: {values}; with none of them, SSE ="
        f" {short(step.sse)}."
    )
    rows = [[k + 1, float(s), float(s**2)] for k, s in enumerate(singular[:MAX_TERMS])]
    return caption, [LedgerTable(("k", "s", "s²"), rows, "Singular values")]


def _component(
    fit: Fit, step: LinearRegressionStep, before: LinearRegressionStep
) -> tuple[str, Blocks]:
    k, s = step.iteration, float(np.asarray(step.singular)[step.iteration - 1])
    caption = (
        f"Singular value {k}, {short(s)}, adds its part to the coefficients; {_fall(step, before)}."
    )
    added = step.coef - before.coef
    table = _table(fit, "b = Σ v (u'y) / s", v_u_y_s=added, b=step.coef)
    return caption, [Formula(f"part of k = {k}: v (u'y) / {num(s)}"), table]


def _start(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    largest = f"2/λmax = {num(step.largest_step)}"
    caption = f"Gradient descent starts with all coefficients at 0 and SSE = {short(step.sse)}."
    return caption, [_gradient_table(fit, step), Formula(f"largest stable step: {largest}")]


def _gradient(
    fit: Fit, step: LinearRegressionStep, before: LinearRegressionStep
) -> tuple[str, Blocks]:
    rate = fit.model.learning_rate
    caption = (
        f"Iteration {step.iteration}: a step of length {rate:.4g} against the gradient;"
        f" {_fall(step, before)}."
    )
    slope = np.asarray(before.gradient)[int(fit.data.fit_intercept)]
    sign, name = ("<" if rate < step.largest_step else "≥"), fit.terms[0]
    formula = f"{name}: {num(before.coef[0])} − {rate:.6g} · ({num(slope)}) = {num(step.coef[0])}"
    stable = Formula(f"η = {rate:.6g} {sign} 2/λmax = {num(step.largest_step)}")
    return caption, [Formula(formula), _gradient_table(fit, step), stable]


def _gradient_table(fit: Fit, step: LinearRegressionStep) -> LedgerTable:
    names = [*(["intercept"] if fit.data.fit_intercept else []), *fit.terms]
    values = [*([step.intercept] if fit.data.fit_intercept else []), *step.coef]
    gradient = np.asarray(step.gradient)
    rows = [[name, cell(b), cell(g)] for name, b, g in zip(names, values, gradient, strict=True)]
    numbers = [*[None] * int(fit.data.fit_intercept), *fit.numbers][:MAX_TERMS]
    return LedgerTable(
        ("", "b", "gradient"),
        rows[:MAX_TERMS],
        "Gradient of SSE / 2n",
        by="column",
        numbers=numbers,
    )


# --- the answer -----------------------------------------------------------------------------------


def _done(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    data, inference = fit.data, step.inference
    ledger: Blocks = [Formula(equation(fit, step))]
    n = len(data.y)
    if not step.converged:
        return step.reason, [*ledger, Formula(f"SSE = {num(step.sse)}"), *_held_out(fit)]
    share = NO_R2 if np.isnan(step.r2) else f"R² = {short(step.r2)}"
    after = (
        f" after {count(step.iteration, 'iteration', 'iterations')}"
        if step.gradient is not None
        else ""
    )
    caption = f"Least squares{after}: {share}, RMSE = {short(step.rmse)}"
    if inference is None:
        caption += ", without a residual degree of freedom for standard errors"
    elif not np.isnan(inference.f):
        caption += (
            f", F({inference.df_model}, {inference.df_resid}) = {short(inference.f)} with p ="
            f" {short(inference.f_p)}"
        )
    if inference is not None:
        ledger += [*_coefficients(fit, step, inference), *_anova(fit, step, inference)]
    if not np.isnan(step.r2):
        ledger.append(
            Formula(
                f"R² = 1 − SSE / SST = 1 − {num(step.sse)} / {num(data.total)} = {num(step.r2)}"
            )
        )
    if inference is not None:
        ledger.append(Formula(f"s = √(SSE / {inference.df_resid}) = {num(inference.sigma)}"))
    ledger.append(Formula(f"RMSE = √({num(step.sse)} / {n}) = {num(step.rmse)}"))
    bases = ", ".join(f"{name}: {base}" for name, base in fit.model.bases_.items())
    ledger += [Formula(f"base levels: {bases}")] if bases else []
    if aliased := [fit.terms[j] for j in step.aliased]:
        verbs = ("depends", "is") if len(aliased) == 1 else ("depend", "are")
        names = ", ".join(aliased[:3]) + (" …" if len(aliased) > 3 else "")
        caption += f"; {names} {verbs[0]} on other terms and {verbs[1]} held at 0"
    ledger.append(Formula(step.reason))
    return f"{caption}.", [*ledger, *_held_out(fit)]


def _coefficients(fit: Fit, step: LinearRegressionStep, inference: Inference) -> Blocks:
    """Return the coefficients with their standard errors, and their tests: two tables, since ledgers are narrow."""
    constant = int(fit.data.fit_intercept)
    names = [*["intercept"] * constant, *fit.terms][: MAX_TERMS + constant]
    values = [*[step.intercept] * constant, *step.coef]
    vif = [*[np.nan] * constant, *inference.vif]
    first = [
        [name, cell(values[j]), cell(inference.standard_errors[j])] for j, name in enumerate(names)
    ]
    second = [
        [name, cell(inference.t[j]), cell(inference.p[j]), cell(vif[j])]
        for j, name in enumerate(names)
    ]
    line: dict[str, Any] = {
        "by": "column",
        "numbers": [*[None] * constant, *fit.numbers][: len(names)],
    }
    return [
        LedgerTable(("", "b", "SE"), first, "Coefficients and standard errors", **line),
        LedgerTable(("", "t", "p", "VIF"), second, "t tests, and variance inflation", **line),
    ]


def _anova(fit: Fit, step: LinearRegressionStep, inference: Inference) -> Blocks:
    if not inference.df_model:  # no column varies, so there is nothing but the mean
        return []
    total = fit.data.total
    model = max(total - step.sse, 0.0)
    mean, variance = model / inference.df_model, inference.sigma**2
    rows: Sequence[Sequence[Any]] = [
        ("model", cell(model), inference.df_model, cell(mean)),
        ("residual", cell(step.sse), inference.df_resid, cell(variance)),
        ("total", cell(total), inference.df_model + inference.df_resid, None),
    ]
    table = LedgerTable(("", "SS", "df", "MS"), rows, "ANOVA")
    if np.isnan(inference.f):
        return [table]
    return [
        table,
        Formula(
            f"F = {num(mean)} / {num(variance)} = {num(inference.f)}, p = {num(inference.f_p)}"
        ),
    ]


def _held_out(fit: Fit) -> Blocks:
    """Return the error on the test set."""
    testing = fit.problem.testing
    if testing is None:
        return []
    errors = np.asarray(testing.y, float) - fit.model.predict(testing.data)
    return [
        Formula(
            f"test set: RMSE = {num(np.sqrt(np.mean(errors**2)))} in"
            f" {count(len(errors), 'row', 'rows')}"
        )
    ]


def query_blocks(fit: Fit, step: LinearRegressionStep, query: Query) -> Blocks:
    """Write out the prediction for a place or a row, at the end with its limits."""
    problem, model = fit.problem, fit.model
    rows = problem.table(query.x[None])
    z = model.design(rows)[0]
    predicted = float(z @ step.coef + step.intercept)
    terms = few([f"({num(b)}) · {num(v)}" for b, v in zip(step.coef, z, strict=True)], MAX_TERMS)
    constant = f"{num(step.intercept)} + " if fit.data.fit_intercept else ""
    where = (
        f"at {problem.features[0]} = {_value(problem, query)}"
        if problem.upright
        else f"for {problem.name(query)}"
    )
    blocks: Blocks = [Formula(f"prediction {where}: {constant}{terms} = {num(predicted)}")]
    if query.sample is not None and problem.y is not None:
        y = float(problem.y[query.sample])
        blocks.append(Formula(f"residual = {num(y)} − {num(predicted)} = {num(y - predicted)}"))
    if step.phase != "done" or step.inference is None:
        return blocks
    level = f"{100 * model.confidence_level:g} %"
    leverage = float(model.leverage(rows)[0])
    for what, observation in (("mean", False), ("new observation", True)):
        low, high = model.intervals(rows, observation=observation)[0]
        blocks.append(Formula(f"{level} limits of {what}: {num(low)} to {num(high)}"))
    blocks.append(Formula(f"leverage h = {num(leverage)}"))
    if query.sample is not None and (problem.test is None or not problem.test[query.sample]):
        learned = problem.training
        row = int(np.flatnonzero(learned.rows == problem.rows[query.sample])[0])
        weight = influence(model, learned.data, np.asarray(learned.y)).cooks_distance[row]
        blocks += [] if np.isnan(weight) else [Formula(f"Cook's distance D = {num(weight)}")]
    return blocks


def _value(problem: Problem, query: Query) -> str:
    value = problem.value(0, float(query.x[0]))
    return num(value) if isinstance(value, float) else str(value)


_BUILD = {
    "sums": _sums,
    "matrix": _matrix,
    "solve": _solve,
    "decompose": _decompose,
    "component": _component,
    "start": _start,
    "gradient": _gradient,
    "done": _done,
}
