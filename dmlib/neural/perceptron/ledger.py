"""Captions and ledgers of a linear unit: the weighted sum of a row, its sign, and the update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.margin import Margin, margin_of
from dmlib.neural.perceptron.neuron import LinearUnit, NeuronStep
from dmlib.neural.perceptron.voted import Ballot
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import Problem

MAX_TERMS = 12  # lines of a table of weights
MAX_PARTS = 4  # weights of a vector that are listed
MEMORY = {"best": "best so far, in the pocket", "average": "average so far"}


class Narrator:
    """Captions and ledgers of a perceptron or of Adaline.

    Parameters
    ----------
    run : Run
        Steps of one of them.
    """

    def __init__(self, run: Run[Problem, LinearUnit]) -> None:
        self.run, self.problem, self.model = run, run.problem, run.model
        self.is_adaline = isinstance(run.model, Adaline)
        self.n_constant = int(run.model.fit_intercept)
        self.terms = run.model.terms(np.asarray(run.problem.training.X, float))
        self.names = [*["intercept"] * self.n_constant, *run.problem.features]
        self.margin, self.why_unbounded = (None, "") if self.is_adaline else margin_of_run(run)

    @property
    def _arrow_numbers(self) -> list[int | None]:
        """The number of the arrow for the terms whose weights it shows; None for the others."""
        numbers = [1 if axes.any() else None for axes in self.problem.plane.basis.T]
        return [*[None] * self.n_constant, *numbers][:MAX_TERMS]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: NeuronStep = moment.step
        if step.row is None:
            captions = {"start": self._start, "epoch": self._epoch, "done": self._done}
            caption = captions[step.phase](step)
            blocks: Blocks = [weight_table(self.names, "Weights", w=step.weights)]
        else:
            caption = self._row(step, step.row)
            blocks = self._update(step, self.terms[step.row], moment.before.weights)
        return caption, [*self._query(step), *map(self._with_arrow, blocks), *self._state(step)]

    def _with_arrow(self, block: LedgerTable | Formula) -> LedgerTable | Formula:
        """Return a block, of which a table of weights is linked to the arrow."""
        if isinstance(block, LedgerTable):
            block = replace(block, by="weights", numbers=self._arrow_numbers)
        return block

    def _query(self, step: NeuronStep) -> Blocks:
        """Return the sum and the class of the place that is asked about."""
        query, weights = self.run.query, step.decision_weights
        if query is None:
            return []
        x = np.append(np.ones(self.n_constant), query.x)
        if step.ballot is not None:
            return self._vectors(step.ballot, x)
        score, terms = float(x @ weights), [signed(part) for part in x * weights]
        name, title = self.problem.classes[int(score > 0)], self.problem.name(query)
        columns = {"x": x, "w": weights, "w·x": x * weights}
        return [
            weight_table(self.names, f"Asked about: {title}", **columns),
            Formula(f"s = {abridged(terms, MAX_TERMS)} = {num(score)}"),
            Formula(f"{num(score)} {'>' if score > 0 else '≤'} 0, so the class is {name}"),
        ]

    def _state(self, step: NeuronStep) -> Blocks:
        """Return the mistakes so far, the weights in memory and, at the end, the errors."""
        blocks: Blocks = []
        if not self.is_adaline:
            blocks.append(self._mistakes(step))
        if step.ballot is not None and self.run.query is None:
            blocks += self._vectors(step.ballot)
        if step.decision_weights is not step.weights:
            title = f"Weights that are {MEMORY[self.model.keep]}"
            blocks.append(weight_table(self.names, title, w=step.decision_weights))
        if step.phase == "done":
            blocks.append(error_table(self.problem, self.run.fitted))
        return blocks

    def _mistakes(self, step: NeuronStep) -> Formula:
        """Compare the mistakes so far with Novikoff's bound."""
        so_far, margin = f"mistakes so far: {step.n_mistakes}", self.margin
        if margin is None or np.isnan(margin.bound):
            return Formula(so_far + (f"; {self.why_unbounded}" if self.why_unbounded else ""))
        R, g = num(margin.longest), num(margin.width)
        return Formula(f"{so_far} ≤ (R / γ)² = ({R} / {g})² = {num(margin.bound)}")

    def _vectors(self, ballot: Ballot, z: Floats | None = None) -> Blocks:
        """Return the weight vectors with the most votes and, of a place, how they vote."""
        vectors, votes = ballot.vectors, ballot.votes
        sums = np.zeros(len(votes)) if z is None else vectors @ z
        texts = {
            int(i): abridged([num4(w) for w in vectors[i]], MAX_PARTS, ", ")
            for i in np.argsort(-votes, kind="stable")[:MAX_TERMS]
        }
        rows = [(i + 1, text, int(votes[i]), short(sums[i])) for i, text in texts.items()]
        title = f"Most votes of {count(len(votes), 'weight vector', 'weight vectors')}"
        if z is None:
            return [LedgerTable(("vector", "w", "votes c"), [row[:3] for row in rows], title)]
        n = int(votes[sums > 0].sum())
        name = self.problem.classes[int(2 * n > ballot.n_rows)]
        sentence = f"votes with w·x > 0: {n} of {ballot.n_rows}, so the class is {name}"
        return [LedgerTable(("vector", "w", "votes c", "w·x"), rows, title), Formula(sentence)]

    def _update(self, step: NeuronStep, z: Floats, before: Floats) -> Blocks:
        """Write out the sum of a row, whether it is misclassified, and the update."""
        parts = z * before
        terms = abridged([signed(part) for part in parts], MAX_TERMS)
        title, columns = "The row's weighted sum", {"x": z, "w": before, "w·x": parts}
        if step.phase == "update":
            title = "The update"
            columns = {"x": z, "w": before, "Δ": step.gain * z, "new_w": step.weights}
        table = weight_table(self.names, title, **columns)
        blocks: Blocks = [table, Formula(f"s = {terms} = {num(step.score)}")]
        y, eta = "+1" if step.sign > 0 else "−1", num(self.model.learning_rate)
        if self.is_adaline:
            error = step.sign - step.score
            blocks.append(Formula(f"error e = y − s = {y} − {signed(step.score)} = {num(error)}"))
            rule, factor = "w + η e x", f"{eta} · {signed(error)}"
        else:
            product = step.sign * step.score
            sentence = "≤ 0: misclassified" if product <= 0 else "> 0: correct, the weights stay"
            blocks.append(Formula(f"y s = {y} · {signed(step.score)} = {num(product)} {sentence}"))
            rule, factor = "w + η y x", f"{eta} · ({y})"
        if step.phase == "update":
            j = len(self.names) - 1
            sum_ = f"{num(before[j])} + {factor} · {signed(z[j])} = {num(step.weights[j])}"
            blocks.append(Formula(f"w ← {rule}; {self.names[j]}: {sum_}"))
        return blocks

    def _start(self, step: NeuronStep) -> str:
        if step.weights.any():
            return "Start: the boundary of the initial weights."
        return "Start: all weights are 0, so there is no boundary yet."

    def _row(self, step: NeuronStep, row: int) -> str:
        number = int(self.problem.training.rows[row]) + 1
        start = f"Row {number}, epoch {step.epoch}:"
        name, sum_ = self.problem.classes[int(step.sign > 0)], num(step.score)
        if self.is_adaline:
            return f"{start} the sum {sum_} is moved towards {num(step.sign)}, class {name}."
        if step.phase == "right":
            return f"{start} the sum {sum_} is on the side of {name}, so the weights stay."
        where = "on the line" if step.score == 0 else "on the wrong side"
        update = f"η y x is added to the weights; mistake {step.n_mistakes}"
        return f"{start} {name} is {where}, so {update}."

    def _epoch(self, step: NeuronStep) -> str:
        if self.is_adaline:
            return (
                f"Epoch {step.epoch} ends: the mean squared error of its rows was {num(step.cost)}."
            )
        return f"Epoch {step.epoch} ends with {count(int(step.cost), 'mistake', 'mistakes')}."

    def _done(self, step: NeuronStep) -> str:
        epochs = count(step.epoch, "epoch", "epochs")
        if self.is_adaline:
            return f"Done after {epochs}. {step.reason}".strip()
        mistakes = count(step.n_mistakes, "mistake", "mistakes")
        outlook = [] if step.converged else self._unconverged(step)
        return " ".join([f"Done after {epochs} with {mistakes}.", step.reason, *outlook])

    def _unconverged(self, step: NeuronStep) -> list[str]:
        """Return sentences on whether more epochs would help."""
        sentence = "A line separates the classes: more epochs will find it."
        if self.margin is not None and not self.margin.separable:
            sentence = "No line separates these classes, so the perceptron never converges."
        if not step.cycle:
            return [sentence]
        first, repeated = step.cycle
        since = f"after epoch {first}" if first else "of the start"
        repeats = f"The weights after epoch {repeated} are those {since}: everything repeats."
        return [sentence, repeats]


