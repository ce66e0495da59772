"""The captions of logistic regression, and which arithmetic stands beside each step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.ledger import (
    MOST_ROWS,
    MOST_TERMS,
    answer_blocks,
    coefficient_table,
    deviance_blocks,
    group_block,
    hessian_block,
    objective_formula,
    query_blocks,
    step_blocks,
)
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.separation import held_at_zero, separated
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.regions import error_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num
from dmlib.problem import Problem, Query


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: LogisticRegression  # fitted
    likelihood: Likelihood  # the objective on the training samples
    steps: list[LogisticRegressionStep]  # those that are drawn
    at: NDArray[np.intp]  # (n_frames,): their numbers in the run
    names: list[str]  # the terms, the intercept first
    constant: int  # whether there is an intercept: 1 or 0
    shown: Collection[int] = ()  # the terms whose coefficients are where the mark of the coefficients is

    @property
    def single(self) -> bool:
        """Whether the one column with a coefficient lies across, so that the probability can be drawn over it."""
        return len(self.names) - self.constant == 1 and bool(self.problem.plane.basis[0, 0])

    def in_plane(self, coef: Floats) -> tuple[float, Floats]:
        """Return the score at (0, 0) of the plane and its slopes along the two axes."""
        slopes, plane = coef[self.constant :], self.problem.plane
        start = float(coef[0]) if self.constant else 0.0
        return start + float(slopes @ plane.base[: len(slopes)]), plane.basis[:, : len(slopes)] @ slopes


def logistic_frame(
    picture: Picture, step: LogisticRegressionStep, before: LogisticRegressionStep, query: Query | None
) -> Frame:
    """Return the caption and the arithmetic of a step, and of the place that is asked about."""
    if step.phase == "start":
        caption, ledger = _start(picture, step)
    elif step.phase == "done":
        caption, ledger = _done(picture, step)
    else:
        caption = _step_caption(picture, step, before)
        ledger = step_blocks(picture.names, step, before, picture.likelihood.total, picture.constant)
        ledger.append(objective_formula(step, picture.model.C))
    if query is not None:
        asked = query_blocks(picture.problem, query, picture.names, step.coef[0], picture.constant)
        ledger = [*asked, *ledger]
    return Frame(caption, [_linked(picture, block) for block in ledger], step.phase)


def _linked(picture: Picture, block: LedgerTable | Formula) -> LedgerTable | Formula:
    """Let the terms of a table answer to the mark of their coefficients."""
    if isinstance(block, Formula) or block.head[0]:
        return block
    numbers = [1 if j in picture.shown else None for j in range(len(picture.names))]
    return replace(block, by="coefficients", numbers=numbers[:MOST_TERMS])


def _start(picture: Picture, step: LogisticRegressionStep) -> tuple[str, Blocks]:
    total = picture.likelihood.total
    caption = "Start: all coefficients are 0, so every probability is 0.5."
    ledger: Blocks = [
        coefficient_table(picture.names, "The start", β=step.coef[0], g=step.gradient[0]),
        objective_formula(step, picture.model.C),
    ]
    if not step.coef.any():
        caption = f"{caption[:-1]}, and the log-likelihood is {num(total)} · ln 0.5 = {num(step.log_likelihood)}."
    return caption, ledger


def _step_caption(picture: Picture, step: LogisticRegressionStep, before: LogisticRegressionStep) -> str:
    what = "log-likelihood" if np.isinf(picture.model.C) else "penalised log-likelihood"
    change = changes(f"the {what}", before.objective, step.objective)
    if step.phase == "batch" and step.rows is not None:
        learned = picture.problem.training
        rows = ", ".join(str(learned.rows[i] + 1) for i in sorted(step.rows)[:MOST_ROWS])
        more = f" and {len(step.rows) - MOST_ROWS} more" if len(step.rows) > MOST_ROWS else ""
        noun = "row" if len(step.rows) == 1 else "rows"
        return f"Epoch {step.iteration}: a step along the gradient over {noun} {rows}{more}; {change}."
    kind = "Newton" if step.phase == "newton" else "Gradient"
    halved = {0: "", 1: " (halved once, since it overshot)"}.get(
        step.halvings, f" (halved {step.halvings} times, since it overshot)"
    )
    return f"{kind} step {step.iteration}{halved}: {change}."


def _done(picture: Picture, step: LogisticRegressionStep) -> tuple[str, Blocks]:
    model, names = picture.model, picture.names
    free = bool(np.isinf(model.C))
    words = ("epoch", "epochs") if model.solver == "sgd" else ("iteration", "iterations")
    held = held_at_zero([names[j + picture.constant] for j in step.aliased])
    told = [] if step.separation is None else separated(step.separation, free)
    reason = [step.reason] if not (free and told) else []
    caption = " ".join([f"Done after {count(step.iteration, *words)}.", *reason, *held, *told])
    n_slopes = len(names) - picture.constant - len(step.aliased)
    ledger = [
        *answer_blocks(names, step, model.C),
        *deviance_blocks(step, model.null_deviance_, n_slopes if free else 0),
        *group_block(names, picture.likelihood, step.coef[0], picture.constant),
        error_table(picture.problem, model),
    ]
    if step.hessian is not None:
        ledger.append(hessian_block(names, step.hessian, picture.constant, "Hessian H"))
    return caption, ledger
