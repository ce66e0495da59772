"""Captions and ledgers of pruning: the criterion of the connections, losses, and errors."""

from __future__ import annotations

import numpy as np

from dmlib.neural.mlp.algorithm import class_scores
from dmlib.neural.mlp.diagram_scene import Diagram
from dmlib.neural.mlp.ledger import output_names, output_table
from dmlib.neural.mlp.pruned import PrunedMLPClassifier, PruningStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.regions import error_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num4, short, signed
from dmlib.problem import Problem

MAX_LINES = 8  # candidates that are listed


class Narrator:
    """Captions and ledgers of pruning.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.PrunedMLPClassifier`.
    diagram : Diagram
        The units that are drawn.
    """

    def __init__(self, run: Run[Problem, PrunedMLPClassifier], diagram: Diagram) -> None:
        self.run, self.problem, self.model, self.diagram = run, run.problem, run.model, diagram
        self.rows = np.asarray(run.problem.training.X, float)
        self.y = np.asarray(run.problem.training.y, int)
        self.outputs = output_names(run.problem, run.model)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: PruningStep = moment.step
        blocks: Blocks = [*self._query(step), *self._blocks(step, moment.before)]
        return self._caption(step, moment.before), blocks

    def _caption(self, step: PruningStep, before: PruningStep) -> str:
        measure = self._measure(step)
        n_left = count(step.n_connections, "connection", "connections")
        if step.phase == "train":
            return f"Trained for {count(step.epoch, 'epoch', 'epochs')}, {n_left}: {measure}."
        if step.phase == "prune" and step.removed is not None:
            loss = changes("the loss", short(before.loss), short(step.loss))
            return f"{self.name(step.removed).capitalize()} is removed, {n_left} left: {loss}."
        if step.phase == "retrain":
            epochs = count(self.model.n_retrain, "epoch", "epochs")
            loss = changes("the loss", short(before.loss), short(step.loss))
            return f"Retrained for {epochs}: {loss}, {measure}."
        if not step.converged:
            return f"Stopped with {n_left}: the weights grow without bound. Lower the rate."
        return f"Done with {n_left} left, {step.n_removed} removed: {measure}."

    def _measure(self, step: PruningStep) -> str:
        output = self.model.outputs(self.rows, step.coefs, step.intercepts)[-1]
        predicted = np.unique(self.y)[class_scores(output, self.model.loss).argmax(axis=1)]
        n_wrong = int((predicted != self.y).sum())
        rows = count(len(self.y), "training row", "training rows")
        return f"{n_wrong} of {rows} {'is' if n_wrong == 1 else 'are'} misclassified"

    def name(self, connection: tuple[int, int, int]) -> str:
        """Return the name of a connection, by its units."""
        layer, i, j = connection
        start = self.problem.features[i] if layer == 0 else f"unit {i + 1} of layer {layer}"
        is_last = layer == len(self.diagram.sizes) - 2
        end = self.outputs[j] if is_last else f"unit {j + 1} of layer {layer + 1}"
        return f"the connection from {start} to {end}"

    def _blocks(self, step: PruningStep, before: PruningStep) -> Blocks:
        if step.phase == "prune" and step.removed is not None:
            return self._criterion(step, before, step.removed)
        sizes = zip(step.masks, step.coefs, strict=True)
        rows = [
            [layer, W.size, int(mask.sum()), short(np.linalg.norm(W))]
            for layer, (mask, W) in enumerate(sizes, start=1)
        ]
        head = ("layer", "connections", "left", "‖W‖")
        table = LedgerTable(head, rows, "Connections", by="layer", numbers=range(1, 1 + len(rows)))
        blocks: Blocks = [table, Formula(f"mean loss L = {num4(step.loss)}")]
        if step.phase == "done":
            blocks.append(error_table(self.problem, self.run.fitted))
        return blocks

    def _criterion(
        self, step: PruningStep, before: PruningStep, removed: tuple[int, int, int]
    ) -> Blocks:
        """Write out the criterion of the connections that were nearest to being removed."""
        second = self.model.second_derivatives(self.rows, before.coefs, before.intercepts)
        scores = [
            (float(value), (layer, int(i), int(j)))
            for layer, values in enumerate(step.scores)
            for (i, j), value in np.ndenumerate(values)
            if np.isfinite(value)
        ]
        rows: list[list[str | float]] = []
        for _, (layer, i, j) in sorted(scores, key=lambda pair: pair[0])[:MAX_LINES]:
            w, h = float(before.coefs[layer][i, j]), float(second[layer][i, j])
            units = f"{layer + 1}: {i + 1} → {j + 1}"
            rows.append([units, short(w), short(h), short(h * w * w / 2)])
        title = f"Candidates, the first of {len(scores)}"
        layer, i, j = removed
        w, h = float(before.coefs[layer][i, j]), float(second[layer][i, j])
        formula = f"|w| = {num4(abs(w))}, the smallest"
        if self.model.criterion == "saliency":
            product = f"{num4(h)} · {signed(w, 4)}² / 2 = {num4(h * w * w / 2)}"
            formula = f"s = h w² / 2 = {product}, the smallest"
        rise = f"{num4(step.loss)} − {num4(before.loss)} = {num4(step.loss - before.loss)}"
        return [
            Formula(formula),
            LedgerTable(("layer: units", "w", "h = ∂²L/∂w²", "h w² / 2"), rows, title),
            Formula(f"the loss changes by {rise}"),
        ]

    def _query(self, step: PruningStep) -> list[LedgerTable]:
        if self.run.query is None:
            return []
        query = self.run.query
        layers = self.model.outputs(np.atleast_2d(query.x), step.coefs, step.intercepts)
        title = f"Asked about: {self.problem.name(query)}"
        units = self.diagram.numbers(len(layers))
        return [output_table(layers[-1][0], self.outputs, title, units)]
