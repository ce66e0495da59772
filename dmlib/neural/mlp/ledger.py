"""Captions and ledgers of the epochs of a network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import is_classifier

from dmlib.arrays import Floats
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.algorithm import MLPClassifier, class_scores
from dmlib.neural.mlp.diagram_scene import Diagram
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem, Query

RULES = {
    "sgd": "v ← m v − η ∂L/∂w; w ← w + v",
    "adagrad": "s ← s + g²; w ← w − η g / √s",
    "rmsprop": "s ← 0.9 s + 0.1 g²; w ← w − η g / √s",
    "adam": "m ← 0.9 m + 0.1 g; s ← 0.999 s + 0.001 g²; w ← w − η m̂ / √ŝ",
}


class Narrator:
    """Captions and ledgers of the epochs of a network.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.MLPClassifier` or :class:`dmlib.neural.MLPRegressor`.
    diagram : Diagram
        The units that are drawn.
    """

    def __init__(self, run: Run[Problem, MLPClassifier | MLPRegressor], diagram: Diagram) -> None:
        self.run, self.problem, self.model, self.diagram = run, run.problem, run.model, diagram
        self.rows = np.asarray(run.problem.training.X, float)
        self.y = np.asarray(run.problem.training.y, float)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: MLPStep = moment.step
        layers = self.model.outputs(self.rows, step.coefs, step.intercepts)
        dead = dead_units(self.model.activation, layers)
        blocks = step_blocks(self.model, step, moment.before, dead)
        if step.phase == "done":
            blocks.append(self._errors())
        if self.run.query is not None:
            blocks = [self._query(step, self.run.query), *blocks]
        measure = self._measure(layers[-1])
        return self._caption(step, moment.before, measure, sum(dead)), blocks

    def _errors(self) -> LedgerTable:
        """Return the errors of the fitted network on the training set and on the test set."""
        if is_classifier(self.model):
            return error_table(self.problem, self.run.fitted)
        rows = []
        for name, part in (("training", self.problem.training), ("test", self.problem.testing)):
            if part is not None:
                errors = self.run.fitted.predict(part.data) - np.asarray(part.y, float)
                rows.append((name, len(errors), short(np.sqrt((errors**2).mean()))))
        return LedgerTable(("samples", "rows", "RMSE"), rows, "Errors")

    def _query(self, step: MLPStep, query: Query) -> LedgerTable:
        layers = self.model.outputs(np.atleast_2d(query.x), step.coefs, step.intercepts)
        names, units = output_names(self.problem, self.model), self.diagram.numbers(len(layers))
        title = f"Asked about: {self.problem.name(query)}"
        return output_table(layers[-1][0], names, title, units)

    def _measure(self, output: Floats) -> str:
        """Return the error of the training rows, as a part of a sentence."""
        rows = count(len(output), "training row", "training rows")
        if not isinstance(self.model, MLPClassifier):
            rmse = float(np.sqrt(((output[:, 0] - self.y) ** 2).mean()))
            return f"the root mean squared error of {rows} is {rmse:.4g}"
        predicted = np.unique(self.y)[class_scores(output, self.model.loss).argmax(axis=1)]
        n_wrong = int((predicted != self.y).sum())
        return f"{n_wrong} of {rows} {'is' if n_wrong == 1 else 'are'} misclassified"

    def _caption(self, step: MLPStep, before: MLPStep, measure: str, n_dead: int) -> str:
        if step.phase == "start":
            init = self.model.init if isinstance(self.model.init, str) else "given"
            return f"Initial weights ({init}): {measure}."
        if step.phase == "done":
            end = f"Done after {count(step.epoch, 'epoch', 'epochs')}: {measure}."
            return f"{end}{_reason(step)}{_dead(n_dead)}"
        change = changes("the loss", short(before.loss), short(step.loss))
        best = ""
        if step.phase == "best":
            loss = num4(step.validation_loss or 0.0)
            best = f"; the validation loss {loss} is the smallest so far"
        return f"Epoch {step.epoch}: {change}, {measure}{best}."


def _reason(step: MLPStep) -> str:
    """Return why learning ended, or which weights are used."""
    if step.reason != "All epochs are done.":
        return f" {step.reason}"
    if step.validation_loss is None:
        return ""
    return f" The weights of epoch {step.best_epoch}, with the smallest validation loss, are kept."


def _dead(n: int) -> str:
    return f" {count(n, 'unit is', 'units are')} dead: 0 for every row." if n else ""


def dead_units(activation: str, layers: Sequence[Floats]) -> list[int]:
    """Return the number of units of each hidden layer that are 0 for all rows: dead ReLUs.

    Examples
    --------
    >>> dead_units("relu", [np.array([[0.0, 1.0], [0.0, 0.0]]), np.ones((2, 1))])
    [1]
    """
    if activation != "relu":
        return []
    return [int((layer == 0).all(axis=0).sum()) for layer in layers[:-1]]


def output_names(problem: Problem, model: MLPClassifier | MLPRegressor) -> list[str]:
    """Return the names of the output units."""
    if not is_classifier(model):
        return [problem.target or "y"]
    codes = np.unique(np.asarray(problem.training.y, int))
    return [problem.classes[code] for code in (codes[1:] if len(codes) == 2 else codes)]


def layer_name(layer: int, n_layers: int) -> str:
    """Return the name of a layer of weights, by the units that it leads to.

    Examples
    --------
    >>> layer_name(0, 2), layer_name(1, 2)
    ('layer 1', 'output')
    """
    return "output" if layer == n_layers - 1 else f"layer {layer + 1}"


def step_blocks(
    model: MLPClassifier | MLPRegressor, step: MLPStep, before: MLPStep, dead: Sequence[int]
) -> Blocks:
    """Write out the update rule, the rate, and how far the weights of each layer went."""
    n, learned = len(step.coefs), step.phase in ("epoch", "best")
    rows = []
    for layer, (W, old) in enumerate(zip(step.coefs, before.coefs, strict=True)):
        moved = float(np.linalg.norm(W - old))
        silent = (dead[layer] if layer < len(dead) else None,) * bool(dead)
        rows.append(
            (
                layer_name(layer, n),
                W.size,
                short(np.linalg.norm(W)),
                *[short(moved)] * learned,
                *silent,
            )
        )
    head = ("weights of", "number", "‖W‖", *["‖ΔW‖"] * learned, *["dead"] * bool(dead))
    blocks: Blocks = [short_table(head, rows, "Weights", by="layer", numbers=range(1, n + 1))]
    if step.phase != "start":
        rate, t = num(model.learning_rate), max(step.epoch - 1, 0)
        decayed = (
            f"{rate} / (1 + {num(model.decay)} · {t}) = {num(step.rate)}" if model.decay else rate
        )
        momentum = f", m = {num(model.momentum)}" if model.solver == "sgd" else ""
        rule = RULES[model.solver] if model.solver != "sgd" or model.momentum else "w ← w − η ∂L/∂w"
        blocks.append(Formula(f"{rule}; η = {decayed}{momentum if model.momentum else ''}"))
    penalty = f" + {num(model.alpha)} / (2 · rows) ‖W‖²" if model.alpha else ""
    formula = LOSSES[model.loss_name(step.coefs[-1].shape[1])].formula
    blocks.append(Formula(f"L = mean of {formula}{penalty} = {num(step.loss)}"))
    if step.validation_loss is not None:
        best = f"; smallest in epoch {step.best_epoch}" if step.best_epoch else ""
        blocks.append(Formula(f"validation loss = {num(step.validation_loss)}{best}"))
    return blocks


def output_table(
    outputs: Floats, names: Sequence[str], title: str, units: Sequence[int | None]
) -> LedgerTable:
    """Return the outputs as a table; ``units`` are their numbers in the picture."""
    rows = [(name, short(value)) for name, value in zip(names, outputs, strict=True)]
    return short_table(("output", "value"), rows, title, by="unit", numbers=units)
