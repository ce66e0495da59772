"""Rules of a tree in words and numbers: conditions dropped, bits, false positives, errors."""

from __future__ import annotations

from collections.abc import Callable

from scipy.special import ndtri

from dmlib.classification.rule_learning.conditions import Rule
from dmlib.classification.rule_learning.learner import RuleStep
from dmlib.classification.rule_learning.ledger import BITS, CANDIDATE, MAX_RULES, Narrator
from dmlib.classification.rule_learning.simplification import pessimistic_error
from dmlib.classification.rule_learning.tree_rules import is_among
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.words import count, num4, short


class TreeRulesNarrator(Narrator):
    """Captions and ledgers of C4.5rules."""

    @property
    def _builders(self) -> dict[str, Callable[[RuleStep], tuple[str, Blocks]]]:
        return {
            "leaf": self._leaf,
            "drop": self._drop,
            "keep": self._end_of_rule,
            "reject": self._end_of_rule,
            "select": self._selection,
            "order": self._place,
            "review": self._review,
            "done": self._end,
        }

    def _leaf(self, step: RuleStep) -> tuple[str, Blocks]:
        rule = step.rule
        assert rule is not None
        e, t = rule.n_covered - rule.n_right, rule.n_covered
        n, name = len(rule.conditions), self.words.classes[rule.target]
        conditions = count(n, "condition", "conditions")
        caption = f"A leaf as a rule for {name}: {conditions}, {e} of {t} rows wrong."
        return caption, [Formula(self.words.rule(rule)), self._limit(rule)]

    def _drop(self, step: RuleStep) -> tuple[str, Blocks]:
        rule, before, tried = step.rule, step.before, step.candidates
        assert rule is not None
        assert before is not None
        assert tried is not None
        text = self.words.condition(tried.conditions[step.chosen])
        error, least = self._error(before), float(tried.scores[step.chosen])
        change = "falls to" if least < error else "stays"
        caption = f"Dropped: {text}. The pessimistic error {change} {num4(least)}."
        if least < error:
            caption = caption.replace("error falls", f"error {num4(error)} falls")
        formulas = [Formula(self.words.rule(before)), self._limit(before), self._limit(rule)]
        return caption, [*formulas, self._conditions(step)]

    def _end_of_rule(self, step: RuleStep) -> tuple[str, Blocks]:
        rule = step.rule
        assert rule is not None
        error = num4(self._error(rule))
        caption = f"Kept as rule {len(step.rules)}: without any condition U exceeds {error}."
        if step.phase == "reject":
            caption = "Rejected: no condition is left."
            if is_among(rule, step.rules):
                caption = "Rejected: this rule is there already."
        blocks: Blocks = [Formula(self.words.rule(rule)), self._limit(rule)]
        if rule.conditions:
            blocks.append(self._conditions(step))
        return caption, [*blocks, self._rules(step)]

    def _selection(self, step: RuleStep) -> tuple[str, Blocks]:
        name, bits = self.words.classes[step.target], num4(step.lengths[0].total)
        present = set(step.rules)
        rules = count(sum(rule in present for rule in step.pool), "rule stays", "rules stay")
        caption = f"Class {name}: {rules}; no other choice is shorter than {bits} bits."
        if step.chosen >= 0:
            number = step.chosen + 1
            change = "returns" if step.pool[step.chosen] in present else "removed"
            after = num4(step.lengths[number].total)
            caption = f"Class {name}, rule {number} {change}: {after} bits instead of {bits}."
        was_in = [(rule in present) != (i == step.chosen) for i, rule in enumerate(step.pool)]
        toggled = [
            (f"{'without' if is_in else 'with'} {number}", *map(short, length.bits))
            for number, (is_in, length) in enumerate(zip(was_in, step.lengths[1:], strict=True), 1)
        ]
        now, chosen = step.lengths[0], [step.chosen] if step.chosen >= 0 else []
        counts = f"C = {now.n_covered}, U = {now.n_uncovered}, FP = {now.n_false_positives}"
        total = f"{num4(now.theory)} + {num4(now.exceptions)} = {bits}"
        rules_of_class = [
            (f"{number}. {self.words.conditions(rule)}", f"{rule.n_right}/{rule.n_covered}")
            for number, rule in enumerate(step.pool, 1)
        ]
        return caption, [
            Formula(f"before: rules + exceptions = {total} bits"),
            Formula(f"{counts}, FN = {now.n_false_negatives}"),
            short_table(
                ("rule", *BITS), toggled, "One rule more or less", chosen, max_rows=MAX_RULES
            ),
            short_table((f"rules of {name}", "p/t"), rules_of_class, max_rows=MAX_RULES),
        ]

    def _place(self, step: RuleStep) -> tuple[str, Blocks]:
        name, wrong = self.words.classes[step.target], step.errors[step.target]
        place = 1 + len({rule.target for rule in step.rules[: self._first(step)]})
        positives = count(wrong, "false positive", "false positives")
        caption = f"Class {name} gets place {place}: {positives}, and no other class has fewer."
        codes = [code for code, errors in enumerate(step.errors) if errors >= 0]
        table = LedgerTable(
            ("class", "rules", "false positives"),
            [
                (self.words.classes[code], self._n_rules(step, code), step.errors[code])
                for code in codes
            ],
            "Classes without a place",
            [codes.index(step.target)],
        )
        n = int(step.active.sum())
        rows = count(n, "row", "rows")
        return caption, [table, Formula(f"counted in {rows} that no class before covers")]

    def _review(self, step: RuleStep) -> tuple[str, Blocks]:
        now, default = step.errors[0], self.words.classes[step.default]
        rows = count(now, "row", "rows")
        caption = f"Default {default}: {rows} misclassified, and without any rule no fewer."
        if step.chosen >= 0:
            after = step.errors[step.chosen + 1]
            caption = f"Rule {step.chosen + 1} goes: {after} rows misclassified instead of {now}."
        table = [
            (f"{number}. {self.words.rule(rule)}", errors)
            for number, (rule, errors) in enumerate(zip(step.pool, step.errors[1:], strict=True), 1)
        ]
        return caption, [
            Formula(f"all rules: {count(now, 'error', 'errors')}"),
            short_table(
                ("without", "errors"),
                table,
                "Training errors without a rule",
                [step.chosen] if step.chosen >= 0 else [],
                max_rows=MAX_RULES,
            ),
        ]

    # --- parts ------------------------------------------------------------------------------------

    def _error(self, rule: Rule) -> float:
        return pessimistic_error(rule.n_right, rule.n_covered, self.model.confidence)

    def _limit(self, rule: Rule) -> Formula:
        """Return the pessimistic error of a rule with its arithmetic."""
        t, e, cf = rule.n_covered, rule.n_covered - rule.n_right, self.model.confidence
        limit = num4(self._error(rule))
        if not e:
            return Formula(f"U(0, {t}) = 1 − {num4(cf)}^(1/{t}) = {limit}")
        if e + 0.5 >= t:
            return Formula(f"U({e}, {t}) = {limit}")
        places = f"f = {e + 0.5:g}/{t}, z = {num4(ndtri(1 - cf))}"
        terms = "(f + z²/2t + z √(f/t − f²/t + z²/4t²)) / (1 + z²/t)"
        return Formula(f"U({e}, {t}) = {terms} = {limit}, {places}")

    def _conditions(self, step: RuleStep) -> LedgerTable:
        """Return the rule without each of its conditions: wrong rows, rows, pessimistic error."""
        tried = step.candidates
        assert tried is not None
        texts = [self.words.condition(condition) for condition in tried.conditions]
        wrong = (tried.covered - tried.right).tolist()
        columns = texts, wrong, tried.covered.tolist(), map(short, tried.scores)
        return LedgerTable(
            (CANDIDATE, "e", "t", "U"),
            list(zip(*columns, strict=True)),
            "The rule without a condition",
            [step.chosen] if step.chosen >= 0 else [],
            by=CANDIDATE,
            numbers=[number + 1 for number in range(len(texts))],
        )

    def _first(self, step: RuleStep) -> int:
        """Return the place in the list of the first rule of the class of a step."""
        return [rule.target for rule in step.rules].index(step.target)

    def _n_rules(self, step: RuleStep, target: int) -> int:
        return sum(rule.target == target for rule in step.rules)
