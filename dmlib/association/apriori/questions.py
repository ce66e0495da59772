"""Questions about Apriori: which sets are joined, pruned, frequent, maximal and closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.apriori.lattice_scene import Lattice
from dmlib.association.apriori.passes import AprioriStep
from dmlib.association.apriori.shots import shots_of
from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import braces, maximal_and_closed
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import BasketsProblem

MAX_BUTTONS = 10  # item sets that are picked by name
MAX_PAIRS = 60  # frequent item sets whose unions are candidates by a wrong rule
MAX_LISTED = 5  # item sets in a proof
MAX_CHOICES = 8  # item sets among which maximal or closed ones are picked
MAX_FOUND = 500
Items = tuple[int, ...]
Flags = NDArray[np.bool_]


class Texts(NamedTuple):
    """The texts of a question about the frequent item sets."""

    topic: str
    prompt: str
    proof: str
    hint: str


MAXIMAL = Texts(
    "maximal",
    "Which of these frequent item sets are maximal?",
    "Larger frequent item sets contain the others",
    "Is an item set part of a larger frequent one?",
)
NOT_CLOSED = Texts(
    "closed",
    "Which of these frequent item sets are not closed?",
    "In as many baskets as a larger item set that contains it",
    "Compare the support of each with the supports of the sets that contain it.",
)


class Rule(Misconception):
    """Wrong rules of Apriori."""

    STRICT = "An item set is frequent only if its support is above the minimum support."
    OVERLAP = "Any two frequent item sets that share all but one item are joined."
    ALL = "All combinations of the items that are still frequent are candidates."
    NO_PRUNING = "Every candidate that is joined is counted."
    OWN_SUPPORT = "Pruning removes the candidates that are infrequent themselves."
    LARGEST = "The maximal item sets are those with the most items."
    SAME = "The closed item sets are the maximal ones."


def questions(run: Run[BasketsProblem, Apriori]) -> Iterator[Question]:
    """Yield the questions that the steps of Apriori or one of its kin answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.Apriori` on baskets.

    Yields
    ------
    Question
        Before each join, prune and count, and two before the end.

    Examples
    --------
    >>> from dmlib.association import Apriori
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea", "milk", "jam"}, {"jam", "tea"}])
    >>> [question.topic for question in questions(Run.of(problem, Apriori(0.6)))]
    ['join', 'support', 'join', 'maximal', 'closed']
    """
    steps = run.trace.steps
    if not steps:
        return
    author = _Author(run)
    for number in range(1, len(steps)):
        step = steps[number]
        if step.phase == "count":
            author.keep(step)
        yield from author.questions(number, step)


class _Author:
    """Questions on one run after the other step; knows the frequent item sets so far."""

    def __init__(self, run: Run[BasketsProblem, Apriori]) -> None:
        self.run, self.matrix = run, run.problem.matrix
        self.steps: Sequence[AprioriStep] = run.trace.steps
        self.lattice = Lattice(run.problem.items, len(self.matrix), shots_of(self.steps))
        self.last = self.steps[0]

    def keep(self, step: AprioriStep) -> None:
        """Remember the last level that was counted."""
        self.last = step

    def questions(self, number: int, step: AprioriStep) -> Iterator[Question]:
        """Yield the questions that a step answers."""
        methods = {
            "join": self._join,
            "extend": self._join,
            "prune": self._prune,
            "count": self._count,
            "done": self._end,
        }
        yield from methods[step.phase](number, step)

    def _name(self, items: Iterable[int]) -> str:
        return braces(self.run.problem.items, items)

    def _names(self, sets: Iterable[Iterable[int]]) -> str:
        names = [self._name(items) for items in sets]
        more = ["…"] if len(names) > MAX_LISTED else []
        return ", ".join(names[:MAX_LISTED] + more)

    def _baskets(self, items: Iterable[int]) -> int:
        return int(self.matrix[:, list(items)].all(axis=1).sum())

    # --- which candidates are candidates ---

    def _join(self, number: int, step: AprioriStep) -> Iterator[Question]:
        frequent = self.last.candidates[self.last.frequent]
        if len(frequent) < 2:
            return
        size = self.last.level + 1
        candidates = [tuple(items) for items in step.candidates.tolist()]
        items = np.unique(frequent).tolist()
        if size == 2:
            items = list(range(self.matrix.shape[1]))
        verb = "the baskets extend" if step.phase == "extend" else "are joined"
        prompt = f"Which candidates of {size} items {verb} now?"
        if step.phase == "join":
            prompt = f"Which candidates of {size} items does the join make?"
        wrong = dict(self._wrong_joins(frequent, size))
        hint = "Which pairs of frequent item sets agree in all but the last item?"
        proof = self._join_proof(frequent, candidates, size, step.phase)
        if 3 <= comb(len(items), size) <= MAX_BUTTONS:
            options = list(combinations(items, size))
            place = {option: i for i, option in enumerate(options)}
            yield Question(
                number,
                "join",
                prompt,
                Pick(
                    "candidate",
                    [[place[candidate] for candidate in candidates]],
                    among=range(len(options)),
                    several=True,
                    names={i: self._name(option) for option, i in place.items()},
                ),
                proof,
                [Wrong(rule, sorted(place[each] for each in sets)) for rule, sets in wrong.items()],
                hint,
            )
            return
        yield Question(
            number,
            "join",
            prompt.replace("Which", "How many"),
            Value(len(candidates)),
            proof,
            [Wrong(rule, len(sets)) for rule, sets in wrong.items()],
            hint,
        )

    def _wrong_joins(self, frequent: Sets, size: int) -> Iterator[tuple[Rule, set[Items]]]:
        kept = [tuple(items) for items in frequent.tolist()]
        min_count = self.run.model.min_support * len(self.matrix)
        if size == 2:
            above = sorted(items[0] for items in kept if self._baskets(items) > min_count + 1e-9)
            yield Rule.STRICT, set(combinations(above, 2))
        elif len(kept) <= MAX_PAIRS:
            unions = (tuple(sorted({*a, *b})) for a, b in combinations(kept, 2))
            yield Rule.OVERLAP, {union for union in unions if len(union) == size}
            items = np.unique(frequent).tolist()
            if comb(len(items), size) <= MAX_PAIRS:
                yield Rule.ALL, set(combinations(items, size))

    def _join_proof(self, frequent: Sets, candidates: list[Items], size: int, phase: str) -> str:
        n = len(frequent)
        if phase == "extend":
            return (
                f"Each of the {n} frequent item sets is extended by the frequent items behind its"
                f" last one that a basket holds with it: {len(candidates)} candidates."
            )
        if size == 2:
            threshold = num4(self.run.model.min_support)
            return (
                f"{n} items have a support of at least {threshold}; all pairs of them join,"
                f" {n} · {n - 1} / 2 = {n * (n - 1) // 2}."
            )
        shared = "first item" if size == 3 else f"first {size - 2} items"
        begins = f"Frequent sets of {size - 1} items with the same {shared} are joined"
        return f"{begins}: {self._names(candidates) or 'there are none'}."

    # --- which candidates are pruned, and how many baskets hold one ---

    def _prune(self, number: int, step: AprioriStep) -> Iterator[Question]:
        nodes = self.lattice.numbers(step.candidates)
        if len(step.candidates) < 2 or None in nodes:
            return
        numbers = [node for node in nodes if node is not None]
        pruned = step.missing >= 0
        min_count = self.run.model.min_support * len(self.matrix)
        own = np.array([self._baskets(items) < min_count - 1e-9 for items in step.candidates])

        def where(flags: Flags) -> list[int]:
            return [number for number, flag in zip(numbers, flags, strict=True) if flag]

        names = {
            node: self._name(items) for node, items in zip(numbers, step.candidates, strict=True)
        }
        yield Question(
            number,
            "prune",
            "Which of the new candidates are pruned before the baskets are read?",
            Pick("item set", [where(pruned)], among=numbers, several=True, names=names),
            self._prune_proof(step),
            (Wrong(Rule.OWN_SUPPORT, where(own)), Wrong(Rule.NO_PRUNING, [])),
            f"Is each subset of {step.level - 1} items frequent?",
        )

    def _prune_proof(self, step: AprioriStep) -> str:
        reasons = [
            f"{self._name(items)} for {self._name(np.delete(items, place))}"
            for items, place in zip(step.candidates, step.missing, strict=True)
            if place >= 0
        ]
        if not reasons:
            return f"All subsets of {step.level - 1} items are frequent, so that none is pruned."
        more = ", …" if len(reasons) > MAX_LISTED else ""
        return (
            f"Infrequent subsets prune: {', '.join(reasons[:MAX_LISTED])}{more}."
            " Supports of the candidates themselves are not known yet."
        )

    def _count(self, number: int, step: AprioriStep) -> Iterator[Question]:
        if step.level < 2 or not len(step.candidates):
            return
        items, n = step.candidates[0], int(step.counts[0])
        singles = [self._baskets([item]) for item in items]
        listing = ", ".join(
            f"{self.run.problem.items[item]} is in {k}"
            for item, k in zip(items, singles, strict=True)
        )
        node = self.lattice.numbers(step.candidates[:1])[0]
        yield Question(
            number,
            "support",
            f"In how many baskets is {self._name(items)}?",
            Value(n),
            f"{listing}, and {count(n, 'basket holds', 'baskets hold')} all of them.",
            hint="Count the baskets that have a point in each of these columns.",
            about=[] if node is None else [node],
            of="item set",
        )

    # --- what is item_sets ---

    def _end(self, number: int, step: AprioriStep) -> Iterator[Question]:
        counted = [each for each in self.steps if each.phase == "count"]
        sets = [each.candidates[each.frequent] for each in counted]
        counts = [each.counts[each.frequent] for each in counted]
        item_sets = [tuple(items) for level in sets for items in level.tolist()]
        if not 3 <= len(item_sets) <= MAX_FOUND:
            return
        maximal, closed = maximal_and_closed(sets, counts, self.matrix.shape[1])
        sizes = np.array([len(items) for items in item_sets])
        supports = dict(zip(item_sets, np.concatenate(counts).tolist(), strict=True))
        yield from self._property(
            number, MAXIMAL, supports, maximal, (Rule.LARGEST, sizes == sizes.max())
        )
        yield from self._property(number, NOT_CLOSED, supports, ~closed, (Rule.SAME, ~maximal))

    def _property(
        self,
        number: int,
        texts: Texts,
        supports: Mapping[Items, int],
        right: Flags,
        wrong: tuple[Rule, Flags],
    ) -> Iterator[Question]:
        """Ask which of a few frequent item sets have a property."""
        item_sets, (rule, wrong_flags) = list(supports), wrong
        nodes = self._nodes(item_sets)
        chosen = _mixture(nodes, (right, wrong_flags))
        if len(chosen) < 3:
            return
        is_contained = right if texts is NOT_CLOSED else ~right
        reasons = [
            self._reason(item_sets[i], supports, equal=texts is NOT_CLOSED)
            for i in chosen
            if is_contained[i]
        ]
        yield Question(
            number,
            texts.topic,
            texts.prompt,
            Pick(
                "item set",
                [[nodes[i] for i in chosen if right[i]]],
                among=[nodes[i] for i in chosen],
                several=True,
                names={nodes[i]: self._name(item_sets[i]) for i in chosen},
            ),
            f"{texts.proof}: {', '.join(reasons) or 'none'}.",
            (Wrong(rule, [nodes[i] for i in chosen if wrong_flags[i]]),),
            texts.hint,
        )

    def _nodes(self, item_sets: Sequence[Items]) -> dict[int, int]:
        """Return the numbers of the nodes of the item sets that are drawn, by their place."""
        nodes = {
            i: self.lattice.numbers(np.array([items], np.intp))[0]
            for i, items in enumerate(item_sets)
        }
        return {i: node for i, node in nodes.items() if node is not None}

    def _reason(self, items: Items, supports: Mapping[Items, int], *, equal: bool) -> str:
        """Return an item set with a larger one that contains it, perhaps in as many baskets."""
        n = supports[items]
        larger = next(
            other
            for other, support in supports.items()
            if {*items} < {*other} and (not equal or support == n)
        )
        if not equal:
            return f"{self._name(items)} ⊂ {self._name(larger)}"
        return f"{self._name(items)} and {self._name(larger)} ({n} baskets)"


def _mixture(nodes: Mapping[int, int], flags: Sequence[Flags]) -> list[int]:
    """Return a few item sets, of each combination of answers as many as there is room for."""
    groups: dict[tuple[bool, ...], list[int]] = {}
    for i in nodes:
        groups.setdefault(tuple(bool(flag[i]) for flag in flags), []).append(i)
    n_each = max(1, MAX_CHOICES // max(len(groups), 1))
    chosen = [i for group in groups.values() for i in _spread(group, n_each)]
    return sorted(chosen)


def _spread(group: Sequence[int], n: int) -> list[int]:
    stride = -(-len(group) // n)
    return list(group[stride // 2 :: stride])
