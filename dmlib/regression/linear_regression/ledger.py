"""The captions and the arithmetic of linear regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, count, num
from dmlib.problem import Query
from dmlib.regression.linear_regression.fit_ledger import MAX_TERMS, Fit, cell, term_table
from dmlib.regression.linear_regression.result_ledger import (
    anova_blocks,
    coefficient_tables,
    query_blocks,
    test_error,
)
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

MAX_MATRIX = 4  # terms up to which the matrix is written out


def short(value: float) -> str:
    """Return a number for a caption.

    Examples
    --------
    >>> short(-5.34447), short(14076.7)
    ('−5.344', '14077')
    """
    text = f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"
    return text.replace("inf", "∞").replace("-", "−")


def caption_and_ledger(fit: Fit, moment: Moment, query: Query | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment, and the prediction of a query."""
    caption, ledger = _BLOCKS[moment.step.phase](fit, moment.step, moment.before)
    if query is not None:
        ledger = [*query_blocks(fit, moment.step, query), *ledger]
    return caption, ledger


def equation(fit: Fit, step: LinearRegressionStep) -> str:
    """Return the formula of the prediction with its numbers."""
    terms = abridged(
        [f"{num(b)} · {name}" for b, name in zip(step.coef, fit.terms, strict=True)], MAX_TERMS
    )
    constant = f"{num(step.intercept)} + " if fit.data.fit_intercept else ""
    return f"ŷ = {constant}{terms}".replace("+ −", "− ")


def _fall(step: LinearRegressionStep, before: LinearRegressionStep) -> str:
    old, new = short(before.sse), short(step.sse)
    if old == new:
        return f"SSE stays {new}"
    return f"SSE {'falls' if step.sse < before.sse else 'rises'} from {old} to {new}"


# --- normal equations -----------------------------------------------------------------------------


