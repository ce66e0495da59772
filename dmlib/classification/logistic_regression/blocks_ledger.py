"""The arithmetic of logistic regression: steps, inference, groups of equal rows, and one row's probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import chdtrc, expit

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.words import num, short, signed
from dmlib.problem import Problem, Query

MAX_TERMS = 12  # lines of a table of coefficients
MAX_HESSIAN = 4  # terms up to which the Hessian is written out
MAX_GROUPS = 16
MAX_ROWS = 8  # rows of a batch that are named


def coefficient_table(names: Sequence[str], title: str, **columns: Floats) -> LedgerTable:
    """Return one line per term with a number from each column."""
    heads = [head.replace("_", " ") for head in columns]
    rows = [
        [name, *(_finite(values[j]) for values in columns.values())] for j, name in enumerate(names)
    ]
    return short_table(("", *heads), rows, title, most=MAX_TERMS)


def _finite(value: Any) -> float | None:
    return None if np.isnan(value) else short(value)


def step_blocks(
    names: Sequence[str],
    step: LogisticRegressionStep,
    before: LogisticRegressionStep,
    total: float,
    constant: int,
) -> Blocks:
    """Write out one step: the coefficients before and after, what moved them, and the objective."""
    direction = np.zeros_like(step.coef) if step.direction is None else step.direction
    j = min(constant, len(names) - 1)
    start = before.coef[0, j]
    delta = "(−H)⁻¹ g" if step.phase == "newton" else f"g / {num(total)}"
    total_of_j = (
        f"{num(start)} + {num(step.length)} · {signed(direction[0, j])} = {num(step.coef[0, j])}"
    )
    blocks: Blocks = [
        coefficient_table(
            names,
            "The step",
            β=before.coef[0],
            g=step.gradient[0],
            Δ=direction[0],
            new_β=step.coef[0],
        ),
        Formula(f"β ← β + t Δ with Δ = {delta}; {names[j]}: {total_of_j}"),
    ]
    if step.hessian is not None:
        blocks.append(hessian_block(names, step.hessian, constant, "Hessian H before the step"))
    return blocks


def hessian_block(
    names: Sequence[str], hessian: Floats, constant: int, title: str
) -> LedgerTable | Formula:
    """Return the second derivatives, or their number where they are many."""
    if len(names) > MAX_HESSIAN:
        return Formula(f"The Hessian H has {len(names)} × {len(names)} second derivatives.")
    head = ("β₀", "β₁", "β₂", "β₃", "β₄")[1 - constant :]
    rows: list[list[Any]] = [
        [name, *map(float, line)] for name, line in zip(names, hessian, strict=True)
    ]
    return LedgerTable(("", *head[: len(names)]), rows, title)


def objective_formula(step: LogisticRegressionStep, C: float) -> Formula:
    """Return the objective as the log-likelihood less the penalty."""
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
        why = (
            "A penalty biases the coefficients on purpose; standard errors need C = ∞."
            if np.isfinite(C)
            else "There are standard errors only at the maximum of the likelihood."
        )
        return [coefficient_table(names, "Coefficients", β=coef, exp_β=odds), Formula(why)]
    low, high = inference.odds_limits.T
    return [
        coefficient_table(
            names,
            "Coefficients with standard errors",
            β=coef,
            se=inference.standard_errors,
            z=inference.z,
            p=inference.p,
        ),
        coefficient_table(
            names, "Odds ratios with 95 % limits", exp=inference.odds, low=low, high=high
        ),
        Formula(
            "se = √ of the diagonal of (−H)⁻¹; z = β / se; p from "
            "the normal distribution; limits = exp(β ∓ 1.96 se)"
        ),
    ]


def deviance_blocks(step: LogisticRegressionStep, null_deviance: float, n_slopes: int) -> Blocks:
    """Compare the deviance with that of the model without columns."""
    deviance = -2 * step.log_likelihood
    fall = null_deviance - deviance
    formula = (
        f"deviance = −2 ℓ = {num(deviance)}; without columns {num(null_deviance)}; fall {num(fall)}"
    )
    if n_slopes and fall > 0 and step.converged:
        formula += f" with {n_slopes} degrees of freedom: p = {num(chdtrc(n_slopes, fall))}"
    return [Formula(formula)]


def group_block(
    names: Sequence[str], likelihood: Likelihood, coef: Floats, constant: int
) -> Blocks:
    """Return observed and fitted numbers of each group of equal rows, if there are few groups and many cases."""
    terms, group = np.unique(likelihood.Z[:, constant:], axis=0, return_inverse=True)
    trials = np.bincount(group.ravel(), likelihood.weights)
    if not 1 < len(terms) <= MAX_GROUPS or likelihood.total < 2 * len(terms):
        return []
    won = np.bincount(group.ravel(), likelihood.weights * (likelihood.codes == 1))
    chance = expit((coef[0] if constant else 0.0) + terms @ coef[constant:])
    rows = [
        (*map(num, x), _count(n), _count(s), float(s / n) if n else None, float(p), float(n * p))
        for x, n, s, p in zip(terms, trials, won, chance, strict=True)
    ]
    head = (*names[constant:], "cases", "in the class", "share", "P", "cases · P")
    return [LedgerTable(head, rows, "Groups of equal rows: observed and fitted")]


def _count(value: float) -> int | float:
    return int(value) if value == int(value) else float(value)


def query_blocks(
    problem: Problem, query: Query, names: Sequence[str], coef: Floats, constant: int
) -> Blocks:
    """Write out the score and the probability of the query."""
    x = np.append(np.ones(constant), query.x[: len(names) - constant])
    parts = x * coef
    score = float(parts.sum())
    rows: list[tuple[str, float | None, float | None, float]] = [
        (name, float(a), float(b), float(c))
        for name, a, b, c in zip(names, x, coef, parts, strict=True)
    ]
    listed = rows[:MAX_TERMS]
    if len(rows) > MAX_TERMS:
        listed.append((f"{len(rows) - MAX_TERMS} more", None, None, float(parts[MAX_TERMS:].sum())))
    terms = few([signed(part) for part in parts], MAX_TERMS)
    chance = float(expit(score))
    name = problem.classes[1]
    return [
        LedgerTable(("", "x", "β", "β · x"), listed, f"Asked about: {problem.name(query)}"),
        Formula(f"score η = {terms} = {num(score)}"),
        Formula(
            f"P({name}) = 1 / (1 + exp({num(-score)})) = "
            f"{num(chance)}; odds = exp(η) = {num(_odds(score))}"
        ),
    ]


def _odds(score: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.exp(score))
