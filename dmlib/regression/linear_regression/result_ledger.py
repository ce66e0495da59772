"""The result of a linear regression: tests, analysis of variance, predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import false_discovery_control

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged
from dmlib.pictures.words import count, num
from dmlib.problem import Problem, Query
from dmlib.regression.linear_regression.fit_ledger import MAX_TERMS, Fit, cell
from dmlib.regression.linear_regression.inference import Inference, influence
from dmlib.regression.linear_regression.solvers import LinearRegressionStep


def coefficient_tables(fit: Fit, step: LinearRegressionStep, inference: Inference) -> Blocks:
    """Return two narrow tables: coefficients with standard errors, and their tests."""
    constant = int(fit.data.fit_intercept)
    names = [*["intercept"] * constant, *fit.terms][: MAX_TERMS + constant]
    values = [*[step.intercept] * constant, *step.coef]
    vif = [*[np.nan] * constant, *inference.vif]
    numbers = [*[None] * constant, *fit.numbers][: len(names)]

    def table(title: str, **columns: Floats | list[float]) -> LedgerTable:
        cells = [[cell(value) for value in column[: len(names)]] for column in columns.values()]
        rows = list(zip(names, *cells, strict=True))
        return LedgerTable(("", *columns), rows, title, by="column", numbers=numbers)

    return [
        table("Coefficients and standard errors", b=values, SE=inference.standard_errors),
        *_standard_errors(fit, inference),
        table("t tests, and variance inflation", t=inference.t, p=inference.p, VIF=vif),
        *_corrected(fit, inference),
    ]


def _standard_errors(fit: Fit, inference: Inference) -> Blocks:
    """Write out the standard errors of one slope and the intercept, and the test of r."""
    data = fit.data
    is_single = len(fit.terms) == 1 and data.fit_intercept and data.weights is None
    if not is_single or np.isnan(inference.t).any():
        return []
    n, s, mean = len(data.y), num(inference.sigma), float(data.means[0])
    squares, products = float(data.C[:, 0] @ data.C[:, 0]), float(data.C[:, 0] @ data.t)
    below = f"√{num(squares)}"
    intercept, slope = map(num, inference.standard_errors)
    blocks: Blocks = [
        Formula(f"SE(b) = s / √Σ(x − x̄)² = {s} / {below} = {slope}"),
        Formula(
            f"SE(b₀) = s √(1 / n + x̄² / Σ(x − x̄)²) = {s} · √(1 / {n} + {num(mean)}² / "
            f"{num(squares)}) = {intercept}"
        ),
    ]
    if data.total > 0:
        r = products / (squares * data.total) ** 0.5
        blocks.append(
            Formula(
                f"r = {num(r)}; t = r √(n − 2) / √(1 − r²) = {num(r)} · √{n - 2} / "
                f"√(1 − {num(r * r)}) = {num(inference.t[1])}: its test is that of the slope"
            )
        )
    return blocks


def _corrected(fit: Fit, inference: Inference) -> Blocks:
    """Return the p-values of several coefficients, corrected for the number of tests."""
    p = inference.p[int(fit.data.fit_intercept) :]
    tested = np.flatnonzero(np.isfinite(p))
    if len(tested) < 2:
        return []
    single = p[tested]
    bonferroni = np.minimum(1.0, len(tested) * single)
    columns = map(list, (single, bonferroni, false_discovery_control(single)))
    names = [fit.terms[j] for j in tested]
    rows = [(name, *map(cell, values)) for name, *values in zip(names, *columns, strict=True)][
        :MAX_TERMS
    ]
    title = f"p-values corrected for {len(tested)} tests"
    return [
        LedgerTable(("", "p", "Bonferroni", "FDR"), rows, title),
        Formula(
            f"Bonferroni: min(1, {len(tested)} p). FDR (Benjamini and Hochberg): p times "
            f"{len(tested)} / its rank among them, no larger than that of the next larger p"
        ),
    ]


def anova_blocks(fit: Fit, step: LinearRegressionStep, inference: Inference) -> Blocks:
    """Return the analysis of variance with its F test."""
    if not inference.df_model:  # no column varies: the model is the mean
        return []
    total = fit.data.total
    model = max(total - step.sse, 0.0)
    mean = model / inference.df_model
    variance = inference.sigma**2
    rows: Sequence[Sequence[Any]] = [
        ("model", cell(model), inference.df_model, cell(mean)),
        ("residual", cell(step.sse), inference.df_resid, cell(variance)),
        ("total", cell(total), inference.df_model + inference.df_resid, None),
    ]
    table = LedgerTable(("", "SS", "df", "MS"), rows, "ANOVA")
    if np.isnan(inference.f):
        return [table]
    ratio = f"{num(mean)} / {num(variance)}"
    return [table, Formula(f"F = {ratio} = {num(inference.f)}, p = {num(inference.f_p)}")]


def test_error(fit: Fit) -> Blocks:
    """Return the error on the test set."""
    testing = fit.problem.testing
    if testing is None:
        return []
    errors = np.asarray(testing.y, float) - fit.model.predict(testing.data)
    rmse = num(np.sqrt(np.mean(errors**2)))
    return [Formula(f"test set: RMSE = {rmse} in {count(len(errors), 'row', 'rows')}")]


def query_blocks(fit: Fit, step: LinearRegressionStep, query: Query) -> Blocks:
    """Write out the prediction for a place or a row, at the end with its limits."""
    problem = fit.problem
    z = fit.model.design(problem.table(query.x[None]))[0]
    predicted = float(z @ step.coef + step.intercept)
    terms = abridged(
        [f"({num(b)}) · {num(v)}" for b, v in zip(step.coef, z, strict=True)], MAX_TERMS
    )
    constant = f"{num(step.intercept)} + " if fit.data.fit_intercept else ""
    place = f"for {problem.name(query)}"
    if problem.upright:
        place = f"at {problem.features[0]} = {_value(problem, query)}"
    ledger: Blocks = [Formula(f"prediction {place}: {constant}{terms} = {num(predicted)}")]
    if query.sample is not None and problem.y is not None:
        y = float(problem.y[query.sample])
        ledger.append(Formula(f"residual = {num(y)} − {num(predicted)} = {num(y - predicted)}"))
        ledger += _parts(y, predicted, fit.data.y_mean) if fit.data.fit_intercept else []
    if step.phase == "done" and step.inference is not None:
        ledger += _limits(fit, query)
    return ledger


def _parts(y: float, predicted: float, mean: float) -> Blocks:
    """Return the explained and the unexplained part of a row's distance from the mean."""
    explained = f"ŷ − ȳ = {num(predicted)} − {num(mean)} = {num(predicted - mean)}"
    unexplained = f"y − ŷ = {num(y - predicted)}"
    sum_of_parts = f"{num(predicted - mean)} + ({num(y - predicted)})"
    return [
        Formula(f"explained: {explained}; unexplained: {unexplained}"),
        Formula(f"together: y − ȳ = {num(y)} − {num(mean)} = {num(y - mean)} = {sum_of_parts}"),
    ]


def _limits(fit: Fit, query: Query) -> Blocks:
    """Return confidence and prediction limits of a query, and the influence of its row."""
    problem, model = fit.problem, fit.model
    rows = problem.table(query.x[None])
    level = f"{100 * model.confidence_level:g} %"
    ledger: Blocks = []
    for subject, observation in (("mean", False), ("new observation", True)):
        low, high = model.intervals(rows, observation=observation)[0]
        ledger.append(Formula(f"{level} limits of {subject}: {num(low)} to {num(high)}"))
    ledger.append(Formula(f"leverage h = {num(model.leverage(rows)[0])}"))
    if query.sample is not None and query.sample in problem.trained:
        learned = problem.training
        row = int(np.flatnonzero(learned.rows == problem.rows[query.sample])[0])
        distance = influence(model, learned.data, np.asarray(learned.y)).cooks_distance[row]
        if not np.isnan(distance):
            ledger.append(Formula(f"Cook's distance D = {num(distance)}"))
    return ledger


def _value(problem: Problem, query: Query) -> str:
    value = problem.value(0, float(query.x[0]))
    return num(value) if isinstance(value, float) else str(value)
