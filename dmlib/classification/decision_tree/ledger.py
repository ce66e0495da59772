"""The words and the arithmetic beside the picture of a decision tree."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.decision_tree.pruning_scene import pruned
from dmlib.classification.decision_tree.significance_ledger import digits, p_text, short, significance_tables
from dmlib.classification.decision_tree.split_ledger import (
    SCORES,
    answers,
    impurity_text,
    question,
    score_texts,
)
from dmlib.classification.decision_tree.walk_scene import Part
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, upper_first
from dmlib.problem import Problem, Query
from dmlib.trees.choices import parse_choices
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.significance import p_value
from dmlib.trees.splits import Candidate, Candidates
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.text import rules
from dmlib.trees.tree import Tree

CANDIDATE = "rank"
"""How the candidates of a split are counted, from the best one: in the table and on the picture."""

CLOSE = 1e-9  # scores that differ by less are called equal
MOST_LISTED = 500  # candidates in the tables of all frames together
FEWEST = 3  # of each
MANY = 60  # steps beyond which leaves have no frame, and impurities are not written out
MOST_RULES = 30
MOST_BRANCHES = 4  # columns of a table of counts
MOST_SURROGATES = 5


class Teller:
    """Tells in words and numbers how a tree grows, is pruned, and classifies.

    The last of the ``steps`` has the tree; the ``model`` is fitted to the training samples. The splits that the
    reader chose are those of the nodes whose paths are ``mine``.
    """

    def __init__(self, problem: Problem, steps: Sequence[DecisionTreeStep], query: Query, model: Any) -> None:
        self.problem, self.query, self.model = problem, query, model
        self.criterion, self.measure = model.criterion, CRITERIA[model.criterion].measure
        self.mine = {path for path, choice in parse_choices(model.choices or "").items() if choice is not None}
        self.codes = [int(code) for code in model.classes_]
        self.names = [problem.classes[code] for code in self.codes]
        self.steps, self.brief = steps, len(steps) > MANY
        self.root = steps[0]
        tree = steps[-1].tree
        assert tree is not None
        self.tree: Tree = tree
        name = problem.name(query)
        self.query_name = upper_first(name)
        self.longest = _longest([len(step.candidates) for step in steps if step.candidates is not None])

    # --- growing ------------------------------------------------------------------------------------------------------

    def start(self) -> Frame:
        """Tell of the root before it is split."""
        n, wrong = self.root.counts.sum(), self.root.counts.sum() - self.root.counts.max()
        caption = f"All {short(n)} rows are in the root; a single-leaf tree misclassifies {short(wrong)} of them."
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        for code, weight in zip(self.codes, self.root.counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), float(weight / n)]
        table = LedgerTable(("class", "rows", "share"), rows, "Classes in the root", classes=True)
        ledger: Blocks = [table, Formula(f"{self.measure} = {impurity_text(self.root.counts, self.measure)}")]
        return Frame(caption, ledger, "start")

    def frame(self, step: DecisionTreeStep) -> Frame:
        """Return caption and ledger of a step of growing or pruning."""
        tell = {"split": self._split, "prune": pruned, "raise": pruned, "keep": pruned}
        caption, ledger = tell.get(step.phase, self._leaf)(step)
        return Frame(caption, ledger, step.phase)

    def _split(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        chosen, ranked = step.chosen, step.candidates
        assert chosen is not None
        assert ranked is not None
        test = question(chosen.split, self.problem)
        name, score = SCORES[self.criterion], short(chosen.score)
        scores = ranked.scores[np.isfinite(ranked.scores) & ranked.eligible]
        if step.path in self.mine and step.best is not None:
            caption = self._own(step, test)
        elif len(scores) == 1:
            name_of = node_name(step.node, capital=True)
            caption = f"{name_of} is split by {test}, the only test that can be chosen; its {name} is {score}."
        else:
            ties = int((scores >= scores.max() - CLOSE).sum()) - 1
            equal = f", the first of {ties + 1} equal ones" if ties else ""
            caption = (
                f"{node_name(step.node, capital=True)} is split by {test}: its {name}, {score}, is the largest of "
            )
            caption += f"{len(scores)}{equal}."
        return caption, [*self.arithmetic(step, chosen), *self._ranking(step, ranked), *self._surrogates(step)]

    def _own(self, step: DecisionTreeStep, test: str) -> str:
        """Compare the reader's split with the one that the algorithm would have made."""
        assert step.chosen is not None
        assert step.best is not None
        start = f"You split {node_name(step.node)} by {test}, with {SCORES[self.criterion]} {short(step.chosen.score)}"
        best = f"{question(step.best.split, self.problem)} has {short(step.best.score)}"
        if step.loss > CLOSE:
            return f"{start}; {best}, so {short(step.loss)} is lost."
        if step.loss < -CLOSE:
            return f"{start}; {best}, and is preferred as its gain is not below average."
        return f"{start}; no other split has more."

    def arithmetic(self, step: DecisionTreeStep, chosen: Candidate) -> Blocks:
        """Return the counts in the branches of a split, and its score line by line."""
        n_cuts = 0
        if step.candidates is not None:
            n_cuts = int(((step.candidates.columns == chosen.split.column) & (chosen.split.thresholds != ())).sum())
        lines = [Formula(line) for line in score_texts(chosen, self.criterion, n_cuts, brief=self.brief)]
        return [self._counts(step, chosen), *significance_tables(chosen, self.problem, self.codes), *lines]

    def _counts(self, step: DecisionTreeStep, chosen: Candidate) -> LedgerTable:
        """Return how many rows of each class go to each branch."""
        shown = answers(chosen.split, self.problem)[:MOST_BRANCHES]
        more = len(chosen.counts) > MOST_BRANCHES
        head = ("class", "node", *shown, *(["…"] if more else []), *(["missing"] if chosen.missing > CLOSE else []))
        rows: list[list[Cell]] = [[name, *[0] * (len(head) - 1)] for name in self.problem.classes]
        unknown = np.maximum(step.counts - chosen.counts.sum(axis=0), 0.0)
        for i, code in enumerate(self.codes):
            cells = [step.counts[i], *chosen.counts[:MOST_BRANCHES, i]]
            cells += [chosen.counts[MOST_BRANCHES:, i].sum()] if more else []
            cells += [unknown[i]] if chosen.missing > CLOSE else []
            rows[code] = [self.problem.classes[code], *map(_cell, cells)]
        column = self.problem.features[chosen.split.column]
        return LedgerTable(head, rows, f"{node_name(step.node, capital=True)} by {column}", classes=True)

    def _ranking(self, step: DecisionTreeStep, ranked: Candidates) -> Blocks:
        """Return the candidates, the best first, with the chosen one marked."""
        real = np.flatnonzero(np.isfinite(ranked.scores))
        places = real[: self.longest].tolist()
        second = {"gain_ratio": ["gain"], "chaid": ["p"], "quest": ["p"]}.get(self.criterion, [])
        head = (CANDIDATE, "test", SCORES[self.criterion], *second, "rows")
        rows: list[list[Cell]] = []
        emphasis = []
        for i in places:
            one = ranked[i]
            mark = "" if one.eligible else "–"
            worth = [digits(one.score), *([one.gain if second == ["gain"] else p_value(one.score)] if second else [])]
            worth = list(map(digits, worth))
            sizes = " | ".join(short(size) for size in one.counts.sum(axis=1)[: 2 * MOST_BRANCHES])
            rows.append([mark or i + 1, question(one.split, self.problem), *worth, sizes])
            if step.chosen is not None and one.split == step.chosen.split:
                emphasis.append(len(rows) - 1)
        title = f"{count(len(real), 'candidate', 'candidates')}, ranked"
        if len(places) < len(real):
            title += f": the best {len(places)}"
        ledger: Blocks = [LedgerTable(head, rows, title, emphasis, by=CANDIDATE)]
        if not ranked.eligible[places].all():
            ledger.append(
                Formula("–: not chosen; only the best test of a column competes, if its gain is not below average")
            )
        return ledger

    def _surrogates(self, step: DecisionTreeStep) -> Blocks:
        if not step.surrogates:
            return []
        rows = [
            (question(s.split, self.problem) + (", turned round" if s.swapped else ""), s.agreement, s.adjusted)
            for s in step.surrogates[:MOST_SURROGATES]
        ]
        title = "Surrogate splits, for rows without the value"
        return [LedgerTable(("test", "agreement", "adjusted"), rows, title)]

    def _leaf(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        winner = self._winner(step.node, step.counts)
        reason = self._why(step)
        caption = f"{node_name(step.node, capital=True)} stays a leaf and predicts {winner}: {reason}"
        if step.phase == "open":
            caption = f"{node_name(step.node, capital=True)} is not split yet; until then it predicts {winner}."
        n, wrong = step.counts.sum(), step.counts.sum() - step.counts.max(initial=0.0)
        ledger: Blocks = [self._classes(step.counts, f"Classes in {node_name(step.node)}")]
        if n > 0:
            ledger.append(Formula(f"{self.measure} = {impurity_text(step.counts, self.measure)}"))
            ledger.append(Formula(f"training errors here: {short(n)} − {short(step.counts.max())} = {short(wrong)}"))
        if step.candidates is not None and step.phase != "open":
            ledger += self._ranking(step, step.candidates)
        return caption, ledger

    def _why(self, step: DecisionTreeStep) -> str:
        """Return why a node stays a leaf."""
        if step.best is not None and step.best.test is not None and step.best.score < -log10(self.model.alpha_split):
            least, level = p_text(step.best.score), short(self.model.alpha_split)
            return f"no column is significant, as the smallest p, {least}, is above {level}."
        return step.reason[:1].lower() + step.reason[1:]

    def _classes(self, counts: NDArray[np.float64], title: str) -> LedgerTable:
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        total = max(float(counts.sum()), np.finfo(float).tiny)
        for code, weight in zip(self.codes, counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), digits(weight / total)]
        return LedgerTable(("class", "rows", "share"), rows, title, classes=True)

    def _winner(self, node: int, counts: NDArray[np.float64]) -> str:
        """Return the class that a leaf says; one without rows says what the node above does."""
        while counts.sum() <= 0:
            parent = next(step.parent for step in self.steps if step.node == node)
            node, counts = parent, next(step.counts for step in self.steps if step.node == parent)
        return self.names[int(counts.argmax())]

    # --- the whole tree -----------------------------------------------------------------------------------------------

    def done(self) -> Frame:
        """Tell of the finished tree: its errors and its rules."""
        tree, wrong = self.tree, int((self.model.predict(self.problem.training.data) != self.problem.training.y).sum())
        n = len(self.problem.training.X)
        caption = (
            f"The tree is finished: {count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}, "
            f"and {wrong} of {n} training rows misclassified."
        )
        ledger: Blocks = [*self.yours(self.steps), error_table(self.problem, self.model), self.rules()]
        return Frame(caption, ledger, "done")

    def rules(self) -> LedgerTable:
        """Return the tree as rules, one for each leaf."""
        values = [self.problem.categories.get(j) for j in range(len(self.problem.features))]
        found = rules(self.tree, list(self.problem.features), values, self.names, list(self.problem.X.T))
        title = "Rules, with their rows / misclassified rows"
        if len(found) > MOST_RULES:
            title = f"The first {MOST_RULES} of {len(found)} rules"
        rows = [(rule.conclusion, " and ".join(rule.conditions).replace("<=", "≤")) for rule in found[:MOST_RULES]]
        return LedgerTable(("then", "if"), rows, title)

    def yours(self, steps: Sequence[DecisionTreeStep]) -> Blocks:
        """Compare the splits that the reader made with those that the algorithm would have made."""
        own = [step for step in steps if step.phase == "split" and step.path in self.mine]
        rows: list[list[Cell]] = []
        lost: Blocks = []
        for step in own:
            assert step.chosen is not None
            assert step.best is not None
            same = step.best.split == step.chosen.split
            for who, one in [("both", step.chosen)] if same else [("you", step.chosen), ("best", step.best)]:
                rows.append([step.node + 1, who, question(one.split, self.problem), digits(one.score)])
            if step.loss > CLOSE:
                difference = f"{short(step.best.score)} − {short(step.chosen.score)} = {short(step.loss)}"
                lost.append(Formula(f"lost at {node_name(step.node)}: {difference}"))
        head = ("node", "by", "test", SCORES[self.criterion])
        return [LedgerTable(head, rows, "Your splits and the algorithm's"), *lost] if rows else []

    def choose(self, step: DecisionTreeStep, before: Sequence[DecisionTreeStep]) -> Frame:
        """Tell of the split that the reader is trying, without saying what would be best."""
        assert step.chosen is not None
        caption = f"Your turn at {node_name(step.node)}: choose a column and a split of its values, then press Split."
        own = [one for one in before if one.phase == "split" and one.path in self.mine]
        if own:
            lost = max(own[-1].loss, 0.0)
            last = f"lost {short(lost)}" if lost > CLOSE else "lost nothing"
            caption = f"Your split of {node_name(own[-1].node)} {last}; now it is the turn of {node_name(step.node)}."
        return Frame(caption, [*self.yours(own), *self.arithmetic(step, step.chosen)], "choose")

    # --- classifying --------------------------------------------------------------------------------------------------

    def walked(self, here: Sequence[Part], after: Sequence[Part]) -> Frame:
        """Tell how the query goes one level down."""
        moved = [part for part in after if part.source in {one.node for one in here} and part not in here]
        rows: list[list[Cell]] = []
        for part in moved:
            value, test = self._passed(part)
            rows.append([self._number(part.source), test, value, self._number(part.node), digits(part.share)])
        if len(moved) == 1:
            value, test = self._passed(moved[0])
            answer = (
                f"it is {value if isinstance(value, str) else short(value)}" if value is not None else "it is missing"
            )
            caption = (
                f"{self.query_name} is tested: {test}? {answer.capitalize()}{self._instead(moved[0])}, so it goes to "
                f"{self._number(moved[0].node)}."
            )
        else:
            caption = (
                f"A value is missing, so {self.query_name[0].lower() + self.query_name[1:]} goes on in {len(after)} "
                "parts: each branch gets the fraction of the training rows in it."
            )
        head = ("from", "test", "value", "to", "part")
        return Frame(caption, [LedgerTable(head, rows, "Path through the tree"), *self._after()], "walk")

    def _after(self) -> Blocks:
        return [query_table(self.problem, self.query), *self.yours(self.steps)]

    def _passed(self, part: Part) -> tuple[Cell, str]:
        """Return the value that was asked for on the way to a part, and the test."""
        split = self.tree.splits.split(part.source)
        assert split is not None
        value = self.problem.value(split.column, self.query.x[split.column])
        return value if not isinstance(value, float) else float(value), question(split, self.problem)

    def _instead(self, part: Part) -> str:
        """Return which surrogate answered where the value is missing."""
        split = self.tree.splits.split(part.source)
        assert split is not None
        if not np.isnan(self.query.x[split.column]):
            return ""
        if split.missing >= 0:
            return ", which the split sends there"
        for surrogate in (self.tree.surrogates or {}).get(part.source, ()):
            if not np.isnan(self.query.x[surrogate.split.column]):
                return f", and its surrogate {question(surrogate.split, self.problem)} answers"
        return ", the branch of most training rows"

    def answer(self, parts: Sequence[Part]) -> Frame:
        """Tell which class the query gets."""
        shares = sum(part.share * self.tree.value[part.node, 0] for part in parts)
        winner = int(np.argmax(shares))
        counts = self.tree.counts[parts[0].node]
        if len(parts) == 1 and counts.sum() <= 0:
            caption = (
                f"{self.query_name} ends in {self._number(parts[0].node)}, which has no training rows: it predicts "
                f"{self.names[winner]}, the majority class of the node above."
            )
        elif len(parts) == 1:
            caption = (
                f"{self.query_name} ends in {self._number(parts[0].node)}, where {short(counts[winner])} of "
                f"{short(counts.sum())} rows are {self.names[winner]}, the predicted class."
            )
        else:
            caption = (
                f"{self.query_name} ends in {len(parts)} leaves, in parts; together they give {self.names[winner]} "
                f"the probability {short(shares[winner])}."
            )
        ledger: Blocks = []
        for i, name in enumerate(self.names):
            terms = [f"{short(part.share)} · {short(self.tree.value[part.node, 0, i])}" for part in parts]
            text = few(terms, 6)
            if len(parts) == 1 and counts.sum() > 0:
                text = f"{short(counts[i])} / {short(counts.sum())}"
            ledger.append(Formula(f"P({name}) = {text} = {short(shares[i])}"))
        return Frame(caption, [*ledger, *self._after()], "classify")

    # --- names --------------------------------------------------------------------------------------------------------

    def _number(self, place: int) -> str:
        return node_name(int(self.tree.numbers[place]))


def _longest(lengths: Sequence[int]) -> int:
    """Return how many candidates a table may have, so that all tables together stay light."""
    longest = max(lengths, default=0)
    while longest > FEWEST and sum(min(n, longest) for n in lengths) > MOST_LISTED:
        longest = max(FEWEST, longest * 9 // 10)
    return longest


def _cell(weight: Any) -> Cell:
    """Return a weight for a table; whole ones without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e9 else digits(weight)
