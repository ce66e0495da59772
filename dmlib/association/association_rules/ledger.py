"""The arithmetic of rules: the 2 × 2 table of each with its measures, tests, pruning, filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np

from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.generation import RuleStep
from dmlib.association.association_rules.measures import adjusted_p, fisher_p, rule_measures
from dmlib.association.association_rules.multiple_support import (
    MultipleSupportApriori,
    MultipleSupportStep,
)
from dmlib.association.association_rules.shots import Shot
from dmlib.association.association_rules.thresholds_ledger import ThresholdNarrator
from dmlib.association.itemsets import braces
from dmlib.pictures.ledger import (
    MAX_LINES,
    Blocks,
    Formula,
    LedgerTable,
    numbered_table,
    short_table,
)
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

TOP = 12  # rules in the last table
BARE = str.maketrans("", "", "{}")
CORRECTED = {
    "none": "not corrected",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "fdr_bh": "Benjamini-Hochberg",
}


class Rules:
    """The rules that a run has tested, one after the other, with their measures.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    steps : sequence
        The steps of the run, as far as it went.
    model : estimator
        What made them.
    """

    def __init__(
        self,
        problem: BasketsProblem,
        steps: Sequence[Any],
        model: AssociationRules | MultipleSupportApriori,
    ) -> None:
        self.problem, self.model, self.n = problem, model, len(problem.matrix)
        tests = [step for step in steps if isinstance(step, RuleStep)]
        self.places = [(step, at) for step in tests for at in range(len(step.consequents))]
        empty = np.empty(0)
        self.joint = np.array([step.count for step, _ in self.places], float)
        self.antecedent = np.concatenate([empty, *(step.antecedent_counts for step in tests)])
        self.consequent = np.concatenate([empty, *(step.consequent_counts for step in tests)])
        confident = np.concatenate([empty, *(step.confident for step in tests)])
        self.confident = confident.astype(bool)
        self.retained = self.confident.copy()
        self.done = bool(steps) and steps[-1].phase == "done"
        if self.done:
            self.retained[self.confident] = steps[-1].retained
        counts = (self.joint, self.antecedent, self.consequent)
        self.measures = rule_measures(*(each / self.n for each in counts))
        self.p = fisher_p(self.n, self.joint, self.antecedent, self.consequent)
        self.adjusted = adjusted_p(self.p, model.correction)
        self.size = np.array([step.consequents.shape[1] for step, _ in self.places], int)

    def name(self, items: Iterable[int]) -> str:
        """Return an item set in braces."""
        return braces(self.problem.items, items)

    def sides(self, t: int) -> tuple[str, str]:
        """Return antecedent and consequent of a rule."""
        step, at = self.places[t]
        consequent = step.consequents[at].tolist()
        return self.name(j for j in step.itemset if j not in consequent), self.name(consequent)

    def text(self, t: int) -> str:
        """Return a rule."""
        return " → ".join(self.sides(t))

    def best(self, n: int) -> list[int]:
        """Return the rules that pass the filters, those with the highest lift first."""
        rules = np.flatnonzero(self.retained)
        lift, confidence = (self.measures[name][rules] for name in ("lift", "confidence"))
        order = np.lexsort((-confidence, -lift.round(9)))
        return [int(t) for t in rules[order[:n]]]

    def shares(self, t: int) -> tuple[float, float, float, float]:
        """Return the shares of A and B, and the shares with B of baskets with A and without A."""
        joint, a, b = self.joint[t], self.antecedent[t], self.consequent[t]
        without_a = (b - joint) / (self.n - a) if a < self.n else 0.0
        return a / self.n, b / self.n, joint / a, without_a

    # --- one rule ---

    def sentence(self, t: int) -> str:
        """Return a rule as a sentence."""
        a, b = self.sides(t)
        _, share, confidence, _ = self.shares(t)
        first = f"Of 100 baskets with {a}, {100 * confidence:.4g} also have {b}"
        return f"{first}; of 100 of all baskets, {100 * share:.4g} do."

    def blocks(self, t: int) -> Blocks:
        """Return a rule as a sentence, its 2 × 2 table, and its measures in numbers."""
        return [Formula(self.sentence(t)), self._contingency(t), *map(Formula, self._formulas(t))]

    def _contingency(self, t: int) -> LedgerTable:
        a, b = self.sides(t)
        joint, with_a, with_b = self.counts(t)
        without_a = self.n - with_a
        rows = [
            (f"with {a}", joint, with_a - joint, with_a),
            (f"without {a}", with_b - joint, without_a - with_b + joint, without_a),
            ("all", with_b, self.n - with_b, self.n),
        ]
        head = ("baskets", f"with {b}", f"without {b}", "all")
        return LedgerTable(head, rows, f"2 × 2 table of {self.text(t)}")

    def counts(self, t: int) -> tuple[int, int, int]:
        """Return in how many baskets all items of a rule are, its antecedent and its consequent."""
        return int(self.joint[t]), int(self.antecedent[t]), int(self.consequent[t])

    def _formulas(self, t: int) -> list[str]:
        n, (joint, a, b) = self.n, self.counts(t)
        value = {name: num(values[t]) for name, values in self.measures.items()}
        confidence, leverage = value["confidence"], value["leverage"]
        s, pa, pb = (num(counts / n) for counts in (joint, a, b))
        sign = "≥" if self.confident[t] else "<"
        minimum = num(self.model.min_confidence)
        largest = f"max({s} · (1 − {pa}), {pa} · ({pb} − {s}))"
        tail = f"P(at least {joint} of {a} baskets, if {b} of {n} have it)"
        imbalance = f"|{a} − {b}| / ({a} + {b} − {joint})"
        lines = [
            f"support = {joint} / {n} = {s}",
            f"confidence = {joint} / {a} = {confidence} {sign} {minimum}",
            f"lift = {confidence} / {pb} = {value['lift']}",
            f"leverage = {s} − {pa} · {pb} = {leverage}",
            f"conviction = (1 − {pb}) / (1 − {confidence}) = {value['conviction']}",
            f"Zhang = {leverage} / {largest} = {value['zhangs_metric']}",
            f"Kulczynski = ({joint} / {a} + {joint} / {b}) / 2 = {value['kulczynski']}",
            f"imbalance ratio = {imbalance} = {value['imbalance_ratio']}",
            f"Fisher: p = {tail} = {num(self.p[t])}",
        ]
        if self.done:
            of = f"{CORRECTED[self.model.correction]}, {count(len(self.p), 'test', 'tests')}"
            lines.append(f"corrected p ({of}) = {num(self.adjusted[t])}")
        return lines


class Narrator:
    """Captions and ledgers of a run.

    Parameters
    ----------
    rules : Rules
        The rules that it tests.
    steps : sequence
        The run.
    search : ThresholdNarrator
        The narrator of the search for item sets, where there are several minimum supports.
    selected : int or None
        The rule that the reader clicked.
    has_tests : bool
        Whether each test has a frame of its own.
    """

    def __init__(
        self,
        rules: Rules,
        steps: Sequence[Any],
        search: ThresholdNarrator,
        selected: int | None = None,
        *,
        has_tests: bool = False,
    ) -> None:
        self.rules, self.steps, self.search = rules, steps, search
        self.selected, self.has_tests = selected, has_tests

    def caption_and_ledger(self, shot: Shot, rule: int | None) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step or a test; ``rule`` is that of the moment."""
        if isinstance(shot.step, MultipleSupportStep):
            return self.search.caption_and_ledger(shot.step)
        if shot.is_test:
            return self._test(shot.n_tested - 1)
        methods = {
            "itemsets": self._itemsets,
            "single": self._single,
            "join": self._join,
            "done": self._done,
        }
        caption, blocks = methods[shot.step.phase](shot.number)
        if rule is None:
            return caption, blocks
        about = self.rules.blocks(rule)
        return caption, [*about, *blocks] if rule == self.selected else [*blocks, *about]

    def _itemsets(self, i: int) -> tuple[str, Blocks]:
        n = self.steps[i].n_itemsets
        sets = [step for step in self.steps if step.phase == "single"]
        name = self.rules.name
        rows = [(name(each.itemset), int(each.count), 2 ** len(each.itemset) - 2) for each in sets]
        frequent = count(n, "item set is", "item sets are")
        splittable = f"{len(sets)} of them, with two items or more, can be split into rules"
        caption = f"{frequent} frequent; {splittable}."
        head = ("item set", "baskets", "possible rules")
        table = short_table(head, rows, "Frequent item sets to split")
        return caption, [table, Formula("An item set of k items has 2^k − 2 rules")]

    def _test(self, t: int) -> tuple[str, Blocks]:
        rules = self.rules
        sign, verdict = ("≥", "a rule") if rules.confident[t] else ("<", "no rule")
        confidence, lift = (f"{rules.measures[name][t]:.4g}" for name in ("confidence", "lift"))
        n_joint, n_antecedent, _ = rules.counts(t)
        support = f"{rules.text(t)} holds in {n_joint} of {n_antecedent} baskets"
        comparison = f"confidence {confidence} {sign} {rules.model.min_confidence:.4g}"
        return f"{support}: {comparison}, {verdict}, lift {lift}.", rules.blocks(t)

    def _single(self, i: int) -> tuple[str, Blocks]:
        step = self.steps[i]
        name, n = self.rules.name(step.itemset), len(step.consequents)
        confident = f"{int(step.confident.sum())} of {n} rules with one item as consequent"
        caption = f"{name}: {confident} are confident enough."
        if self.has_tests:
            baskets = count(int(step.count), "basket", "baskets")
            caption = f"{name} is in {baskets}: each of its {n} items is tested as consequent."
        return caption, [self._consequents(i)]

    def _join(self, i: int) -> tuple[str, Blocks]:
        step = self.steps[i]
        n, n_pruned = len(step.consequents), step.n_pruned
        consequents = count(n, "consequent", "consequents")
        items = count(step.consequents.shape[1], "item", "items")
        reason = ", as each contains one that failed" if n_pruned else ""
        name = self.rules.name(step.itemset)
        caption = f"{name}: {consequents} of {items} left to test, {n_pruned} pruned{reason}."
        formula = Formula(f"{n_pruned + n} − {n_pruned} = {n} to be tested")
        return caption, [self._consequents(i), formula]

    def _consequents(self, i: int) -> LedgerTable:
        """Return the table of a step's consequents: tested, or pruned and by which smaller one."""
        step, name = self.steps[i], self.rules.name
        rows: list[tuple[Any, ...]] = []
        for at, consequent in enumerate(step.consequents[:MAX_LINES].tolist()):
            if self.has_tests:
                rows.append((name(consequent), None, "to be tested"))
            else:
                verdict = "rule" if step.confident[at] else "fails"
                rows.append((name(consequent), step.count / step.antecedent_counts[at], verdict))
        failures: list[set[int]] = [set(items.tolist()) for items in self._failed(i)]
        for items in islice(_pruned(step), max(0, MAX_LINES - len(rows))):
            cause = next((failure for failure in failures if failure <= set(items)), None)
            reason = f"pruned: {name(sorted(cause))} failed" if cause else "pruned"
            rows.append((name(items), None, reason))
        title = f"Consequents of {name(step.itemset)}"
        return short_table(("consequent", "confidence", "result"), rows, title)

    def _failed(self, i: int) -> list[Any]:
        """Return the smaller consequents of the item set that did not have enough confidence."""
        failures: list[Any] = []
        for step in reversed(self.steps[:i]):
            if step.phase not in {"single", "join"} or step.itemset != self.steps[i].itemset:
                break
            failures = [*step.consequents[~step.confident], *failures]
        return failures

    def _done(self, i: int) -> tuple[str, Blocks]:
        rules, step = self.rules, self.steps[i]
        if not step.n_rules:
            return step.reason, [Formula(f"{step.n_tested} rules tested, 0 found")]
        top, measures = rules.best(TOP), rules.measures
        rows = [
            (
                t + 1,
                rules.text(t).translate(BARE),
                round(measures["confidence"][t], 4),
                round(measures["lift"][t], 4),
            )
            for t in top
        ]
        title = "Rules by lift"
        if step.n_rules > TOP:
            title += f" (the first {len(rows)} of {step.n_rules})"
        n_rules, lift = count(step.n_rules, "rule", "rules"), f"{measures['lift'][top[0]]:.4g}"
        best = f"{rules.text(top[0])} has the highest lift, {lift}"
        caption = f"Done: {n_rules} of {step.n_tested} tested; {best}."
        head = ("rule", "A → B", "conf.", "lift")
        blocks: Blocks = [numbered_table(head, rows, title, by="rule")]
        n_confident = int(rules.confident.sum())
        if n_confident > step.n_rules:
            n_hidden = n_confident - step.n_rules
            blocks.append(Formula(f"{n_hidden} of {n_confident} rules are filtered out"))
        return caption, blocks


def _pruned(step: RuleStep) -> Iterator[tuple[int, ...]]:
    """Return the consequents that a step prunes."""
    if not step.n_pruned:
        return iter(())
    tested = {tuple(items) for items in step.consequents.tolist()}
    consequents = combinations(step.itemset, step.consequents.shape[1])
    return (items for items in consequents if items not in tested)
