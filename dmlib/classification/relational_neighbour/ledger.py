"""The relational neighbour classifier in words and numbers: a sweep, and the vote on one node."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.relational_neighbour.algorithm import (
    RelationalNeighborStep,
    neighbor_weights,
    winners,
)
from dmlib.classification.relational_neighbour.homophily import homophily
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short

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

    def __init__(self, run: Run) -> None:
        self.problem, self.model = run.problem, run.model
        self.given = run.problem.training.y  # the codes of the known labels, -1 elsewhere
        self.weights = neighbor_weights(run.problem.graph, weighted=run.model.weighted)
        self.selected = run.selected

    def focus(self, step: RelationalNeighborStep) -> int | None:
        """Return the node whose vote is written out: the selected one, or the one that the sweep changed most."""
        if self.selected is not None:
            return self.selected
        return int(step.change.argmax()) if step.phase == "sweep" and step.change.any() else None

    def neighbors(self, node: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], Floats]:
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
        is_wrong = winners(step.proba) != self.problem.y
        return int(is_wrong[test].sum()), int(test.sum())

    # The three kinds of steps
    # -----------------------------------------------------------------------------------------

    def _start(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        is_known = self.given >= 0
        begin = (
            "the class frequencies of the known labels"
            if self.model.start == "prior"
            else "equal probabilities"
        )
        caption = (
            f"{int(is_known.sum())} of {len(is_known)} labels "
            f"are known; the other nodes start at {begin}."
        )
        counts = np.bincount(self.given[is_known], minlength=step.proba.shape[1])
        free = step.proba[~is_known]
        begins = free[0] if len(free) else counts / counts.sum()
        rows = [
            (
                self._class(k),
                int(n),
                f"{n} / {is_known.sum()} = {num(n / is_known.sum())}",
                float(p),
            )
            for k, (n, p) in enumerate(zip(counts, begins, strict=True))
        ]
        return caption, [class_table(("class", "known", "prior", "start"), rows, "Known labels")]

    def _sweep(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        node, flips = int(step.change.argmax()), len(step.flipped)
        best = int(winners(step.proba[[node]])[0])
        changed = (
            count(flips, "node changes its class", "nodes change their class")
            if flips
            else "no class changes"
        )
        largest = (
            f"node {self._name(node)} changes most, to "
            f"P({self._class(best)}) = {short(step.proba[node, best]):g}"
            if step.change.any()
            else "no probability changes"
        )
        ledger: Blocks = [
            Formula(f"largest change = {num(step.change[node])}; tolerance {num(self.model.tol)}")
        ]
        if flips:
            names = abridged(
                [self._name(i) for i in step.flipped[: MAX_TERMS + 1].tolist()], MAX_TERMS, ", "
            )
            ledger.append(Formula(f"class changed: {names}"))
        return f"Sweep {step.sweep}: {largest}; {changed}.", [*ledger, *self._errors(step)]

    def _done(self, step: RelationalNeighborStep) -> tuple[str, Blocks]:
        codes = range(step.proba.shape[1])
        best = winners(step.proba)
        rows = [
            (self._class(k), int((self.given == k).sum()), int((best == k).sum())) for k in codes
        ]
        table = class_table(("class", "known", "known or predicted"), rows, "Classes")
        return f"Done. {step.reason}{self._misclassified(step)}", [
            *self._errors(step),
            table,
            *self._homophily(),
        ]

    def _misclassified(self, step: RelationalNeighborStep) -> str:
        wrong, n = self.misclassified(step)
        held_out = count(n, "held-out node", "held-out nodes")
        return f" {wrong} of {held_out} {'is' if wrong == 1 else 'are'} misclassified." if n else ""

    def _errors(self, step: RelationalNeighborStep) -> Blocks:
        wrong, n = self.misclassified(step)
        return [Formula(f"test error = {wrong} / {n} = {num(wrong / n)}")] if n else []

    def _homophily(self) -> Blocks:
        mixing = homophily(self.problem)
        if mixing is None:
            return []
        text = f"edge homophily = {mixing.same} / {mixing.n_edges} = {num(mixing.share)}"
        if np.isfinite(mixing.assortativity):
            text += f"; assortativity = {num(mixing.assortativity)}"
        return [Formula(text)]

    # The vote on a node
    # -----------------------------------------------------------------------------------------------

    def _vote(
        self, node: int, step: RelationalNeighborStep, before: RelationalNeighborStep
    ) -> Blocks:
        """Put the probabilities of the neighbours into the weighted mean."""
        name = self._name(node)
        if self.given[node] >= 0:
            return [
                Formula(
                    f"{name} is known: P({self._class(self.given[node])}) "
                    "= 1, whatever its neighbours are"
                )
            ]
        neighbors, weights = self.neighbors(node)
        if not len(neighbors):
            return [Formula(f"{name} has no neighbours and keeps the start")]
        if step.phase == "start":
            return [
                Formula(
                    f"{name} and its "
                    f"{count(len(neighbors), 'neighbour', 'neighbours')}: no vote yet"
                )
            ]
        source = self._source(node, step, before)[neighbors]
        best = int(winners(step.proba[[node]])[0])
        c = self._class(best)
        products = weights * source[:, best]
        order = np.argsort(-products, kind="stable")
        terms = abridged(
            [f"{num(weights[j])}·{num4(source[j, best])}" for j in order[: MAX_TERMS + 1]],
            MAX_TERMS,
        )
        total = num(weights.sum())
        vote = float(products.sum() / weights.sum())
        lines: Blocks = [
            Formula(
                f"vote({c} | {name}) = ({terms}) / {total} = "
                f"{num(products.sum())} / {total} = {num(vote)}"
            )
        ]
        if step.beta < 1 and step.phase == "sweep":
            old = before.proba[node, best]
            mean = (
                f"{num(step.beta)}·{num(vote)} + {num(1 - step.beta)}·{num(old)} "
                f"= {num(step.proba[node, best])}"
            )
            lines.append(Formula(f"P({c} | {name}) = {mean}"))
        rows = [
            (
                self._name(neighbors[j]),
                float(weights[j]),
                short(source[j, best]),
                short(products[j]),
            )
            for j in order
        ]
        head = ("neighbour", "w", "P", "w · P")
        table = short_table(
            head, rows, f"Votes on {name} for {c}", max_rows=MAX_NEIGHBORS, of="neighbours"
        )
        return [*lines, table, self._sums(weights, source, best)]

    def _sums(self, weights: Floats, source: Floats, best: int) -> LedgerTable:
        """Return the sum and the quotient for every class."""
        sums, total = weights @ source, float(weights.sum())
        rows = [
            (self._class(k), short(value), total, short(value / total))
            for k, value in enumerate(sums)
        ]
        return class_table(
            ("class", "Σ w · P", "Σ w", "vote"), rows, "Vote = Σ w · P / Σ w", [best]
        )

    def _source(
        self, node: int, step: RelationalNeighborStep, before: RelationalNeighborStep
    ) -> Floats:
        """Return the probabilities that the vote on a node takes: in order, those before it are new already."""
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
