"""Captions and ledgers of a deep belief network: sums of units, probabilities, and errors."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.deep_belief import N_MACHINES, DeepBeliefNetwork, DeepBeliefStep
from dmlib.neural.boltzmann.tuning import hidden, outputs
from dmlib.neural.mlp.targets import Weights
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, percent, short, signed
from dmlib.problem import PatternsProblem

MAX_TERMS = 6  # of a sum
MAX_LINES = 12  # of a table
NETWORKS = ("pre-trained", "random start")


class ErrorRates:
    """Fractions of misclassified patterns of both networks.

    Parameters
    ----------
    problem : PatternsProblem
        The patterns, with those that are held out.
    """

    def __init__(self, problem: PatternsProblem) -> None:
        self.parts = {"training": problem.training}
        if problem.testing is not None:
            self.parts["test"] = problem.testing
        self.classes = np.unique(np.asarray(problem.training.y))
        self.shown = list(self.parts)[-1]
        self._errors: dict[int, dict[str, tuple[float, float]]] = {}

    def of(self, step: DeepBeliefStep) -> dict[str, tuple[float, float]]:
        """Return the errors of both networks on each part, the pre-trained one first."""
        if step.epoch not in self._errors:
            self._errors[step.epoch] = {
                name: (
                    self._error(part, step.coefs, step.intercepts),
                    self._error(part, step.random_coefs, step.random_intercepts),
                )
                for name, part in self.parts.items()
            }
        return self._errors[step.epoch]

    def _error(self, part: PatternsProblem, coefs: Weights, intercepts: Weights) -> float:
        predicted = outputs(part.data, coefs, intercepts)[-1].argmax(axis=1)
        return float(np.mean(self.classes[predicted] != part.y))


class Narrator:
    """Captions and ledgers of a deep belief network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepBeliefNetwork`.
    pattern : ndarray of shape (n_cells,)
        The pattern that is shown, 0 and 1.
    rates : ErrorRates
        The errors of both networks.
    """

    def __init__(
        self, run: Run[PatternsProblem, DeepBeliefNetwork], pattern: Floats, rates: ErrorRates
    ) -> None:
        self.problem, self.pattern, self.rates = run.problem, pattern, rates
        self.sizes = (run.model.n_components, run.model.n_second)
        self.selected = run.selected

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DeepBeliefStep = moment.step
        if step.random_coefs:
            return self._tuning(step), [self._errors(step), self._classes(step), *self._unit(step)]
        return self._learning(step), [self._machine(step), *self._unit(step)]

    def _learning(self, step: DeepBeliefStep) -> str:
        data = "patterns" if step.layer == 1 else f"{self.sizes[0]} activations of layer 1"
        error = num4(step.reconstruction_error)
        if step.phase == "start":
            start = f"Machine {step.layer} of {N_MACHINES} starts with small random weights"
            return f"{start}; it reconstructs the {data} with a mean squared error of {error}."
        epoch = f"Machine {step.layer}, epoch {step.epoch}"
        return f"{epoch}: the {data} are reconstructed with a mean squared error of {error}."

    def _tuning(self, step: DeepBeliefStep) -> str:
        learned, random = map(percent, self.rates.of(step)[self.rates.shown])
        errors = f"{self.rates.shown} error {learned}, {random} from random weights"
        if step.phase == "stack":
            return f"A softmax layer for {len(step.coefs[-1].T)} classes is put on top: {errors}."
        if step.phase == "tune":
            return f"Epoch {step.epoch} of back-propagation: {errors}."
        epochs = count(step.epoch, "epoch", "epochs")
        if not step.converged:
            return f"Stopped after {epochs}: the weights grow without bound; {errors}."
        return f"Done after {epochs} of back-propagation: {errors}."

    def _machine(self, step: DeepBeliefStep) -> LedgerTable:
        """Return the sum and the probability of each unit of the machine that learns."""
        v = hidden(self.pattern, step.coefs[:-1], step.intercepts[:-1])[-1]
        sums = v @ step.coefs[-1] + step.intercepts[-1]
        first = 1 + sum(self.sizes[: step.layer - 1])
        rows = [[first + j, short(x), short(expit(x))] for j, x in enumerate(sums)]
        title = f"Units of layer {step.layer}, given the pattern shown"
        head = ("unit", "x = b + w·v", "p(h = 1)")
        return short_table(head, rows, title, max_rows=MAX_LINES, by="unit")

    def _errors(self, step: DeepBeliefStep) -> LedgerTable:
        columns = self.rates.of(step)
        losses = (step.loss, step.random_loss)
        rows: list[list[str | float]] = [
            [name, *(short(errors[i]) for errors in columns.values()), short(losses[i])]
            for i, name in enumerate(NETWORKS)
        ]
        if step.phase == "stack":
            rows = [row[:-1] for row in rows]
        head = ("network", *(f"{part} error" for part in columns), "mean loss")
        return LedgerTable(head[: len(rows[0])], rows, "Fraction of misclassified patterns")

    def _classes(self, step: DeepBeliefStep) -> LedgerTable:
        shares = [
            outputs(self.pattern[None], coefs, intercepts)[-1][0]
            for coefs, intercepts in (
                (step.coefs, step.intercepts),
                (step.random_coefs, step.random_intercepts),
            )
        ]
        names = [self.problem.classes[code] for code in self.rates.classes]
        rows = [[name, *map(short, row)] for name, *row in zip(names, *shares, strict=True)]
        title = "Probability of each class, of the pattern shown"
        return short_table(("class", *NETWORKS), rows, title, max_rows=MAX_LINES)

    def _unit(self, step: DeepBeliefStep) -> Blocks:
        """Write out the sum of the selected hidden unit; by default of the first of the top."""
        unit, layer = 0, step.layer - 1
        if self.selected is not None and self.selected < sum(self.sizes[: step.layer]):
            layer = int(self.selected >= self.sizes[0])
            unit = self.selected - self.sizes[0] * layer
        v = hidden(self.pattern, step.coefs[:layer], step.intercepts[:layer])[-1]
        terms, b = step.coefs[layer][:, unit] * v, step.intercepts[layer][unit]
        order = [i for i in np.argsort(-np.abs(terms), kind="stable") if v[i]]
        listing = abridged([signed(terms[i], 4) for i in order], MAX_TERMS) or "0"
        x = float(terms.sum() + b)
        number = unit + 1 + sum(self.sizes[:layer])
        sum_ = f"x = b + Σ w·v = {num4(b)} + ({listing}) = {num4(x)}"
        p = f"p = 1/(1 + e^({num(-x)})) = {num4(expit(x))}"
        return [Formula(f"unit {number}, layer {layer + 1}: {sum_}; {p}")]
