"""Questions about FP-growth: counts that rise, conditional trees, supports, and single paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.fp_growth.tree import Path, sums
from dmlib.association.fp_growth.tree_scene import MAX_NODES
from dmlib.association.itemsets import braces, least_count
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import BasketsProblem

MAX_QUESTIONS = 60
MAX_ITEMS = 16  # of a tree that are picked by name
MAX_LENGTH = 12  # items of a single path


class Rule(Misconception):
    """Wrong rules of FP-growth."""

    OWN_PATH = "Every basket gets a path of its own."
    ANYWHERE = "A basket raises the count of its items wherever they stand in the tree."
    NO_FILTER = "All items above the nodes of the item stay in its conditional tree."
    PATHS = "Each prefix path counts once, whatever its count."
    BELOW = "The conditional tree holds the items below the nodes of the item."
    PREFIXES = "A single path gives one item set for each of its nodes."


def questions(run: Run[BasketsProblem, FPGrowth]) -> Iterator[Question]:
    """Yield the questions that the steps of FP-growth answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.FPGrowth` on baskets.

    Yields
    ------
    Question
        Before baskets enter, before conditional trees, and before single paths are combined.

    Examples
    --------
    >>> from dmlib.association import FPGrowth
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea", "jam"}, {"milk", "jam"}])
    >>> [question.topic for question in questions(Run.of(problem, FPGrowth(0.3)))]
    ['insert', 'insert', 'conditional tree', 'support', 'conditional tree', 'conditional tree']
    """
    steps = run.trace.steps
    if not steps:
        return
    author = _Author(run)
    for number in range(1, min(len(steps), MAX_QUESTIONS)):
        yield from author.questions(number, steps[number], steps[number - 1])


class _Author:
    """Questions about one run."""

    def __init__(self, run: Run[BasketsProblem, FPGrowth]) -> None:
        self.problem, self.steps = run.problem, run.trace.steps
        self.replay = Replay(self.steps)
        self.order: Path = self.steps[0].items
        self.min_count = least_count(run.model.min_support, len(run.problem.matrix))
        self.max_length = run.model.max_length

    def _name(self, items: Iterable[int]) -> str:
        return braces(self.problem.items, items)

    def questions(
        self, number: int, step: FPGrowthStep, before: FPGrowthStep
    ) -> Iterator[Question]:
        """Yield the questions that a step answers."""
        if step.phase == "insert" and not step.earlier:
            yield from self._insert(number, step, before)
        elif step.phase == "condition" and len(step.items) == 1:
            yield from self._condition(number, step)
        elif step.phase == "condition" and before.pattern == step.items[1:]:
            yield self._support(number, step)
        elif step.phase == "combine" and step.suffix and before.pattern == step.suffix:
            yield from self._combine(number, step)

    # --- the tree ---

    def _insert(self, number: int, step: FPGrowthStep, before: FPGrowthStep) -> Iterator[Question]:
        tree = self.replay.tree
        if not 1 < before.n_nodes <= len(tree) <= MAX_NODES or not step.items:
            return
        nodes = range(1, before.n_nodes + 1)
        paths = {node: [*tree.above(node), node] for node in nodes}
        names = {
            node: " › ".join(self.problem.items[tree.item[each]] for each in path)
            for node, path in paths.items()
        }
        raised = list(step.nodes[: step.n_shared])
        anywhere = [node for node in nodes if tree.item[node] in step.items]
        listing = ", ".join(self.problem.items[item] for item in step.items)
        shared = " › ".join(self.problem.items[item] for item in step.items[: step.n_shared])
        n_new = len(step.items) - step.n_shared
        begins = f"The tree has the beginning {shared} already"
        if not raised:
            begins = f"No path of the tree begins with {self.problem.items[step.items[0]]}"
        yield Question(
            number,
            "insert",
            f"Basket {self.problem.rows[step.basket] + 1} enters as {listing}. Which nodes get a"
            " higher count?",
            Pick("node", [raised], among=list(nodes), several=True, names=names),
            f"{begins}; {count(n_new, 'node is', 'nodes are')} new.",
            (Wrong(Rule.ANYWHERE, anywhere), Wrong(Rule.OWN_PATH, [])),
            "Follow the basket from the root, item by item, as long as there is a node for it.",
        )

    # --- conditional trees ---

    def _condition(self, number: int, step: FPGrowthStep) -> Iterator[Question]:
        item = step.items[0]
        others = [j for j in self.order if j != item]
        if not 1 < len(others) <= MAX_ITEMS or self.max_length == 1:
            return
        base = self.replay.base(step.items)
        per_path = Counter(j for path, _ in base for j in path)
        below = self._below(item)

        def numbers(counts: Counter[int], minimum: int) -> list[int]:
            return [j + 1 for j in others if counts[j] >= minimum]

        name = self.problem.items[item]
        listing = ", ".join(f"{self.problem.items[j]} {n}" for j, n in sums(base).items())
        yield Question(
            number,
            "conditional tree",
            f"The conditional tree of {{{name}}} is built (minimum: {self.min_count} baskets)."
            " Which items does it hold?",
            Pick(
                "item",
                [[j + 1 for j in step.tree_items]],
                among=[j + 1 for j in others],
                several=True,
                names={j + 1: self.problem.items[j] for j in others},
            ),
            f"The prefix paths above the nodes of {name} have the sums {listing};"
            f" {self.min_count} are needed."
            if listing
            else f"Nothing is above the nodes of {name}.",
            (
                Wrong(Rule.NO_FILTER, numbers(sums(base), 1)),
                Wrong(Rule.PATHS, numbers(per_path, self.min_count)),
                Wrong(Rule.BELOW, numbers(below, self.min_count)),
            ),
            f"Add, item by item, the counts of the paths from the root to the nodes of {name}.",
            about=[item + 1],
            of="item",
        )

    def _below(self, item: int) -> Counter[int]:
        """Return the counts of the items below the nodes of an item."""
        tree = self.replay.tree
        total: Counter[int] = Counter()
        for node in range(1, len(tree) + 1):
            if item in (tree.item[above] for above in tree.above(node)):
                total[tree.item[node]] += tree.count[node]
        return total

    def _support(self, number: int, step: FPGrowthStep) -> Question:
        base = self.replay.base(step.items)
        counts = [n for _, n in base]
        item, suffix = self.problem.items[step.items[0]], self._name(step.items[1:])
        return Question(
            number,
            "support",
            f"In how many baskets is {self._name(step.items)}, by the conditional tree of"
            f" {suffix}?",
            Value(sum(counts)),
            f"{item} has {count(len(counts), 'node', 'nodes')} there:"
            f" {' + '.join(map(str, counts))} = {sum(counts)}.",
            (Wrong(Rule.PATHS, len(counts)),),
            f"Add the counts of the nodes of {item} in the conditional tree.",
        )

    def _combine(self, number: int, step: FPGrowthStep) -> Iterator[Question]:
        k = len(step.items)
        if not 1 < k <= MAX_LENGTH:
            return
        n = len(step.new_itemsets)
        listed = self._sets(step.new_itemsets)
        yield Question(
            number,
            "single path",
            f"The conditional tree of {self._name(step.suffix)} is a single path of {k} nodes. How"
            f" many further item sets with {self._name(step.suffix)} are frequent?",
            Value(n),
            f"Every combination of its items is frequent: {listed}"
            + (f", 2^{k} − 1 = {n}." if n == 2**k - 1 else f", {n} up to the maximum length."),
            (Wrong(Rule.PREFIXES, k),),
            "Items of a path can be left out: which combinations are there?",
        )

    def _sets(self, pairs: Sequence[tuple[Path, int]]) -> str:
        names = [self._name(items) for items, _ in pairs[:7]]
        return ", ".join(names + ["…"] * (len(pairs) > 7))
