"""Rule learning in words and numbers: p and t of conditions, prunings, rules, and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import numpy as np

from dmlib.classification.class_ledger import table_by_class
from dmlib.classification.rule_learning.conditions import Mask
from dmlib.classification.rule_learning.learner import DEFAULT, VARIANTS, RuleStep
from dmlib.classification.rule_learning.ripper import RIPPER
from dmlib.classification.rule_learning.sequential_covering import SequentialCovering
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, short
from dmlib.problem import Problem, Query

MAX_CANDIDATES, MAX_RULES = 14, 20
CANDIDATE = "condition"
BITS = ("rules", "exceptions", "bits")


class Narrator:
    """Captions and ledgers of rule learners.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : RuleLearner
        Fitted to the training samples.
    words : Words
        Its rules in words.
    query : Query
        The place or sample that is asked about.
    """

    def __init__(self, problem: Problem, model: Any, words: Words, query: Query) -> None:
        self.problem, self.model, self.words, self.query = problem, model, words, query
        self.targets = np.searchsorted(model.classes_, np.asarray(problem.training.y))
        self.by_gain = isinstance(model, SequentialCovering)
        self.is_ripper = isinstance(model, RIPPER)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: RuleStep = moment.step
        return self._builders[step.phase](step)

    @property
    def _builders(self) -> dict[str, Callable[[RuleStep], tuple[str, Blocks]]]:
        return {
            "class": self._class,
            "grow": self._condition,
            "prune": self._pruning,
            "rule": self._rule,
            "reject": self._rejection,
            "delete": self._deletion,
            **dict.fromkeys((*VARIANTS, "choose"), self._variant),
            "column": self._column,
            "done": self._end,
        }

    # --- steps ------------------------------------------------------------------------------------

    def _class(self, step: RuleStep) -> tuple[str, Blocks]:
        name, n_rows = self.words.classes[step.target], int(step.active.sum())
        n = self._of_class(step, step.active)
        rows = f"{n} of {count(n_rows, 'row has', 'rows have')} this class"
        if step.rules and not self.by_gain:
            rows = f"all {n_rows} rows are back, and {n} have this class"
        return f"Rules for class {name}: {rows}.", [self._counts(step.active, "Rows")]

    def _condition(self, step: RuleStep) -> tuple[str, Blocks]:
        ranked, rule, before = step.candidates, step.rule, step.before
        assert ranked is not None
        assert rule is not None
        assert before is not None
        text = self.words.condition(rule.conditions[-1])
        p, t, name = rule.n_right, rule.n_covered, self.words.classes[rule.target]
        score = num4(ranked.scores[step.chosen])
        measure = f"the gain is {score}" if self.by_gain else f"p/t = {p}/{t} = {score}"
        rows = count(t, "row", "rows")
        caption = f"Condition {text}: it leaves {rows}, {p} of class {name}; {measure}."
        order = np.lexsort((-ranked.right, -ranked.scores)).tolist()
        order.insert(0, order.pop(order.index(step.chosen)))
        texts = [self.words.condition(each) for each in ranked.conditions]
        p_t = np.column_stack([ranked.right, ranked.covered]).tolist()
        table = [(texts[i], *p_t[i], short(ranked.scores[i])) for i in order]
        head = (CANDIDATE, "p", "t", "gain" if self.by_gain else "p/t")
        numbers = [i + 1 for i in order]
        blocks: Blocks = [
            Formula(f"{self.words.rule(before)}: p = {before.n_right} of t = {before.n_covered}")
        ]
        if self.by_gain:
            ratios = f"log2({p}/{t}) − log2({before.n_right}/{before.n_covered})"
            blocks.append(Formula(f"gain = p (log2 p/t − log2 p0/t0) = {p} ({ratios}) = {score}"))
        blocks.append(
            short_table(
                head,
                table,
                "Conditions that can be added",
                [0],
                max_rows=MAX_CANDIDATES,
                by=CANDIDATE,
                numbers=numbers,
            )
        )
        return caption, blocks

    def _pruning(self, step: RuleStep) -> tuple[str, Blocks]:
        rule, before = step.rule, step.before
        assert rule is not None
        assert before is not None
        n = len(before.conditions) - len(rule.conditions)
        values = {len(each.rule.conditions): each.value for each in step.prunings}
        value = num4(values[len(rule.conditions)])
        cut = count(n, "last condition is", "last conditions are")
        caption = f"Pruned: {cut} removed, since the value rises to {value}."
        if not n:
            caption = f"Not pruned: no shorter rule has a value above {value}."
        return caption, [Formula(self.words.rule(rule)), *self._prunings(step)]

    def _prunings(self, step: RuleStep) -> Blocks:
        """Return the value of each shortened rule on the pruning set."""
        if not step.prunings or step.rule is None:
            return []
        is_pruning = step.active & ~step.growing
        total, positive = int(is_pruning.sum()), self._of_class(step, is_pruning)
        lengths = [len(each.rule.conditions) for each in step.prunings]
        rows = [
            (length, each.n_right, each.n_covered - each.n_right, short(each.value))
            for length, each in zip(lengths, step.prunings, strict=True)
        ]
        chosen = [lengths.index(len(step.rule.conditions))]
        value = "(p − n) / (p + n)" if self.is_ripper else "(p + N − n) / (P + N)"
        head = ("conditions", "p", "n", value)
        return [
            Formula(f"pruning set: P = {positive}, N = {total - positive}"),
            LedgerTable(head, rows, "Shortened rules on the pruning set", chosen),
        ]

    def _rule(self, step: RuleStep) -> tuple[str, Blocks]:
        rule = step.rule
        assert rule is not None
        name = self.words.classes[rule.target]
        n = self._of_class(step, step.active)
        remainder = count(n, f"row of class {name} is", f"rows of class {name} are")
        rows = count(rule.n_covered, "row that it covers is", "rows that it covers are")
        caption = (
            f"Rule {len(step.rules)} is right for {rule.n_right} of {rule.n_covered}: "
            f"the {rows} removed, and {remainder} left."
        )
        return caption, [Formula(self.words.rule(rule)), *_lengths(step), self._rules(step)]

    def _rejection(self, step: RuleStep) -> tuple[str, Blocks]:
        rule = step.rule
        assert rule is not None
        name = self.words.classes[rule.target]
        if not rule.conditions:
            caption = f"No condition is left that helps: class {name} gets no further rules."
            return caption, [self._rules(step)]
        p, t = rule.n_right, rule.n_covered
        for each in step.prunings:
            if each.rule.conditions == rule.conditions:
                p, t = each.n_right, each.n_covered
        where = " of the pruning set" if step.prunings else ""
        reason = f"it is right for {p} of {count(t, 'row', 'rows')}{where}, less than half"
        if not t:
            reason = "it covers no row of the pruning set"
        if step.lengths:
            reason = f"{num4(step.lengths[0].total)} bits, over 64 more than the fewest so far"
        caption = f"Rejected: {reason}. Class {name} gets no further rules."
        blocks = [Formula(self.words.rule(rule)), *_lengths(step), *self._prunings(step)]
        return caption, [*blocks, self._rules(step)]

    def _deletion(self, step: RuleStep) -> tuple[str, Blocks]:
        before, after = (num4(length.total) for length in step.lengths)
        name = self.words.classes[step.target]
        n = count(sum(rule.target == step.target for rule in step.rules), "rule", "rules")
        caption = f"Class {name} keeps {n}: {after} bits describe it, instead of {before}."
        return caption, [*_lengths(step), self._rules(step)]

    def _variant(self, step: RuleStep) -> tuple[str, Blocks]:
        last, number = step.variants[step.chosen], step.rules.index(step.rule) + 1
        bits, right = num4(last.length.total), f"{last.rule.n_right} of {last.rule.n_covered}"
        caption = f"{last.kind.capitalize()} of rule {number}: right for {right}, {bits} bits."
        if step.phase == "choose":
            caption = f"The {last.kind} of rule {number} stays: it has the fewest bits, {bits}."
        rows = [
            (each.kind, self.words.conditions(each.rule), *each.length.bits)
            for each in step.variants
        ]
        chosen = [step.chosen] if step.phase == "choose" else []
        table = LedgerTable(
            ("variant", "if", *BITS), rows, "Variants, with the other rules", chosen
        )
        return caption, [table, self._rules(step)]

    def _column(self, step: RuleStep) -> tuple[str, Blocks]:
        errors, n = step.errors[-1], len(self.targets)
        name = self.problem.features[step.column]
        verdict = "the fewest so far" if errors == min(step.errors) else "not the fewest"
        caption = f"The rules of {name} misclassify {errors} of {n} rows, {verdict}."
        return caption, [self._rules(step), self._columns(step)]

    def _columns(self, step: RuleStep) -> LedgerTable:
        rows = [
            (name, errors, short(errors / len(self.targets)))
            for name, errors in zip(self.problem.features, step.errors, strict=False)
        ]
        best = int(np.argmin(step.errors))
        return short_table(("column", "wrong", "error"), rows, "Columns so far", [best])

    def _end(self, step: RuleStep) -> tuple[str, Blocks]:
        rules, default = count(len(step.rules), "rule", "rules"), self.words.classes[step.default]
        caption = f"Done: {rules}, and {default} by default."
        blocks: Blocks = [error_table(self.problem, self.model)]
        if step.errors:
            name = self.problem.features[step.column]
            caption = f"Done: {name} misclassifies the fewest rows, so its {rules} predict."
            blocks.append(self._columns(step))
        return caption, [*blocks, *self._answer(), self._rules(step)]

    # --- parts ------------------------------------------------------------------------------------

    def _answer(self) -> Blocks:
        """Return which rules fire for the query, and which of them decides."""
        table = self.problem.table(self.query.x[None])
        fires = np.flatnonzero(self.model.firing(table)[0]).tolist()
        number = int(self.model.deciding(table)[0])
        if number == DEFAULT:
            answer = f"no rule fires: {self.words.classes[self.model.default_]} by default"
        else:
            firing = ", ".join(str(i + 1) for i in fires[:MAX_RULES])
            target = self.words.classes[self.model.rules_[number].target]
            verb = "fires" if len(fires) == 1 else f"fire, and {number + 1} decides"
            answer = f"rule{'s' * (len(fires) > 1)} {firing} {verb}: {target}"
        return [Formula(answer), query_table(self.problem, self.query)]

    def _rules(self, step: RuleStep) -> LedgerTable:
        """Return the rules so far, the last ones while they are learned, and the default."""
        classes, words = self.words.classes, self.words
        rows = [
            (
                f"{number}. {classes[rule.target]} if {words.conditions(rule)}",
                f"{rule.n_right}/{rule.n_covered}",
            )
            for number, rule in enumerate(step.rules, 1)
        ]
        is_growing = step.phase == "rule"
        first = max(0, len(rows) - MAX_RULES) if is_growing else 0
        listed = rows[first : first + MAX_RULES]
        title = "Rules"
        if len(listed) < len(rows):
            title += f" (the {'last' if is_growing else 'first'} {MAX_RULES} of {len(rows)})"
        return LedgerTable(
            ("rule", "p/t"),
            [*listed, (f"else {classes[step.default]}", None)],
            title,
            [len(listed) - 1] if is_growing else [],
            by="rule",
            numbers=[*range(first + 1, first + 1 + len(listed)), None],
        )

    def _of_class(self, step: RuleStep, mask: Mask) -> int:
        """Return how many of some training rows have the class of a step."""
        return int((self.targets[mask] == step.target).sum())

    def _counts(self, mask: Mask, title: str) -> LedgerTable:
        sizes = np.bincount(self.targets[mask], minlength=len(self.words.codes))
        codes = np.array(self.words.codes)
        return table_by_class(self.problem, codes, {"rows": sizes.tolist()}, title, absent=0)


def _lengths(step: RuleStep) -> Blocks:
    """Return the description lengths of a step."""
    head = ("covered", "uncovered", "FP", "FN", *BITS)
    rows = [(*astuple(each), each.total) for each in step.lengths]
    return [LedgerTable(head, rows, "Description length in bits")] if rows else []
