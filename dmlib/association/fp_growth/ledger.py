"""The arithmetic of FP-growth: which nodes a basket raises, the conditional pattern base and its sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree_scene import largest
from dmlib.association.itemsets import least_count
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, few, short_table
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

MOST_TERMS = 8  # of a sum that is written out


class Ledger:
    """Caption and ledger of each step of a run."""

    def __init__(self, problem: BasketsProblem, replay: Replay, min_support: float) -> None:
        self.problem, self.replay, self.min_support = problem, replay, min_support
        self.n_baskets = len(problem.matrix)
        self.least = least_count(min_support, self.n_baskets)
        self.totals = problem.matrix.sum(axis=0)
        self.drawn = set(largest(replay.tree))

    def told(self, i: int) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step."""
        step = self.replay.steps[i]
        return {
            "count": self._count,
            "insert": self._insert,
            "condition": self._condition,
            "combine": self._combine,
            "done": self._done,
        }[step.phase](step)

    def name(self, items: Sequence[int]) -> str:
        """Return an item set in braces, in the order of the tree."""
        return "{" + ", ".join(self.problem.items[j] for j in items) + "}"

    def listed(self, items: Sequence[int]) -> str:
        """Return items between commas."""
        return ", ".join(self.problem.items[j] for j in items)

    def seen(self, nodes: Sequence[int]) -> list[int | None]:
        """Return nodes of the FP-tree, None for those that are not drawn."""
        return [node if node in self.drawn else None for node in nodes]

    # --- the tree -----------------------------------------------------------------------------------------------------

    def _count(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        rest = [j for j in np.argsort(-self.totals, kind="stable").tolist() if j not in step.items]
        rows = [
            (self.problem.items[j], int(self.totals[j]), self.totals[j] / self.n_baskets, "yes" if n else "no")
            for n, j in [*((True, j) for j in step.items), *((False, j) for j in rest)]
        ]
        numbers = [j + 1 for j in (*step.items, *rest)]
        n = len(step.items)
        caption = f"{n} of {count(len(self.totals), 'item is', 'items are')} in at least {self.least} of "
        caption += f"{self.n_baskets} baskets"
        caption += f"; the tree takes them in the order {few([self.problem.items[j] for j in step.items], 6, ', ')}."
        formula = f"min_support = {num(self.min_support)}: at least {self.least} of {self.n_baskets} baskets"
        head = ("item", "baskets", "support", "frequent")
        table = short_table(head, rows, "Order of the items", by="item", numbers=numbers)
        return caption if n else f"No item is in at least {self.least} of {self.n_baskets} baskets.", [
            Formula(formula),
            table,
        ]

    def _insert(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        number = int(self.problem.rows[step.basket]) + 1
        if not step.items:
            return f"Basket {number} has no frequent item, so the tree stays as it is.", []
        counts = step.counts.tolist()
        rows = [
            (self.problem.items[item], f"{n - 1} + 1 = {n}" if k < step.n_shared else "new: 1")
            for k, (item, n) in enumerate(zip(step.items, counts, strict=True))
        ]
        n_new = len(step.nodes) - step.n_shared
        shared = f"{count(step.n_shared, 'count is', 'counts are')} raised" if step.n_shared else "no node is shared"
        fresh = f"{count(n_new, 'node is', 'nodes are')} new" if n_new else "no node is new"
        return f"Basket {number} is inserted as {self.listed(step.items)}: {shared}, {fresh}.", [
            short_table(
                ("item", "count of its node"),
                rows,
                f"Basket {number} in the order of the tree",
                by="node",
                numbers=self.seen(step.nodes),
            ),
            Formula(f"So far: {count(step.n_nodes, 'node', 'nodes')} for {step.n_items} items in the baskets"),
        ]

    # --- conditional trees --------------------------------------------------------------------------------------------

    def _condition(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        pattern = step.items
        ((_, total),) = step.found
        base = self.replay.base(pattern)
        paths = [(self.listed(path) or "(root)", n) for path, n in base]
        sum_text = few([str(n) for _, n in base], MOST_TERMS)
        support = f"support({self.name(pattern)}) = ({sum_text}) / {self.n_baskets} = {total} / {self.n_baskets} = "
        support += f"{num(total / self.n_baskets)} ≥ {num(self.min_support)}: frequent"
        below = [j for j in self.replay.steps[0].items if step.counts[j]]
        sums = [
            (self.problem.items[j], int(step.counts[j]), f"{'≥' if step.counts[j] >= self.least else '<'} {self.least}",
             "stays" if j in step.kept else "removed")
            for j in below
        ]  # fmt: skip
        # The nodes of a conditional tree are no longer drawn when one of their own is opened.
        by, links = ("node", self.seen(self.replay.tree.links[pattern[0]])) if len(pattern) == 1 else ("", [])
        title = "Conditional pattern base"
        blocks: Blocks = [Formula(support), short_table(("prefix path", "count"), paths, title, by=by, numbers=links)]
        if sums:
            head, numbers = ("item", "sum", "minimum", "it"), [j + 1 for j in below]
            blocks.append(short_table(head, sums, "Items of the base", by="item", numbers=numbers))
        where = self.name(pattern[1:]) if len(pattern) > 1 else ""
        tree = f"in the tree of {where}" if where else "in the FP-tree"
        holds = f"its conditional tree holds {self.listed(step.kept)}" if step.kept else "its conditional tree is empty"
        nodes = count(len(base), "node", "nodes")
        caption = f"{self.problem.items[pattern[0]]} has {nodes} {tree}: {self.name(pattern)} is in {total} of "
        return f"{caption}{self.n_baskets} baskets; {holds}.", blocks

    def _combine(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        chain = self.replay.opened(step.suffix)
        path = ", ".join(f"{self.problem.items[j]}:{n}" for j, n in zip(step.items, chain.count[1:], strict=True))
        rows = [(self.name(items), n, n / self.n_baskets) for items, n in step.found]
        title = "Each with the smallest count on its path"
        n, k = len(step.found), len(step.items)
        tree = f"The conditional tree of {self.name(step.suffix)}" if step.suffix else "The FP-tree"
        more = "more " if step.suffix else ""
        caption = (
            f"{tree} is the single path {path}, so {count(n, f'{more}item set is', f'{more}item sets are')} frequent."
        )
        every = f"2^{k} − 1 = {n} combinations" if n == 2**k - 1 else f"{n} combinations up to max_length"
        return caption, [Formula(every), short_table(("item set", "baskets", "support"), rows, title)]

    def _done(self, step: FPGrowthStep) -> tuple[str, Blocks]:
        found = [some for each in self.replay.steps for some in each.found]
        sizes = np.bincount([len(items) for items, _ in found], minlength=2)[1:]
        rows = [(size, int(n)) for size, n in enumerate(sizes, start=1)]
        caption = f"Done: {count(step.n_itemsets, 'frequent item set', 'frequent item sets')} from a tree of "
        trees = count(step.n_trees, "conditional tree", "conditional trees")
        caption += f"{count(step.n_nodes, 'node', 'nodes')} and {trees}."
        terms = " + ".join(str(n) for n in sizes)
        order, links = self.replay.steps[0].items, self.replay.tree.links
        nodes = [(self.problem.items[j], int(self.totals[j]), len(links[j])) for j in order]
        head, title = ("item", "baskets", "nodes"), "How often each item stands in the tree"
        held = [short_table(head, nodes, title, by="item", numbers=[j + 1 for j in order])] if order else []
        return caption, [
            LedgerTable(("items", "frequent sets"), rows, "Frequent item sets by size"),
            *held,
            Formula(f"{terms} = {step.n_itemsets} frequent item sets"),
            Formula(f"{step.n_nodes} nodes for {step.n_items} frequent items in the baskets, in 2 passes over them"),
            Formula(f"{step.n_conditional_nodes} nodes in the conditional trees together"),
        ]
