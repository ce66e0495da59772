"""The relational neighbour classifier in words and numbers: a sweep, and the vote on one node."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.relational_neighbour.algorithm import (
    RelationalNeighborStep,
    WeightedVoteRelationalNeighbor,
    neighbor_weights,
    winners,
)
from dmlib.classification.relational_neighbour.homophily import homophily
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import GraphProblem

MAX_TERMS = 4  # of a sum
MAX_NEIGHBORS = 16  # lines of a table
MAX_LENGTH = 24  # characters of a name


class Narrator:
    """Captions and ledgers of the relational neighbour classifier.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> None:
        self.problem = run.problem
        self.model = run.model
        self.labels = np.asarray(
            run.problem.training.y
        )  # the codes of the known labels, -1 elsewhere
        self.weights = neighbor_weights(run.problem.graph, weighted=run.model.weighted)
        self.selected = run.selected

    def focus(self, step: RelationalNeighborStep) -> int | None:
        """Return the node whose vote is explained: the selected one, or the most changed one."""
        if self.selected is not None:
            return self.selected
        return int(step.change.argmax()) if step.phase == "sweep" and step.change.any() else None

    def neighbors(self, node: int) -> tuple[Ints, Floats]:
        """Return the neighbours of a node, and the weights of their votes."""
        part = slice(self.weights.indptr[node], self.weights.indptr[node + 1])
        return self.weights.indices[part].astype(np.intp), self.weights.data[part]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RelationalNeighborStep = moment.step
        narrate = {"start": self._start, "sweep": self._sweep, "done": self._done}
        caption, blocks = narrate[step.phase](step)
        node = self.focus(step)
        vote = [] if node is None else self._vote(node, step, moment.before)
        return caption, [*vote, *blocks]

    def misclassified(self, step: RelationalNeighborStep) -> tuple[int, int]:
        """Return how many of the held-out nodes are misclassified, and how many there are."""
        test = self.problem.test
        if test is None:
            return 0, 0
        is_wrong = winners(step.proba) != np.asarray(self.problem.y)
        return int(is_wrong[test].sum()), int(test.sum())

    # --- the phases -------------------------------------------------------------------------------

    def _start(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        is_known = self.labels >= 0
        total = int(is_known.sum())
        initial = "equal probabilities"
        if self.model.start == "prior":
            initial = "the class frequencies of the known labels"
        counts = np.bincount(self.labels[is_known], minlength=step.proba.shape[1])
        unlabelled = step.proba[~is_known]
        start = unlabelled[0] if len(unlabelled) else counts / total
        rows = [
            (self._class(k), int(n), f"{n} / {total} = {num(n / total)}", float(start[k]))
            for k, n in enumerate(counts)
        ]
        caption = (
            f"{total} of {len(is_known)} labels are known; the other nodes start at {initial}."
        )
        return caption, [class_table(("class", "known", "prior", "start"), rows, "Known labels")]

    def _sweep(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        node = int(step.change.argmax())
        best = int(winners(step.proba[[node]])[0])
        probabilities = "no probability changes"
        if step.change.any():
            value = f"P({self._class(best)}) = {short(step.proba[node, best]):g}"
            probabilities = f"node {self._name(node)} changes most, to {value}"
        classes = "no class changes"
        blocks: Blocks = [
            Formula(f"largest change = {num(step.change[node])}; tolerance {num(self.model.tol)}")
        ]
        if len(step.flipped):
            classes = count(len(step.flipped), "node changes its class", "nodes change their class")
            names = [self._name(i) for i in step.flipped[: MAX_TERMS + 1]]
            blocks.append(Formula(f"class changed: {abridged(names, MAX_TERMS, ', ')}"))
        caption = f"Sweep {step.sweep}: {probabilities}; {classes}."
        return caption, [*blocks, *self._errors(step)]

    def _done(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        codes = range(step.proba.shape[1])
        best = winners(step.proba)
        rows = [
            (self._class(k), int((self.labels == k).sum()), int((best == k).sum())) for k in codes
        ]
        table = class_table(("class", "known", "known or predicted"), rows, "Classes")
        return f"Done. {step.reason}{self._misclassified(step)}", [
            *self._errors(step),
            table,
            *self._homophily(),
        ]

    def _misclassified(self, step: RelationalNeighborStep) -> str:
        n_wrong, n = self.misclassified(step)
        if not n:
            return ""
        verb = "is" if n_wrong == 1 else "are"
        nodes = count(n, "held-out node", "held-out nodes")
        return f" {n_wrong} of {nodes} {verb} misclassified."

    def _errors(self, step: RelationalNeighborStep) -> Blocks:
        n_wrong, n = self.misclassified(step)
        return [Formula(f"test error = {n_wrong} / {n} = {num(n_wrong / n)}")] if n else []

    def _homophily(self) -> Blocks:
        mixing = homophily(self.problem)
        if mixing is None:
            return []
        text = f"edge homophily = {mixing.same} / {mixing.n_edges} = {num(mixing.share)}"
        if np.isfinite(mixing.assortativity):
            text += f"; assortativity = {num(mixing.assortativity)}"
        return [Formula(text)]

    # --- the vote on a node -----------------------------------------------------------------------

    def _vote(
        self, node: int, step: RelationalNeighborStep, before: RelationalNeighborStep
    ) -> Blocks:
        """Return the vote on a node, if it has one, with the probabilities of its neighbours."""
        name = self._name(node)
        label = self.labels[node]
        neighbors, weights = self.neighbors(node)
        if label >= 0:
            certainty = f"P({self._class(label)}) = 1, whatever its neighbours are"
            return [Formula(f"{name} is known: {certainty}")]
        if not len(neighbors):
            return [Formula(f"{name} has no neighbours and keeps the start")]
        if step.phase == "start":
            n = count(len(neighbors), "neighbour", "neighbours")
            return [Formula(f"{name} and its {n}: no vote yet")]
        source = self._source(node, step, before)[neighbors]
        best = int(winners(step.proba[[node]])[0])
        class_name = self._class(best)
        products = weights * source[:, best]
        order = np.argsort(-products, kind="stable")
        terms = [f"{num(weights[j])}·{num4(source[j, best])}" for j in order[: MAX_TERMS + 1]]
        total = num(weights.sum())
        vote = num(products.sum() / weights.sum())
        quotient = f"({abridged(terms, MAX_TERMS)}) / {total} = {num(products.sum())} / {total}"
        lines = [f"vote({class_name} | {name}) = {quotient} = {vote}"]
        if step.beta < 1 and step.phase == "sweep":
            former = num(before.proba[node, best])
            mean = f"{num(step.beta)}·{vote} + {num(1 - step.beta)}·{former}"
            lines.append(f"P({class_name} | {name}) = {mean} = {num(step.proba[node, best])}")
        rows = [
            (self._name(neighbors[j]), float(weights[j]), short(source[j, best]), short(product))
            for j, product in zip(order, products[order], strict=True)
        ]
        head = ("neighbour", "w", "P", "w · P")
        title = f"Votes on {name} for {class_name}"
        table = short_table(head, rows, title, max_rows=MAX_NEIGHBORS, of="neighbours")
        return [*map(Formula, lines), table, self._sums(weights, source, best)]

    def _sums(self, weights: Floats, source: Floats, best: int) -> LedgerTable:
        """Return the sum and the quotient for every class."""
        total = float(weights.sum())
        rows = [
            (self._class(k), short(value), total, short(value / total))
            for k, value in enumerate(weights @ source)
        ]
        head = ("class", "Σ w · P", "Σ w", "vote")
        return class_table(head, rows, "Vote = Σ w · P / Σ w", [best])

    def _source(
        self, node: int, step: RelationalNeighborStep, before: RelationalNeighborStep
    ) -> Floats:
        """Return the probabilities in a vote: in order, those of preceding nodes are new."""
        if step.phase == "done":
            return step.proba
        if self.model.update == "simultaneous":
            return before.proba
        return np.where((np.arange(len(step.proba)) < node)[:, None], step.proba, before.proba)

    def _class(self, code: int) -> str:
        return self._short(self.problem.classes[code])

    def _name(self, node: int) -> str:
        return self._short(self.problem.names[node])

    @staticmethod
    def _short(text: str) -> str:
        name = " ".join(text.split())
        return name if len(name) <= MAX_LENGTH else name[: MAX_LENGTH - 1] + "…"
