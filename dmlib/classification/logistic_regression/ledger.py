"""Logistic regression in words and numbers: the start, each step, and the fitted coefficients."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.class_ledger import class_weight_blocks
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.classification.logistic_regression.blocks_ledger import (
    MAX_ROWS,
    MAX_TERMS,
    change_block,
    coefficient_blocks,
    coefficient_table,
    deviance_blocks,
    group_block,
    hessian_block,
    objective_formula,
    query_blocks,
    step_blocks,
)
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.separation import aliased_warning, separation_warning
from dmlib.classification.logistic_regression.terms import Terms
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.regions import error_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num
from dmlib.problem import Query

ROW_WEIGHT = (
    "Each row counts in ℓ as often as its class weighs, so standard errors and deviance are those "
    "of so many rows."
)


class Narrator:
    """Captions and ledgers of logistic regression.

    Parameters
    ----------
    terms : Terms
        The terms of the score.
    model : LogisticRegression
        Fitted, if the run has ended.
    likelihood : Likelihood
        The objective on the training rows.
    marked : collection of int
        The terms whose coefficients have a mark, to which tables answer.
    query : Query, optional
        The place or row that is classified.
    """

    def __init__(
        self,
        terms: Terms,
        model: LogisticRegression,
        likelihood: Likelihood,
        marked: Collection[int],
        query: Query | None,
    ) -> None:
        self.terms = terms
        self.problem = terms.problem
        self.model = model
        self.likelihood = likelihood
        self.query = query
        self._numbers = [1 if j in marked else None for j in range(len(terms.names))][:MAX_TERMS]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: LogisticRegressionStep = moment.step
        if step.phase == "start":
            caption, blocks = self._start(step)
        elif step.phase == "done":
            caption, blocks = self._done(step)
        else:
            caption, blocks = self._step(step, moment.before)
        if self.query is not None:
            blocks = query_blocks(self.terms, self.query, step.coef[0]) + blocks
        return caption, [self._linked(block) for block in blocks]

    def _linked(self, block: LedgerTable | Formula) -> LedgerTable | Formula:
        """Let the terms of a table answer to the mark of their coefficients."""
        if isinstance(block, Formula) or block.head[0]:
            return block
        return replace(block, by="coefficients", numbers=self._numbers)

    def _start(self, step: LogisticRegressionStep) -> tuple[str, Blocks]:
        caption = "Start: all coefficients are 0, so every probability is 0.5"
        if not step.coef.any():
            product = f"{num(self.likelihood.total)} · ln 0.5 = {num(step.log_likelihood)}"
            caption += f", and the log-likelihood is {product}"
        return f"{caption}.", [
            coefficient_table(self.terms.names, "The start", β=step.coef[0], g=step.gradient[0]),
            objective_formula(step, self.model.C),
            *class_weight_blocks(self.model.class_weight, self.problem, ROW_WEIGHT),
        ]

    def _step(
        self, step: LogisticRegressionStep, before: LogisticRegressionStep
    ) -> tuple[str, Blocks]:
        name = "log-likelihood" if np.isinf(self.model.C) else "penalised log-likelihood"
        change = changes(f"the {name}", before.objective, step.objective)
        colon = ";" if step.phase == "batch" else ":"
        return f"{self._kind_of_step(step)}{colon} {change}.", [
            *step_blocks(self.terms, step, before, self.likelihood.total),
            objective_formula(step, self.model.C),
        ]

    def _kind_of_step(self, step: LogisticRegressionStep) -> str:
        if step.phase == "batch" and step.rows is not None:
            rows = self._batch(step.rows)
            return f"Epoch {step.iteration}: a step along the gradient over {rows}"
        halved = ""
        if step.halvings:
            times = "once" if step.halvings == 1 else f"{step.halvings} times"
            halved = f" (halved {times}, since it overshot)"
        kind = "Newton" if step.phase == "newton" else "Gradient"
        return f"{kind} step {step.iteration}{halved}"

    def _batch(self, rows: NDArray[np.intp]) -> str:
        """Return the rows of a batch by their numbers."""
        numbers = self.problem.training.rows[np.sort(rows)[:MAX_ROWS]] + 1
        remainder = f" and {len(rows) - MAX_ROWS} more" if len(rows) > MAX_ROWS else ""
        noun = "row" if len(rows) == 1 else "rows"
        return f"{noun} {', '.join(map(str, numbers))}{remainder}"

    def _done(self, step: LogisticRegressionStep) -> tuple[str, Blocks]:
        blocks = [
            *coefficient_blocks(self.terms.names, step, self.model.C),
            *change_block(self.terms, step.coef[0]),
            *deviance_blocks(step, self.model.null_deviance_, self._degrees_of_freedom(step)),
            *group_block(self.terms, self.likelihood, step.coef[0]),
            error_table(self.problem, self.model),
        ]
        if step.hessian is not None:
            blocks.append(hessian_block(self.terms, step.hessian, "Hessian H"))
        return self._end(step), blocks

    def _degrees_of_freedom(self, step: LogisticRegressionStep) -> int:
        """Return the number of slopes that are estimated; 0 with a penalty."""
        if np.isfinite(self.model.C):
            return 0
        return len(self.terms.features) - len(step.aliased)

    def _end(self, step: LogisticRegressionStep) -> str:
        has_penalty = bool(np.isfinite(self.model.C))
        words = ("epoch", "epochs") if self.model.solver == "sgd" else ("iteration", "iterations")
        separation: list[str] = []
        if step.separation is not None:
            separation = separation_warning(step.separation, not has_penalty)
        sentences = [f"Done after {count(step.iteration, *words)}."]
        if has_penalty or not separation:
            sentences.append(step.reason)
        aliased = aliased_warning([self.terms.features[j] for j in step.aliased])
        return " ".join([*sentences, *aliased, *separation])
