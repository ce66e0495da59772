"""Tables and formulas of logistic regression: steps, inference, groups of rows, and a query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import chdtrc, expit

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.terms import Terms
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import num, short, signed
from dmlib.problem import Query

MAX_TERMS = 12  # lines of a table of coefficients
MAX_HESSIAN = 4  # terms up to which the Hessian is written out
MAX_GROUPS = 16
MAX_ROWS = 8  # rows of a batch that are named


def coefficient_table(names: Sequence[str], title: str, **columns: Floats) -> LedgerTable:
    """Return one line per term with a number from each column."""
    heads = [head.replace("_", " ") for head in columns]
    rows: list[list[Cell]] = [
        [name, *(None if np.isnan(cell) else short(cell) for cell in line)]
        for name, *line in zip(names, *columns.values(), strict=True)
    ]
    return short_table(("", *heads), rows, title, max_rows=MAX_TERMS)


def step_blocks(
    terms: Terms, step: LogisticRegressionStep, before: LogisticRegressionStep, total: float
) -> Blocks:
    """Return the coefficients before and after a step, with the gradient and the direction."""
    direction = np.zeros_like(step.coef) if step.direction is None else step.direction
    names = terms.names
    j = min(terms.first_slope, len(names) - 1)
    delta = "(−H)⁻¹ g" if step.phase == "newton" else f"g / {num(total)}"
    change = f"{num(before.coef[0, j])} + {num(step.length)} · {signed(direction[0, j])}"
    columns = {"β": before.coef[0], "g": step.gradient[0], "Δ": direction[0], "new_β": step.coef[0]}
    blocks: Blocks = [
        coefficient_table(names, "The step", **columns),
        Formula(f"β ← β + t Δ with Δ = {delta}; {names[j]}: {change} = {num(step.coef[0, j])}"),
    ]
    if step.hessian is not None:
        blocks.append(hessian_block(terms, step.hessian, "Hessian H before the step"))
    return blocks


def hessian_block(terms: Terms, hessian: Floats, title: str) -> LedgerTable | Formula:
    """Return the second derivatives, or their number where they are many."""
    n = len(terms.names)
    if n > MAX_HESSIAN:
        return Formula(f"The Hessian H has {n} × {n} second derivatives.")
    start = 1 - terms.first_slope
    head = ("", *("β₀", "β₁", "β₂", "β₃", "β₄")[start : start + n])
    rows: list[list[Cell]] = [
        [name, *map(float, line)] for name, line in zip(terms.names, hessian, strict=True)
    ]
    return LedgerTable(head, rows, title)


def objective_formula(step: LogisticRegressionStep, C: float) -> Formula:
    """Return the objective as the log-likelihood minus the penalty."""
    if np.isinf(C):
        return Formula(f"log-likelihood ℓ = {num(step.log_likelihood)}")
    cost = step.log_likelihood - step.objective
    return Formula(
        f"ℓ − Σw² / 2C = {num(step.log_likelihood)} − {num(cost)} = {num(step.objective)}"
    )


def coefficient_blocks(names: Sequence[str], step: LogisticRegressionStep, C: float) -> Blocks:
    """Return the coefficients, with standard errors where they maximise the likelihood."""
    coef = step.coef[0]
    with np.errstate(over="ignore"):
        odds = np.exp(coef)
    inference = step.inference
    if inference is None or not step.converged:
        reason = "There are standard errors only at the maximum of the likelihood."
        if np.isfinite(C):
            reason = "A penalty biases the coefficients on purpose; standard errors need C = ∞."
        return [coefficient_table(names, "Coefficients", β=coef, exp_β=odds), Formula(reason)]
    tests = {"β": coef, "se": inference.standard_errors, "z": inference.z, "p": inference.p}
    low, high = inference.odds_limits.T
    limits = {"exp": inference.odds, "low": low, "high": high}
    return [
        coefficient_table(names, "Coefficients with standard errors", **tests),
        coefficient_table(names, "Odds ratios with 95 % limits", **limits),
        Formula(
            "se = √ of the diagonal of (−H)⁻¹; z = β / se; p from "
            "the normal distribution; limits = exp(β ∓ 1.96 se)"
        ),
    ]


def change_block(terms: Terms, coef: Floats) -> Blocks:
    """Return the factor of the odds for a change of a column by its standard deviation."""
    n, slopes = len(terms.features), coef[terms.first_slope :]
    deviations = terms.problem.training.X[:, :n].std(axis=0)
    with np.errstate(over="ignore"):
        factors = np.exp(slopes * deviations)
    rows: list[list[Cell]] = [
        [name, *map(short, numbers)]
        for name, *numbers in zip(terms.features, deviations, slopes, factors, strict=True)
    ]
    head = ("", "change δ", "β", "factor exp(β δ)")
    title = "Factor of the odds for one standard deviation more"
    return [short_table(head, rows, title, max_rows=MAX_TERMS)]


def deviance_blocks(step: LogisticRegressionStep, null_deviance: float, n_slopes: int) -> Blocks:
    """Return the deviance beside that of the model without columns."""
    deviance = -2 * step.log_likelihood
    fall = null_deviance - deviance
    formula = (
        f"deviance = −2 ℓ = {num(deviance)}; without columns {num(null_deviance)}; fall {num(fall)}"
    )
    if n_slopes and fall > 0 and step.converged:
        formula += f" with {n_slopes} degrees of freedom: p = {num(chdtrc(n_slopes, fall))}"
    return [Formula(formula)]


def group_block(terms: Terms, likelihood: Likelihood, coef: Floats) -> Blocks:
    """Return observed and fitted cases of each group of equal rows, if the groups are few."""
    rows, group = np.unique(likelihood.Z, axis=0, return_inverse=True)
    if not 1 < len(rows) <= MAX_GROUPS or likelihood.total < 2 * len(rows):
        return []
    trials = np.bincount(group.ravel(), likelihood.weights)
    successes = np.bincount(group.ravel(), likelihood.weights * (likelihood.codes == 1))
    chances = expit(rows @ coef)
    cells = [
        (*map(num, x), _count(n), _count(s), float(s / n) if n else None, float(p), float(n * p))
        for x, n, s, p in zip(rows[:, terms.first_slope :], trials, successes, chances, strict=True)
    ]
    head = (*terms.features, "cases", "in the class", "share", "P", "cases · P")
    return [LedgerTable(head, cells, "Groups of equal rows: observed and fitted")]


def _count(value: float) -> int | float:
    return int(value) if value == int(value) else float(value)


def query_blocks(terms: Terms, query: Query, coef: Floats) -> Blocks:
    """Return the score and the probability of the query."""
    problem = terms.problem
    x = np.append(np.ones(terms.first_slope), query.x[: len(terms.features)])
    parts = x * coef
    score = float(parts.sum())
    rows: list[list[Cell]] = [
        [name, *map(float, cells)] for name, *cells in zip(terms.names, x, coef, parts, strict=True)
    ]
    listed = rows[:MAX_TERMS]
    if len(rows) > MAX_TERMS:
        listed.append([f"{len(rows) - MAX_TERMS} more", None, None, float(parts[MAX_TERMS:].sum())])
    score_terms = abridged([signed(part) for part in parts], MAX_TERMS)
    with np.errstate(over="ignore"):
        odds = np.exp(score)
    return [
        LedgerTable(("", "x", "β", "β · x"), listed, f"Asked about: {problem.name(query)}"),
        Formula(f"score η = {score_terms} = {num(score)}"),
        Formula(
            f"P({problem.classes[1]}) = 1 / (1 + exp({num(-score)})) = {num(expit(score))}; "
            f"odds = exp(η) = {num(odds)}"
        ),
    ]