def margin_of_run(run: Run[Problem, LinearUnit]) -> tuple[Margin | None, str]:
    """Return the margin of a perceptron's run, and why it does not bound the mistakes.

    There is no margin while the run has not ended, nor where the bound does not hold. It does not
    depend on the learning rate, so that the problem caches it.
    """
    problem, model, last = run.problem, run.model, run.trace.steps[-1]
    if last.phase != "done":
        return None, ""
    key = f"margin {model.fit_intercept} {last.converged}"
    if key not in problem.cache:
        rows, codes = problem.training.X, problem.training.y
        X, y = np.asarray(rows, float), np.asarray(codes, np.intp)
        problem.cache[key] = margin_of(model, X, y, last.converged)
    margin: Margin = problem.cache[key]
    if not margin.separable:
        return margin, "no bound, since no line separates the classes"
    if run.trace.steps[0].weights.any():
        return None, "the bound (R / γ)² holds for initial weights of zero"
    if np.isnan(margin.bound):
        return margin, "the margin was not computed, or is too narrow for a bound"
    return margin, ""


def weight_table(names: Sequence[str], title: str, **columns: Floats) -> LedgerTable:
    """Return one line per term with a number from each column."""
    head = ("", *(name.replace("_", " ") for name in columns))
    numbers = zip(*columns.values(), strict=True)
    rows = [[name, *map(short, line)] for name, line in zip(names, numbers, strict=True)]
    return short_table(head, rows, title, max_rows=MAX_TERMS)
