"""The arithmetic of rules: the 2 × 2 table of each with its measures, what is tested, pruned and filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from typing import Any

import numpy as np

from dmlib.association.association_rules.generation import RuleStep
from dmlib.association.association_rules.measures import adjusted_p, fisher_p, rule_measures
from dmlib.pictures.ledger import MOST_LINES, Blocks, Formula, LedgerTable, numbered_table, short_table
from dmlib.pictures.words import count, num
from dmlib.problem import BasketsProblem

TOP = 12  # rules in the last table
BARE = str.maketrans("", "", "{}")
CORRECTED = {"none": "not corrected", "bonferroni": "Bonferroni", "holm": "Holm", "fdr_bh": "Benjamini-Hochberg"}


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

    def __init__(self, problem: BasketsProblem, steps: Sequence[Any], model: Any) -> None:
        self.problem, self.model, self.n = problem, model, len(problem.matrix)
        tests = [step for step in steps if step.phase in {"single", "join"} and isinstance(step, RuleStep)]
        self.places = [(step, at) for step in tests for at in range(len(step.consequents))]
        self.both = np.array([step.count for step, _ in self.places], float)
        self.a, self.b, confident = (
            np.concatenate([np.empty(0), *(getattr(step, name) for step in tests)])
            for name in ("antecedent_counts", "consequent_counts", "confident")
        )
        self.confident = confident.astype(bool)
        self.kept = self.confident.copy()
        self.done = bool(steps) and steps[-1].phase == "done"
        if self.done:
            self.kept[self.confident] = steps[-1].kept
        self.measures = rule_measures(self.both / self.n, self.a / self.n, self.b / self.n)
        self.p = fisher_p(self.n, self.both, self.a, self.b)
        self.adjusted = adjusted_p(self.p, model.correction)
        self.size = np.array([step.consequents.shape[1] for step, _ in self.places], int)

    def name(self, items: Iterable[int]) -> str:
        """Return an item set in braces."""
        return "{" + ", ".join(self.problem.items[j] for j in items) + "}"

    def sides(self, t: int) -> tuple[str, str]:
        """Return antecedent and consequent of a rule."""
        step, at = self.places[t]
        consequent = step.consequents[at].tolist()
        return self.name(j for j in step.itemset if j not in consequent), self.name(consequent)

    def text(self, t: int) -> str:
        """Return a rule."""
        return " → ".join(self.sides(t))

    def best(self, n: int) -> list[int]:
        """Return the rules that are kept, those with the highest lift first, at most so many."""
        kept = np.flatnonzero(self.kept)
        order = np.lexsort((-self.measures["confidence"][kept], -self.measures["lift"][kept].round(9)))
        return [int(t) for t in kept[order[:n]]]

    # --- one rule -----------------------------------------------------------------------------------------------------

    def sentence(self, t: int) -> str:
        """Return what a rule says."""
        a, b = self.sides(t)
        with_a, of_all = (f"{100 * share:.4g}" for share in (self.both[t] / self.a[t], self.b[t] / self.n))
        return f"Of 100 baskets with {a}, {with_a} also have {b}; of 100 of all baskets, {of_all} do."

    def blocks(self, t: int) -> Blocks:
        """Return the sentence, the 2 × 2 table and the measures of a rule, with its numbers put in."""
        return [Formula(self.sentence(t)), self._contingency(t), *map(Formula, self._formulas(t))]

    def _contingency(self, t: int) -> LedgerTable:
        a, b = self.sides(t)
        both, with_a, with_b = (int(counts[t]) for counts in (self.both, self.a, self.b))
        rows = [
            (f"with {a}", both, with_a - both, with_a),
            (f"without {a}", with_b - both, self.n - with_a - with_b + both, self.n - with_a),
            ("all", with_b, self.n - with_b, self.n),
        ]
        return LedgerTable(("baskets", f"with {b}", f"without {b}", "all"), rows, f"2 × 2 table of {self.text(t)}")

    def _formulas(self, t: int) -> list[str]:
        n, both, a, b = self.n, *(int(counts[t]) for counts in (self.both, self.a, self.b))
        value = {name: num(values[t]) for name, values in self.measures.items()}
        s, pa, pb = (num(counts / n) for counts in (both, a, b))
        sign = "≥" if self.confident[t] else "<"
        lines = [
            f"support = {both} / {n} = {s}",
            f"confidence = {both} / {a} = {value['confidence']} {sign} {num(self.model.min_confidence)}",
            f"lift = {value['confidence']} / {pb} = {value['lift']}",
            f"leverage = {s} − {pa} · {pb} = {value['leverage']}",
            f"conviction = (1 − {pb}) / (1 − {value['confidence']}) = {value['conviction']}",
            f"Zhang = {value['leverage']} / max({s} · (1 − {pa}), {pa} · ({pb} − {s})) = {value['zhangs_metric']}",
            f"Kulczynski = ({both} / {a} + {both} / {b}) / 2 = {value['kulczynski']}",
            f"imbalance ratio = |{a} − {b}| / ({a} + {b} − {both}) = {value['imbalance_ratio']}",
            f"Fisher: p = P(at least {both} of {a} baskets, if {b} of {n} have it) = {num(self.p[t])}",
        ]
        if self.done:
            of = f"{CORRECTED[self.model.correction]}, {count(len(self.p), 'test', 'tests')}"
            lines.append(f"corrected p ({of}) = {num(self.adjusted[t])}")
        return lines


class Ledger:
    """Caption and ledger of each step of the second phase; with ``each``, every test has a frame of its own."""

    def __init__(self, rules: Rules, steps: Sequence[Any], *, each: bool = False) -> None:
        self.rules, self.steps, self.each = rules, steps, each
        firsts = np.cumsum([0, *(len(s.consequents) if isinstance(s, RuleStep) else 0 for s in steps)])
        self.first = firsts.tolist()

    def told(self, i: int, at: int | None) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a step, or of one rule that it tests."""
        step = self.steps[i]
        if at is not None:
            return self._test(self.first[i] + at)
        return {"itemsets": self._itemsets, "single": self._set, "join": self._set, "done": self._done}[step.phase](i)

    def _itemsets(self, i: int) -> tuple[str, Blocks]:
        n = self.steps[i].n_itemsets
        sets = [step for step in self.steps if step.phase == "single"]
        rows = [(self.rules.name(step.itemset), int(step.count), 2 ** len(step.itemset) - 2) for step in sets]
        caption = (
            f"{count(n, 'item set is', 'item sets are')} frequent; {len(sets)} of them, with two items or more, "
            "can be split into rules."
        )
        table = short_table(("item set", "baskets", "possible rules"), rows, "Frequent item sets to split")
        return caption, [table, Formula("An item set of k items has 2^k − 2 rules")]

    def _test(self, t: int) -> tuple[str, Blocks]:
        rules = self.rules
        verdict = "≥" if rules.confident[t] else "<"
        confidence, least = f"{rules.measures['confidence'][t]:.4g}", f"{rules.model.min_confidence:.4g}"
        caption = (
            f"{rules.text(t)} holds in {int(rules.both[t])} of {int(rules.a[t])} baskets: confidence {confidence} "
            f"{verdict} {least}, {'a rule' if rules.confident[t] else 'no rule'}, lift {rules.measures['lift'][t]:.4g}."
        )
        return caption, rules.blocks(t)

    def _set(self, i: int) -> tuple[str, Blocks]:
        step, name = self.steps[i], self.rules.name
        size = step.consequents.shape[1]
        of = count(size, "item", "items")
        table = self._consequents(i)
        if step.phase == "single":
            n, k = len(step.consequents), int(step.confident.sum())
            if self.each:
                baskets = count(int(step.count), "basket", "baskets")
                return f"{name(step.itemset)} is in {baskets}: each of its {n} items is tested as consequent.", [table]
            return f"{name(step.itemset)}: {k} of {n} rules with one item as consequent are confident enough.", [table]
        tested = count(len(step.consequents), "consequent", "consequents")
        caption = f"{name(step.itemset)}: {tested} of {of} left to test, {step.n_pruned} pruned"
        return caption + (", as each contains one that failed." if step.n_pruned else "."), [
            table,
            Formula(
                f"{step.n_pruned + len(step.consequents)} − {step.n_pruned} = {len(step.consequents)} to be tested"
            ),
        ]

    def _consequents(self, i: int) -> LedgerTable:
        """Return the table of the consequents of a step: tested, or pruned and by which smaller one."""
        step, name = self.steps[i], self.rules.name
        rows: list[tuple[Any, ...]] = []
        for at, consequent in enumerate(step.consequents[:MOST_LINES].tolist()):
            confidence = None if self.each else step.count / step.antecedent_counts[at]
            verdict = "rule" if step.confident[at] else "fails"
            rows.append((name(consequent), confidence, "to be tested" if self.each else verdict))
        failed: list[set[int]] = [set(c.tolist()) for c in self._failed(i)]
        tested = {tuple(c) for c in step.consequents.tolist()}
        every: Iterable[tuple[int, ...]] = ()
        if step.n_pruned:
            every = combinations(step.itemset, step.consequents.shape[1])
        left = (c for c in every if c not in tested)
        for c in islice(left, max(0, MOST_LINES - len(rows))):
            cause = next((f for f in failed if f <= set(c)), None)
            rows.append((name(c), None, f"pruned: {name(sorted(cause))} failed" if cause else "pruned"))
        return short_table(("consequent", "confidence", "result"), rows, f"Consequents of {name(step.itemset)}")

    def _failed(self, i: int) -> list[Any]:
        """Return the smaller consequents of the same item set that did not have enough confidence."""
        found: list[Any] = []
        for step in reversed(self.steps[:i]):
            if step.phase not in {"single", "join"} or step.itemset != self.steps[i].itemset:
                break
            found = [*step.consequents[~step.confident], *found]
        return found

    def _done(self, i: int) -> tuple[str, Blocks]:
        rules, step = self.rules, self.steps[i]
        if not step.n_rules:
            return step.reason, [Formula(f"{step.n_tested} rules tested, 0 found")]
        top, m = rules.best(TOP), rules.measures
        rows = [
            (t + 1, rules.text(t).translate(BARE), round(m["confidence"][t], 4), round(m["lift"][t], 4)) for t in top
        ]
        head = ("rule", "A → B", "confidence", "lift")
        found = int(rules.confident.sum())
        hidden = f"{found - step.n_rules} of {found} rules are filtered out"
        title = f"Rules by lift (the first {len(rows)} of {step.n_rules})" if step.n_rules > TOP else "Rules by lift"
        caption = (
            f"Done: {count(step.n_rules, 'rule', 'rules')} of {step.n_tested} tested; {rules.text(top[0])} has the "
            f"highest lift, {m['lift'][top[0]]:.4g}."
        )
        table = numbered_table(head, rows, title, by="rule")
        return caption, [table, *([Formula(hidden)] if found > step.n_rules else [])]
