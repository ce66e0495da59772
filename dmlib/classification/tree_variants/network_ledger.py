"""Info-fuzzy networks in words and numbers: the tests of a layer, and weights of connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_variants.info_fuzzy import (
    InfoFuzzyNetwork,
    Layer,
    NodeTest,
    connection_weights,
)
from dmlib.classification.tree_variants.variant import VariantStep
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short
from dmlib.problem import Problem, Query
from dmlib.trees.impurity import impurity
from dmlib.trees.splits import Split
from dmlib.trees.tests_ledger import branch_texts
from dmlib.trees.tree import Tree

MAX_TERMS, MAX_ROWS = 5, 14


class NetworkNarrator:
    """Captions and ledgers of an info-fuzzy network.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : InfoFuzzyNetwork
        Fitted to the training samples.
    steps : sequence of VariantStep
        The whole run.
    query : Query
        The place or sample that is asked about.
    """

    def __init__(
        self, problem: Problem, model: InfoFuzzyNetwork, steps: Sequence[VariantStep], query: Query
    ) -> None:
        self.problem, self.model, self.steps, self.query = problem, model, steps, query
        self.classes = [problem.classes[int(code)] for code in model.classes_]
        self.n_rows = float(steps[0].tree.counts[0].sum())

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: VariantStep = moment.step
        if step.phase == "start":
            return self._start(step.tree)
        return self._done(step.tree) if step.phase == "done" else self._layer(step)

    def _start(self, tree: Tree) -> tuple[str, Blocks]:
        counts = tree.counts[0]
        best = self.classes[int(counts.argmax())]
        rows: list[list[Cell]] = [[name, 0] for name in self.problem.classes]
        for i, code in enumerate(self.model.classes_):
            rows[int(code)][1] = int(counts[i])
        entropy = num4(float(impurity(counts, "entropy")))
        return f"All {num4(self.n_rows)} rows are in the root, which predicts {best}.", [
            LedgerTable(("class", "rows"), rows, "Classes", classes=True),
            Formula(f"entropy of the class = {entropy}"),
        ]

    # --- a layer ----------------------------------------------------------------------------------

    def _layer(self, step: VariantStep) -> tuple[str, Blocks]:
        layer: Layer = step.layers[0]
        number, name = step.node + 1, self.problem.features[layer.column]
        n_split = sum(test.is_significant for test in layer.tests)
        if step.phase == "stop":
            limit = num4(self.model.significance)
            caption = (
                f"No column is significant at {limit} in any open node, so that layer {number} is"
                " the target."
            )
        else:
            of = f" in {len(layer.thresholds) + 1} intervals" if layer.thresholds else ""
            nodes = count(len(layer.tests), "node", "nodes")
            is_split = f"{n_split} of {nodes} {'is' if n_split == 1 else 'are'} split"
            bits = f"{num4(layer.bits)} bits"
            caption = f"Layer {number} is {name}{of}, which tells most, {bits}: {is_split}."
        blocks: Blocks = [self._ranking(step), self._tests(layer, name)]
        tests = sorted(layer.tests, key=lambda test: (not test.is_significant, -test.statistic))
        return caption, [*blocks, *self._arithmetic(layer, tests[0]), *self._sum(layer)]

    def _ranking(self, step: VariantStep) -> LedgerTable:
        """Return all columns that could be the layer, the best first."""
        layers = sorted(step.layers[1:], key=lambda layer: -layer.bits)
        rows: list[list[Cell]] = []
        for layer in layers:
            texts = self._values(layer)
            values = abridged(texts, MAX_TERMS, ", ") if len(texts) > 1 else "not divided"
            n_split = sum(test.is_significant for test in layer.tests)
            name = self.problem.features[layer.column]
            rows.append([name, values, n_split, short(layer.bits)])
        head = ("column", "values", "nodes split", "bits")
        chosen = [0] if step.phase == "layer" else []
        return short_table(head, rows, "Columns, by what they tell", chosen, max_rows=MAX_ROWS)

    def _values(self, layer: Layer) -> list[str]:
        """Return the values of a layer, or its intervals."""
        if layer.column in self.problem.categories:
            return [str(value) for value in self.problem.categories[layer.column]]
        if not layer.thresholds:
            return ["all"]
        return branch_texts(Split(layer.column, layer.thresholds), self.problem)

    def _tests(self, layer: Layer, name: str) -> LedgerTable:
        """Return the test of a layer in each open node; the nodes that are split are emphasised."""
        rows = [
            [
                test.node + 1,
                int(test.counts.sum()),
                short(test.bits),
                short(test.statistic),
                test.freedom,
                num4(test.p),
            ]
            for test in layer.tests
        ]
        split = [i for i, test in enumerate(layer.tests) if test.is_significant]
        head = ("node", "rows", "bits", "G²", "df", "p")
        title = f"{name} in each open node"
        return numbered_table(head, rows, title, split, by="node", max_rows=MAX_ROWS)

    def _arithmetic(self, layer: Layer, test: NodeTest) -> Blocks:
        """Return the counts of a node by value and class, and its test with the numbers put in."""
        texts, sizes = self._values(layer), test.counts.sum(axis=1)
        occurs = np.flatnonzero(sizes > 0).tolist()
        rows = [[texts[i], *map(int, test.counts[i])] for i in occurs]
        node, n = node_name(test.node), num4(float(sizes.sum()))
        inner = [
            f"{num4(float(sizes[i]))}/{n} · {num4(float(impurity(test.counts[i], 'entropy')))}"
            for i in occurs
        ]
        own = num4(float(impurity(test.counts.sum(axis=0), "entropy")))
        within = f"({own} − {abridged(inner, MAX_TERMS, ' − ')})"
        n_classes = int((test.counts.sum(axis=0) > 0).sum())
        limit, all_rows, bits = num4(self.model.significance), num4(self.n_rows), num4(test.bits)
        head = ("value", *self.classes)
        return [
            short_table(head, rows, f"Rows in {node}", max_rows=MAX_ROWS),
            Formula(f"bits = {n}/{all_rows} · {within} = {bits}"),
            Formula(f"G² = 2 · ln 2 · {all_rows} · {bits} = {num4(test.statistic)}"),
            Formula(f"df = ({len(occurs)} − 1) · ({n_classes} − 1) = {test.freedom}"),
            Formula(f"p = {num4(test.p)} {'≤' if test.is_significant else '>'} {limit}"),
        ]

    def _sum(self, layer: Layer) -> Blocks:
        terms = [num4(test.bits) for test in layer.tests if test.is_significant]
        if len(terms) < 2:
            return []
        return [Formula(f"layer: {abridged(terms, MAX_TERMS)} = {num4(layer.bits)}")]

    # --- the end ----------------------------------------------------------------------------------

    def _done(self, tree: Tree) -> tuple[str, Blocks]:
        terms = self.model.terms_of(self.problem.table(self.query.x[None]))
        shares, (_, nodes, parts) = tree.predict(terms)[0], tree.leaves(terms)
        best, node = int(shares.argmax()), int(nodes[parts.argmax()])
        name, reached = self.problem.name(self.query), tree.counts[node]
        caption = (
            f"The network has {count(tree.max_depth, 'layer', 'layers')} and"
            f" {count(tree.n_leaves, 'terminal node', 'terminal nodes')}; {name} ends in"
            f" {node_name(node)} and gets {self.classes[best]} with {percent(shares[best])}."
        )
        ratio = f"{num4(float(reached[best]))}/{num4(float(reached.sum()))}"
        if len(nodes) > 1 or not reached.any():
            ratio = "the mean of the nodes below, by their rows"
        blocks: Blocks = [error_table(self.problem, self.model)]
        blocks.append(Formula(f"P({self.classes[best]}) = {ratio} = {num4(float(shares[best]))}"))
        return caption, [*blocks, *self._weights(tree), query_table(self.problem, self.query)]

    def _weights(self, tree: Tree) -> Blocks:
        """Return rows and weights of the connections from terminal nodes to classes."""
        weights, ends = connection_weights(tree), np.flatnonzero(tree.is_leaf)
        ends = ends[tree.counts[ends].any(axis=1)]
        if len(tree.counts) < 2:
            return []
        rows: list[list[Any]] = [
            [int(node) + 1, *(f"{num4(w)} ({int(n)})" for w, n in zip(*pair, strict=True))]
            for node, *pair in zip(ends, weights[ends], tree.counts[ends], strict=True)
        ]
        place = np.unravel_index(int(weights[ends].argmax()), weights[ends].shape)
        node, k = int(ends[place[0]]), int(place[1])
        own, joint = tree.counts[node], tree.counts[node, k] / self.n_rows
        ratio = f"{num4(own[k] / own.sum())} / {num4(float(tree.value[0, 0, k]))}"
        example = f"{num4(joint)} · log₂({ratio}) = {num4(float(weights[node, k]))}"
        largest = f"{node_name(node)} and {self.classes[k]}"
        bits = [num4(step.gain) for step in self.steps if step.phase == "layer"]
        total = num4(float(weights[ends].sum()))
        head = ("node", *self.classes)
        title = "Weights of the connections, (rows)"
        return [
            numbered_table(head, rows, title, by="node", max_rows=MAX_ROWS),
            Formula(f"weight = P · log₂(P(class | node) / P(class)), of {largest}: {example}"),
            Formula(f"their sum = that of the layers = {abridged(bits, MAX_TERMS)} = {total}"),
        ]
