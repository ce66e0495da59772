"""Captions and ledgers of cascade correlation: candidates, what S is made of, and the outputs."""

from __future__ import annotations

import numpy as np

from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.cascade import CascadeCorrelationClassifier, CascadeStep, candidate_rows
from dmlib.neural.mlp.ledger import output_names
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num4, short, signed
from dmlib.problem import Problem

MAX_ROWS = 6  # of a sum over the rows that are written out
MAX_CANDIDATES = 16  # that are listed


class Narrator:
    """Captions and ledgers of cascade correlation.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.CascadeCorrelationClassifier`.
    """

    def __init__(self, run: Run[Problem, CascadeCorrelationClassifier]) -> None:
        self.run, self.problem, self.model = run, run.problem, run.model
        self.training = run.problem.training
        self.names = output_names(run.problem, run.model)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step, before = moment.step, moment.before
        return self._caption(step, before), [*self._query(step), *self._blocks(step, before)]

    def _caption(self, step: CascadeStep, before: CascadeStep) -> str:
        units = f"with {count(step.n_units, 'hidden unit', 'hidden units')}"
        if not step.n_units:
            units = "without hidden units"
        if step.phase == "done":
            return f"Done {units} after {step.epoch} epochs: {self._wrong(step)}. {step.reason}"
        if step.phase == "outputs":
            loss = changes("the loss", short(before.loss), short(step.loss))
            if before is step:
                loss = f"the loss is {num4(step.loss)}"
            return f"Epoch {step.epoch}, outputs {units}: {loss}, {self._wrong(step)}."
        assert step.correlations is not None
        S = num4(step.correlations[step.best])
        if step.phase == "candidates":
            pool = count(len(step.correlations), "candidate is", "candidates are")
            return (
                f"Epoch {step.epoch}, {pool} trained for unit {step.n_units + 1}: S is largest of"
                f" candidate {step.best + 1}, {S}."
            )
        return (
            f"Candidate {step.best + 1} with S = {S} becomes hidden unit {step.n_units}; its"
            " incoming weights are frozen."
        )

    def _wrong(self, step: CascadeStep) -> str:
        n = step.n_wrong
        rows = count(len(self.training.X), "training row", "training rows")
        return f"{n} of {rows} {'is' if n == 1 else 'are'} misclassified"

    def _blocks(self, step: CascadeStep, before: CascadeStep) -> Blocks:
        if step.phase == "candidates":
            return [self._candidates(step), *self._sum(step)]
        if step.phase == "install":
            return [self._candidates(step), *self._sum(before), self._layers(step)]
        formula = LOSSES[self.model.loss_name(step.coefs[-1].shape[1])].formula
        blocks: Blocks = [self._layers(step), Formula(f"L = mean of {formula} = {num4(step.loss)}")]
        if step.phase == "done":
            blocks.append(error_table(self.problem, self.run.fitted))
        return blocks

    def _candidates(self, step: CascadeStep) -> LedgerTable:
        correlations = np.asarray(step.correlations)
        order = np.argsort(-correlations, kind="stable")
        rows = [[int(k) + 1, short(correlations[k])] for k in order]
        return short_table(
            ("candidate", "S"),
            rows,
            "Candidates, the best first",
            emphasis=(0,),
            max_rows=MAX_CANDIDATES,
            by="candidate",
        )

    def _sum(self, step: CascadeStep) -> Blocks:
        """Write out S of the best candidate: its sums over the rows, output by output."""
        V, errors = candidate_rows(self.model, self.training, step)
        v = V[:, step.best]
        sums = errors.T @ v
        first = int(np.abs(sums).argmax())
        products = v * errors[:, first]
        order = np.argsort(-np.abs(products), kind="stable")[:MAX_ROWS]
        rows = [
            [int(self.training.rows[i]) + 1, *map(short, (v[i], errors[i, first], products[i]))]
            for i in order
        ]
        title = f"Output {self.names[first]}: {len(rows)} of {len(v)} rows"
        table = LedgerTable(("row", "V − V̄", "E − Ē", "product"), rows, title, by="row")
        total = Formula(f"Σ of all {len(v)} products = {num4(sums[first])}")
        terms = " + ".join(f"|{num4(value)}|" for value in sums)
        S = Formula(f"S of candidate {step.best + 1} = {terms} = {num4(np.abs(sums).sum())}")
        return [table, total, S]

    def _layers(self, step: CascadeStep) -> LedgerTable:
        rows: list[list[str | int | float]] = []
        for k, (W, b) in enumerate(zip(step.coefs, step.intercepts, strict=True), start=1):
            is_output = k == len(step.coefs)
            name = "outputs" if is_output else f"unit {k}"
            rows.append(
                [name, W.size + b.size, short(np.linalg.norm(W)), "" if is_output else "yes"]
            )
        return LedgerTable(
            ("weights of", "number", "‖w‖", "frozen"),
            rows,
            "Weights",
            by="layer",
            numbers=self._numbers(len(rows)),
        )

    def _numbers(self, n: int) -> list[int]:
        """Return the numbers of the edges; those to the outputs are the last of the whole run."""
        last = self.run.trace.steps[-1].n_units + 1
        return [*range(1, n), last]

    def _query(self, step: CascadeStep) -> Blocks:
        query = self.run.query
        if query is None:
            return []
        *units, output = self.model.outputs(np.atleast_2d(query.x), step.coefs, step.intercepts)
        rows = [(f"unit {k}", short(V[0, 0])) for k, V in enumerate(units, start=1)]
        rows += [(name, short(p)) for name, p in zip(self.names, output[0], strict=True)]
        title = f"Asked about: {self.problem.name(query)}"
        W, b = step.coefs[-1], step.intercepts[-1]
        inputs = np.concatenate([query.x, *(V[0] for V in units)])
        table = short_table(("output of", "value"), rows, title)
        if len(inputs) > MAX_ROWS:
            return [table]
        terms = " + ".join(
            f"{num4(x)} · {signed(w, 4)}" for x, w in zip(inputs, W[:, 0], strict=True)
        )
        total = num4(float(inputs @ W[:, 0] + b[0]))
        return [table, Formula(f"sum of {self.names[0]}: {terms} + {signed(b[0], 4)} = {total}")]
