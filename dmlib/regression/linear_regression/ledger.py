"""The captions and the arithmetic of linear regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import NO_R2, count, num
from dmlib.problem import Problem, Query
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.inference import Inference, influence
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

MOST_TERMS = 12  # lines of a table of terms
MOST_MATRIX = 4  # terms up to which the matrix is written out


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # fitted
    data: LeastSquares  # what is solved
    terms: tuple[str, ...]  # the names of the terms
    Z: Floats  # (n_samples, n_terms): the terms of all samples, those that are held out included
    line: int  # the number of the column whose line is drawn, from 1; 0 for none

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


def frame(picture: Picture, step: LinearRegressionStep, before: LinearRegressionStep, query: Query | None) -> Frame:
    """Return the caption and the arithmetic of a step, and of the place that is asked about."""
    caption, ledger = _TELL[step.phase](picture, step, before)
    if query is not None:
        ledger = [*query_blocks(picture, step, query), *ledger]
    return Frame(caption, ledger, step.phase)


def equation(picture: Picture, step: LinearRegressionStep) -> str:
    """Return the formula of the prediction with its numbers."""
    terms = few([f"{num(b)} · {name}" for b, name in zip(step.coef, picture.terms, strict=True)], MOST_TERMS)
    constant = f"{num(step.intercept)} + " if picture.data.fit_intercept else ""
    return f"ŷ = {constant}{terms}".replace("+ −", "− ")


def _fall(step: LinearRegressionStep, before: LinearRegressionStep) -> str:
    old, new = short(before.sse), short(step.sse)
    if old == new:
        return f"SSE stays {new}"
    return f"SSE {'falls' if step.sse < before.sse else 'rises'} from {old} to {new}"


def _table(picture: Picture, title: str, **columns: Floats) -> LedgerTable:
    more = f" (first {MOST_TERMS} of {len(picture.terms)})" if len(picture.terms) > MOST_TERMS else ""
    heads = [name.replace("_", " ") for name in columns]
    rows = [
        [name, *(cell(values[j]) for values in columns.values())] for j, name in enumerate(picture.terms[:MOST_TERMS])
    ]
    return LedgerTable(("", *heads), rows, title + more, by="column", numbers=picture.numbers[:MOST_TERMS])


# --- normal equations -------------------------------------------------------------------------------------------------


def _sums(picture: Picture, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    data, target = picture.data, picture.problem.target
    n = len(data.y)
    if not data.fit_intercept:
        caption = f"Without an intercept the prediction starts at 0; the squares of {target} sum to {short(step.sse)}."
        return caption, [Formula(f"SST = Σ y² = {num(step.sse)}, n = {n}")]
    caption = f"The mean of {target} in {n} rows is {short(data.y_mean)}; predicting it everywhere leaves SSE = "
    sums = _table(picture, "Sums", Σ=data.means * n, mean=data.means)
    formula = f"ȳ = {num(data.y_mean * n)} / {n} = {num(data.y_mean)}; SST = Σ(y − ȳ)² = {num(step.sse)}"
    return f"{caption}{short(step.sse)}.", [sums, Formula(formula)]


def _matrix(picture: Picture, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    gram, moments = np.asarray(step.gram), np.asarray(step.moments)
    p = len(moments)
    around = "around the means " if picture.data.fit_intercept else ""
    title = f"X'X and X'y {around}".strip()
    if p > MOST_MATRIX:
        caption = f"X'X is {p} × {p}, with {p * (p + 1) // 2} different sums of products {around}in it."
        return caption, [_table(picture, f"Diagonal of {title}", X_X=np.diag(gram), X_y=moments)]
    first = f"{short(gram[0, 0])} and {short(moments[0])}" if p == 1 else f"a {p} × {p} matrix and {p} numbers"
    rows: list[list[Any]] = [[name, *map(float, gram[j]), float(moments[j])] for j, name in enumerate(picture.terms)]
    table = LedgerTable(("", *picture.terms, "y"), rows, title, by="column", numbers=picture.numbers)
    return f"The sums of products {around}are X'X and X'y: {first}.", [table]


def _solve(picture: Picture, step: LinearRegressionStep, before: LinearRegressionStep) -> tuple[str, Blocks]:
    data = picture.data
    ledger: Blocks = []
    if len(step.coef) == 1:
        gram, moment = float(data.C[:, 0] @ data.C[:, 0]), float(data.C[:, 0] @ data.t)
        ledger.append(Formula(f"b = X'y / X'X = {num(moment)} / {num(gram)} = {num(step.coef[0])}"))
    else:
        ledger.append(_table(picture, "b solves X'X b = X'y", b=step.coef))
    if data.fit_intercept:
        products = few([f"({num(b)}) · {num(m)}" for b, m in zip(step.coef, data.means, strict=True)], 3, " − ")
        ledger.append(Formula(f"b₀ = ȳ − Σ b x̄ = {num(data.y_mean)} − {products} = {num(step.intercept)}"))
    what = (
        f"slope {short(step.coef[0])}" if len(step.coef) == 1 else count(len(step.coef), "coefficient", "coefficients")
    )
    return f"The equations X'X b = X'y give {what}, and {_fall(step, before)}.", ledger


# --- singular values, gradient descent --------------------------------------------------------------------------------


def _decompose(picture: Picture, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    singular = np.asarray(step.singular)
    values = ", ".join(map(short, singular[:4])) + (" …" if len(singular) > 4 else "")
    some = count(len(singular), "singular value", "singular values")
    caption = f"X = U S V' around the means has {some}: {values}; with none of them, SSE = {short(step.sse)}."
    rows = [[k + 1, float(s), float(s**2)] for k, s in enumerate(singular[:MOST_TERMS])]
    return caption, [LedgerTable(("k", "s", "s²"), rows, "Singular values")]


def _component(picture: Picture, step: LinearRegressionStep, before: LinearRegressionStep) -> tuple[str, Blocks]:
    k, s = step.iteration, float(np.asarray(step.singular)[step.iteration - 1])
    caption = f"Singular value {k}, {short(s)}, adds its part to the coefficients; {_fall(step, before)}."
    added = step.coef - before.coef
    table = _table(picture, "b = Σ v (u'y) / s", v_u_y_s=added, b=step.coef)
    return caption, [Formula(f"part of k = {k}: v (u'y) / {num(s)}"), table]


def _start(picture: Picture, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    largest = f"2/λmax = {num(step.largest_step)}"
    caption = f"Gradient descent starts with all coefficients at 0 and SSE = {short(step.sse)}."
    return caption, [_gradient_table(picture, step), Formula(f"largest stable step: {largest}")]


def _gradient(picture: Picture, step: LinearRegressionStep, before: LinearRegressionStep) -> tuple[str, Blocks]:
    rate = picture.model.learning_rate
    caption = f"Iteration {step.iteration}: a step of length {rate:.4g} against the gradient; {_fall(step, before)}."
    slope = np.asarray(before.gradient)[int(picture.data.fit_intercept)]
    sign, name = ("<" if rate < step.largest_step else "≥"), picture.terms[0]
    formula = f"{name}: {num(before.coef[0])} − {rate:.6g} · ({num(slope)}) = {num(step.coef[0])}"
    stable = Formula(f"η = {rate:.6g} {sign} 2/λmax = {num(step.largest_step)}")
    return caption, [Formula(formula), _gradient_table(picture, step), stable]


def _gradient_table(picture: Picture, step: LinearRegressionStep) -> LedgerTable:
    names = [*(["intercept"] if picture.data.fit_intercept else []), *picture.terms]
    values = [*([step.intercept] if picture.data.fit_intercept else []), *step.coef]
    gradient = np.asarray(step.gradient)
    rows = [[name, cell(b), cell(g)] for name, b, g in zip(names, values, gradient, strict=True)]
    numbers = [*[None] * int(picture.data.fit_intercept), *picture.numbers][:MOST_TERMS]
    return LedgerTable(("", "b", "gradient"), rows[:MOST_TERMS], "Gradient of SSE / 2n", by="column", numbers=numbers)


# --- the answer -------------------------------------------------------------------------------------------------------


def _done(picture: Picture, step: LinearRegressionStep, _: LinearRegressionStep) -> tuple[str, Blocks]:
    data, found = picture.data, step.inference
    ledger: Blocks = [Formula(equation(picture, step))]
    n = len(data.y)
    if not step.converged:
        return step.reason, [*ledger, Formula(f"SSE = {num(step.sse)}"), *_held_out(picture)]
    share = NO_R2 if np.isnan(step.r2) else f"R² = {short(step.r2)}"
    after = f" after {count(step.iteration, 'iteration', 'iterations')}" if step.gradient is not None else ""
    caption = f"Least squares{after}: {share}, RMSE = {short(step.rmse)}"
    if found is None:
        caption += ", without a residual degree of freedom for standard errors"
    elif not np.isnan(found.f):
        caption += f", F({found.df_model}, {found.df_resid}) = {short(found.f)} with p = {short(found.f_p)}"
    if found is not None:
        ledger += [*_coefficients(picture, step, found), *_anova(picture, step, found)]
    if not np.isnan(step.r2):
        ledger.append(Formula(f"R² = 1 − SSE / SST = 1 − {num(step.sse)} / {num(data.total)} = {num(step.r2)}"))
    if found is not None:
        ledger.append(Formula(f"s = √(SSE / {found.df_resid}) = {num(found.sigma)}"))
    ledger.append(Formula(f"RMSE = √({num(step.sse)} / {n}) = {num(step.rmse)}"))
    bases = ", ".join(f"{name}: {base}" for name, base in picture.model.bases_.items())
    ledger += [Formula(f"base levels: {bases}")] if bases else []
    if held := [picture.terms[j] for j in step.aliased]:
        verbs = ("depends", "is") if len(held) == 1 else ("depend", "are")
        names = ", ".join(held[:3]) + (" …" if len(held) > 3 else "")
        caption += f"; {names} {verbs[0]} on other terms and {verbs[1]} held at 0"
    ledger.append(Formula(step.reason))
    return f"{caption}.", [*ledger, *_held_out(picture)]


def _coefficients(picture: Picture, step: LinearRegressionStep, found: Inference) -> Blocks:
    """Return the coefficients with their standard errors, and their tests: two tables, since ledgers are narrow."""
    constant = int(picture.data.fit_intercept)
    names = [*["intercept"] * constant, *picture.terms][: MOST_TERMS + constant]
    values = [*[step.intercept] * constant, *step.coef]
    vif = [*[np.nan] * constant, *found.vif]
    first = [[name, cell(values[j]), cell(found.standard_errors[j])] for j, name in enumerate(names)]
    second = [[name, cell(found.t[j]), cell(found.p[j]), cell(vif[j])] for j, name in enumerate(names)]
    line: dict[str, Any] = {"by": "column", "numbers": [*[None] * constant, *picture.numbers][: len(names)]}
    return [
        LedgerTable(("", "b", "SE"), first, "Coefficients and standard errors", **line),
        LedgerTable(("", "t", "p", "VIF"), second, "t tests, and variance inflation", **line),
    ]


def _anova(picture: Picture, step: LinearRegressionStep, found: Inference) -> Blocks:
    if not found.df_model:  # no column varies, so there is nothing but the mean
        return []
    total = picture.data.total
    model = max(total - step.sse, 0.0)
    mean, variance = model / found.df_model, found.sigma**2
    rows: Sequence[Sequence[Any]] = [
        ("model", cell(model), found.df_model, cell(mean)),
        ("residual", cell(step.sse), found.df_resid, cell(variance)),
        ("total", cell(total), found.df_model + found.df_resid, None),
    ]
    table = LedgerTable(("", "SS", "df", "MS"), rows, "ANOVA")
    if np.isnan(found.f):
        return [table]
    return [table, Formula(f"F = {num(mean)} / {num(variance)} = {num(found.f)}, p = {num(found.f_p)}")]


def _held_out(picture: Picture) -> Blocks:
    """Return the error on the test set."""
    testing = picture.problem.testing
    if testing is None:
        return []
    rest = np.asarray(testing.y, float) - picture.model.predict(testing.data)
    return [Formula(f"test set: RMSE = {num(np.sqrt(np.mean(rest**2)))} in {count(len(rest), 'row', 'rows')}")]


def query_blocks(picture: Picture, step: LinearRegressionStep, query: Query) -> Blocks:
    """Write out the prediction for a place or a row, at the end with its limits."""
    problem, model = picture.problem, picture.model
    rows = problem.table(query.x[None])
    z = model.design(rows)[0]
    predicted = float(z @ step.coef + step.intercept)
    terms = few([f"({num(b)}) · {num(v)}" for b, v in zip(step.coef, z, strict=True)], MOST_TERMS)
    constant = f"{num(step.intercept)} + " if picture.data.fit_intercept else ""
    where = f"at {problem.features[0]} = {_value(problem, query)}" if problem.upright else f"for {problem.name(query)}"
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


_TELL = {
    "sums": _sums,
    "matrix": _matrix,
    "solve": _solve,
    "decompose": _decompose,
    "component": _component,
    "start": _start,
    "gradient": _gradient,
    "done": _done,
}