def _sums(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    data = fit.data
    target = fit.problem.target
    n = len(data.y)
    if not data.fit_intercept:
        caption = (
            f"Without an intercept the prediction starts at 0; the squares of {target} sum to"
            f" {short(step.sse)}."
        )
        return caption, [Formula(f"SST = Σ y² = {num(step.sse)}, n = {n}")]
    caption = (
        f"The mean of {target} in {n} rows is {short(data.y_mean)}; predicting it everywhere leaves"
        f" SSE = {short(step.sse)}."
    )
    weight = data.total_weight
    if data.weights is not None:
        caption = caption.replace("The mean", "The weighted mean").replace("SSE", "Σ w e²")
        sums = term_table(fit, "Weighted sums", Σ_wx=data.means * weight, mean=data.means)
        mean = f"ȳ = Σ w y / Σ w = {num(data.y_mean * weight)} / {num(weight)} = {num(data.y_mean)}"
        return caption, [sums, Formula(f"{mean}; SST = Σ w (y − ȳ)² = {num(step.sse)}")]
    sums = term_table(fit, "Sums", Σ=data.means * n, mean=data.means)
    mean = f"ȳ = {num(data.y_mean * n)} / {n} = {num(data.y_mean)}"
    return caption, [sums, Formula(f"{mean}; SST = Σ(y − ȳ)² = {num(step.sse)}")]


def _matrix(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    gram, moments = np.asarray(step.gram), np.asarray(step.moments)
    p = len(moments)
    gram_name, moment_name = _products(fit)
    around = "around the means " if fit.data.fit_intercept else ""
    title = f"{gram_name} and {moment_name} {around}".strip()
    if p > MAX_MATRIX:
        n_sums = p * (p + 1) // 2
        caption = (
            f"{gram_name} is {p} × {p}, with {n_sums} different sums of products {around}in it."
        )
        return caption, [term_table(fit, f"Diagonal of {title}", X_X=np.diag(gram), X_y=moments)]
    sums = f"a {p} × {p} matrix and {p} numbers"
    if p == 1:
        sums = f"{short(gram[0, 0])} and {short(moments[0])}"
    rows: list[list[Any]] = [
        [name, *map(float, gram[j]), float(moments[j])] for j, name in enumerate(fit.terms)
    ]
    table = LedgerTable(("", *fit.terms, "y"), rows, title, by="column", numbers=fit.numbers)
    return f"The sums of products {around}are {gram_name} and {moment_name}: {sums}.", [table]


def _solve(
    fit: Fit, step: LinearRegressionStep, before: LinearRegressionStep
) -> tuple[str, Blocks]:
    data = fit.data
    gram_name, moment_name = _products(fit)
    ledger: Blocks = []
    if len(step.coef) == 1:
        x = data.C[:, 0]
        ratio = f"{num(x @ data.t)} / {num(x @ x)}"
        solution = f"slope {short(step.coef[0])}"
        ledger.append(Formula(f"b = {moment_name} / {gram_name} = {ratio} = {num(step.coef[0])}"))
    else:
        solution = count(len(step.coef), "coefficient", "coefficients")
        ledger.append(term_table(fit, f"b solves {gram_name} b = {moment_name}", b=step.coef))
    if data.fit_intercept:
        terms = [f"({num(b)}) · {num(m)}" for b, m in zip(step.coef, data.means, strict=True)]
        difference = f"{num(data.y_mean)} − {abridged(terms, 3, ' − ')}"
        ledger.append(Formula(f"b₀ = ȳ − Σ b x̄ = {difference} = {num(step.intercept)}"))
    return (
        f"The equations {gram_name} b = {moment_name} give {solution}, and {_fall(step, before)}.",
        ledger,
    )


def _products(fit: Fit) -> tuple[str, str]:
    """Return the names of the matrix and of the right side of the normal equations."""
    return ("X'X", "X'y") if fit.data.weights is None else ("X'WX", "X'Wy")


# --- singular values, gradient descent ------------------------------------------------------------


def _decompose(fit: Fit, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    singular = np.asarray(step.singular)
    values = ", ".join(map(short, singular[:4])) + (" …" if len(singular) > 4 else "")
    n_values = count(len(singular), "singular value", "singular values")
    caption = (
        f"X = U S V' around the means has {n_values}: {values}; with none of them, SSE ="
        f" {short(step.sse)}."
    )
    rows = [[k + 1, float(s), float(s**2)] for k, s in enumerate(singular[:MAX_TERMS])]
    return caption, [LedgerTable(("k", "s", "s²"), rows, "Singular values")]


def _component(
    fit: Fit, step: LinearRegressionStep, before: LinearRegressionStep
) -> tuple[str, Blocks]:
    k = step.iteration
    s = float(np.asarray(step.singular)[k - 1])
    caption = (
        f"Singular value {k}, {short(s)}, adds its part to the coefficients; {_fall(step, before)}."
    )
    part = step.coef - before.coef
    table = term_table(fit, "b = Σ v (u'y) / s", v_u_y_s=part, b=step.coef)
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
    sign = "<" if rate < step.largest_step else "≥"
    formula = (
        f"{fit.terms[0]}: {num(before.coef[0])} − {rate:.6g} · ({num(slope)}) = {num(step.coef[0])}"
    )
    stable = Formula(f"η = {rate:.6g} {sign} 2/λmax = {num(step.largest_step)}")
    return caption, [Formula(formula), _gradient_table(fit, step), stable]


def _gradient_table(fit: Fit, step: LinearRegressionStep) -> LedgerTable:
    constant = int(fit.data.fit_intercept)
    names = [*["intercept"] * constant, *fit.terms]
    values = [*[step.intercept] * constant, *step.coef]
    gradient = np.asarray(step.gradient)
    rows = [[name, cell(b), cell(g)] for name, b, g in zip(names, values, gradient, strict=True)]
    numbers = [*[None] * constant, *fit.numbers][:MAX_TERMS]
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
    if not step.converged:
        return step.reason, [*ledger, Formula(f"SSE = {num(step.sse)}"), *test_error(fit)]
    if inference is not None:
        ledger += [*coefficient_tables(fit, step, inference), *anova_blocks(fit, step, inference)]
    if not np.isnan(step.r2):
        ratio = f"{num(step.sse)} / {num(data.total)}"
        ledger.append(Formula(f"R² = 1 − SSE / SST = 1 − {ratio} = {num(step.r2)}"))
    if inference is not None:
        ledger.append(Formula(f"s = √(SSE / {inference.df_resid}) = {num(inference.sigma)}"))
    ledger.append(Formula(f"RMSE = √({num(step.sse)} / {len(data.y)}) = {num(step.rmse)}"))
    bases = ", ".join(f"{name}: {base}" for name, base in fit.model.bases_.items())
    if bases:
        ledger.append(Formula(f"base levels: {bases}"))
    return _result(fit, step), [*ledger, Formula(step.reason), *test_error(fit)]


def _result(fit: Fit, step: LinearRegressionStep) -> str:
    """Return the caption of a regression that has reached least squares."""
    caption = "Least squares"
    if step.gradient is not None:
        caption += f" after {count(step.iteration, 'iteration', 'iterations')}"
    r2 = NO_R2 if np.isnan(step.r2) else f"R² = {short(step.r2)}"
    rmse = "RMSE" if fit.data.weights is None else "weighted RMSE"
    caption += f": {r2}, {rmse} = {short(step.rmse)}"
    inference = step.inference
    if inference is None:
        caption += ", without a residual degree of freedom for standard errors"
    elif not np.isnan(inference.f):
        f = f"F({inference.df_model}, {inference.df_resid}) = {short(inference.f)}"
        caption += f", {f} with p = {short(inference.f_p)}"
    if aliased := [fit.terms[j] for j in step.aliased]:
        depend, are = ("depends", "is") if len(aliased) == 1 else ("depend", "are")
        names = ", ".join(aliased[:3]) + (" …" if len(aliased) > 3 else "")
        caption += f"; {names} {depend} on other terms and {are} held at 0"
    return f"{caption}."


_BLOCKS = {
    "sums": _sums,
    "matrix": _matrix,
    "solve": _solve,
    "decompose": _decompose,
    "component": _component,
    "start": _start,
    "gradient": _gradient,
    "done": _done,
}
