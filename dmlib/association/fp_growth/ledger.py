"""The arithmetic of FP-growth: counts that a basket raises, conditional pattern bases, sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree import Path
from dmlib.association.itemsets import braces, least_count
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MAX_TERMS = 8  # of a sum that is written out


class Narrator:
    """Captions and ledgers of FP-growth.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    replay : Replay
        The trees of the run.
    min_support : float
        The minimum support.
    nodes : sequence of int
        The nodes that are drawn.
    """

    def __init__(
        self, problem: BasketsProblem, replay: Replay, min_support: float, nodes: Sequence[int]
    ) -> None:
        self.problem, self.replay, self.min_support = problem, replay, min_support
        self.n_baskets = len(problem.matrix)
        self.min_count = least_count(min_support, self.n_baskets)
        self.totals = problem.matrix.sum(axis=0)
        self.nodes = set(nodes)

    def caption_and_ledger(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        return {
            "count": self._count,
            "insert": self._insert,
            "condition": self._condition,
            "combine": self._combine,
            "done": self._done,
        }[step.phase](step)

    def name(self, items: Sequence[int]) -> str:
        """Return an item set in braces, in the order of the tree."""
        return braces(self.problem.items, items)

    def listed(self, items: Sequence[int]) -> str:
        """Return items between commas."""
        return ", ".join(self.problem.items[j] for j in items)

    def numbers(self, nodes: Sequence[int]) -> list[int | None]:
        """Return nodes of the FP-tree, None for those that are not drawn."""
        return [node if node in self.nodes else None for node in nodes]

    # --- the tree ---

    def _count(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        order = np.argsort(-self.totals, kind="stable").tolist()
        items = [*step.items, *(j for j in order if j not in step.items)]
        rows = []
        for j in items:
            frequent = "yes" if j in step.items else "no"
            n = int(self.totals[j])
            rows.append((self.problem.items[j], n, n / self.n_baskets, frequent))
        head = ("item", "baskets", "support", "frequent")
        numbers = [j + 1 for j in items]
        limit = f"at least {self.min_count} of {self.n_baskets} baskets"
        blocks: Blocks = [
            Formula(f"min_support = {num(self.min_support)}: {limit}"),
            short_table(head, rows, "Order of the items", by="item", numbers=numbers),
        ]
        n = len(step.items)
        if not n:
            return f"No item is in {limit}.", blocks
        order_text = abridged([self.problem.items[j] for j in step.items], 6, ", ")
        quantity = f"{n} of {count(len(self.totals), 'item is', 'items are')} in {limit}"
        return f"{quantity}; the tree takes them in the order {order_text}.", blocks

    def _insert(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        number = int(self.problem.rows[step.basket]) + 1
        if not step.items:
            return f"Basket {number} has no frequent item, so the tree stays as it is.", []
        rows = []
        for k, (item, n) in enumerate(zip(step.items, step.counts.tolist(), strict=True)):
            is_shared = k < step.n_shared
            rows.append((self.problem.items[item], f"{n - 1} + 1 = {n}" if is_shared else "new: 1"))
        n_new, shared, new = len(step.nodes) - step.n_shared, "no node is shared", "no node is new"
        if step.n_shared:
            shared = f"{count(step.n_shared, 'count is', 'counts are')} raised"
        if n_new:
            new = f"{count(n_new, 'node is', 'nodes are')} new"
        head, title = ("item", "count of its node"), f"Basket {number} in the order of the tree"
        numbers = self.numbers(step.nodes)
        nodes = count(step.n_nodes, "node", "nodes")
        return f"Basket {number} is inserted as {self.listed(step.items)}: {shared}, {new}.", [
            short_table(head, rows, title, by="node", numbers=numbers),
            Formula(f"So far: {nodes} for {step.n_items} items in the baskets"),
        ]

    # --- conditional trees ---

    def _condition(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        pattern = step.items
        ((_, total),) = step.new_itemsets
        base = self.replay.base(pattern)
        item, name = self.problem.items[pattern[0]], self.name(pattern)
        tree = f"in the tree of {self.name(pattern[1:])}" if len(pattern) > 1 else "in the FP-tree"
        result = "its conditional tree is empty"
        if step.tree_items:
            result = f"its conditional tree holds {self.listed(step.tree_items)}"
        nodes = count(len(base), "node", "nodes")
        baskets = f"{total} of {self.n_baskets} baskets"
        caption = f"{item} has {nodes} {tree}: {name} is in {baskets}; {result}."
        terms = abridged([str(n) for _, n in base], MAX_TERMS)
        support = f"({terms}) / {self.n_baskets} = {total} / {self.n_baskets}"
        comparison = f"{num(total / self.n_baskets)} ≥ {num(self.min_support)}"
        formula = Formula(f"support({name}) = {support} = {comparison}: frequent")
        return caption, [formula, self._base_table(pattern, base), *self._sums(step)]

    def _base_table(self, pattern: Path, base: Sequence[tuple[Path, int]]) -> LedgerTable:
        """Return the conditional pattern base; its paths answer to nodes of the FP-tree."""
        rows = [(self.listed(path) or "(root)", n) for path, n in base]
        head, title = ("prefix path", "count"), "Conditional pattern base"
        if len(pattern) > 1:  # the nodes of a conditional tree are not drawn when one is opened
            return short_table(head, rows, title)
        numbers = self.numbers(self.replay.tree.links[pattern[0]])
        return short_table(head, rows, title, by="node", numbers=numbers)

    def _sums(self, step: FPGrowthStep) -> Blocks:
        """Return the sums of the items in the conditional pattern base, if it has any."""
        items = [j for j in self.replay.steps[0].items if step.counts[j]]
        if not items:
            return []
        rows = []
        for j in items:
            n, result = int(step.counts[j]), "stays" if j in step.tree_items else "removed"
            sign = "≥" if n >= self.min_count else "<"
            rows.append((self.problem.items[j], n, f"{sign} {self.min_count}", result))
        head, numbers = ("item", "sum", "minimum", "it"), [j + 1 for j in items]
        return [short_table(head, rows, "Items of the base", by="item", numbers=numbers)]

    def _combine(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        counts = self.replay.conditional_tree(step.suffix).count[1:]
        pairs = zip(step.items, counts, strict=True)
        path = ", ".join(f"{self.problem.items[j]}:{n}" for j, n in pairs)
        rows = [(self.name(items), n, n / self.n_baskets) for items, n in step.new_itemsets]
        n, k = len(step.new_itemsets), len(step.items)
        tree, kind = "The FP-tree", "item set"
        if step.suffix:
            tree, kind = f"The conditional tree of {self.name(step.suffix)}", "more item set"
        sets = count(n, f"{kind} is", f"{kind}s are")
        combinations = f"{n} combinations up to max_length"
        if n == 2**k - 1:
            combinations = f"2^{k} − 1 = {n} combinations"
        title = "Each with the smallest count on its path"
        return f"{tree} is the single path {path}, so {sets} frequent.", [
            Formula(combinations),
            short_table(("item set", "baskets", "support"), rows, title),
        ]

    def _done(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        itemsets = self.replay.itemsets
        rows = [(self.name(items), n, n / self.n_baskets) for items, n in itemsets]
        sizes = np.bincount([len(items) for items, _ in itemsets], minlength=2)[1:].tolist()
        sets = count(step.n_itemsets, "frequent item set", "frequent item sets")
        nodes = count(step.n_nodes, "node", "nodes")
        trees = count(step.n_trees, "conditional tree", "conditional trees")
        head = ("items", "frequent sets")
        terms = " + ".join(map(str, sizes))
        items = f"{step.n_items} frequent items in the baskets"
        return f"Done: {sets} from a tree of {nodes} and {trees}.", [
            LedgerTable(head, list(enumerate(sizes, start=1)), "Frequent item sets by size"),
            short_table(("item set", "baskets", "support"), rows, "Frequent item sets"),
            *self._nodes_of_items(),
            Formula(f"{terms} = {step.n_itemsets} frequent item sets"),
            Formula(f"{step.n_nodes} nodes for {items}, in 2 passes over them"),
            Formula(f"{step.n_conditional_nodes} nodes in the conditional trees together"),
        ]

    def _nodes_of_items(self) -> Blocks:
        """Return how many nodes each item has in the tree, if there are any."""
        order, links = self.replay.steps[0].items, self.replay.tree.links
        if not order:
            return []
        rows = [(self.problem.items[j], int(self.totals[j]), len(links[j])) for j in order]
        head, title = ("item", "baskets", "nodes"), "How often each item stands in the tree"
        return [short_table(head, rows, title, by="item", numbers=[j + 1 for j in order])]
