"""A decision tree in words and numbers: splits, pruning, rules, and the path of the query."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.decision_tree.plan_scene import MANY, QUERY_PHASES, Event
from dmlib.classification.decision_tree.pruning_ledger import pruned
from dmlib.classification.decision_tree.query_ledger import QueryNarrator
from dmlib.classification.decision_tree.significance_ledger import (
    digits,
    p_text,
    short,
    significance_tables,
)
from dmlib.classification.decision_tree.split_ledger import (
    SCORES,
    answers,
    impurity_text,
    question,
    score_texts,
)
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count
from dmlib.problem import Problem, Query
from dmlib.trees.choices import parse_choices
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.significance import p_value
from dmlib.trees.splits import Candidate, Candidates
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.text import leaf_rules
from dmlib.trees.tree import Tree

CANDIDATE = "rank"
"""How the candidates of a split are counted, from the best one: in the table and on the picture."""

CLOSE = 1e-9  # scores that differ by less are called equal
MAX_LISTED = 500  # candidates in the tables of all frames together
MIN_CANDIDATES = 3  # of each
MAX_RULES = 30
MAX_BRANCHES = 4  # columns of a table of counts
MAX_SURROGATES = 5


class Narrator:
    """Captions and ledgers of a decision tree.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    steps : sequence of DecisionTreeStep
        The run; the last step has the tree.
    query : Query
        The place or sample that is asked about.
    model : estimator
        Fitted to the training samples.
    """

    def __init__(
        self, problem: Problem, steps: Sequence[DecisionTreeStep], query: Query, model: Any
    ) -> None:
        self.problem, self.query, self.model = problem, query, model
        self.criterion, self.measure = model.criterion, CRITERIA[model.criterion].measure
        choices = parse_choices(model.choices or "")
        self.own_paths = {path for path, choice in choices.items() if choice is not None}
        self.codes = [int(code) for code in model.classes_]
        self.names = [problem.classes[code] for code in self.codes]
        self.steps, self.brief = steps, len(steps) > MANY
        self.root = steps[0]
        tree = steps[-1].tree
        assert tree is not None
        self.tree: Tree = tree
        self.path = QueryNarrator(problem, tree, self.names, query)
        self.longest = _longest(
            [len(step.candidates) for step in steps if step.candidates is not None]
        )

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        event: Event = now.step
        if event.step is None:
            return self._start()
        if event.phase == "choose":
            return self._choice(event.step, event.earlier_steps)
        if event.phase == "done":
            return self._finished()
        if event.phase in QUERY_PHASES:
            return self._query(event)
        build = {"split": self._split, "prune": pruned, "raise": pruned, "keep": pruned}
        return build.get(event.phase, self._leaf)(event.step)

    # --- growing --------------------------------------------------------------------------------

    def _start(self) -> tuple[str, Blocks]:
        """Return caption and ledger of the root before it is split."""
        n, wrong = self.root.counts.sum(), self.root.counts.sum() - self.root.counts.max()
        caption = (
            f"All {short(n)} rows are in the root; a single-leaf tree misclassifies {short(wrong)}"
            " of them."
        )
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        for code, weight in zip(self.codes, self.root.counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), float(weight / n)]
        table = LedgerTable(("class", "rows", "share"), rows, "Classes in the root", classes=True)
        ledger: Blocks = [
            table,
            Formula(f"{self.measure} = {impurity_text(self.root.counts, self.measure)}"),
        ]
        return caption, ledger

    def _split(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        chosen, ranked = step.chosen, step.candidates
        assert chosen is not None
        assert ranked is not None
        test = question(chosen.split, self.problem)
        name, score = SCORES[self.criterion], short(chosen.score)
        scores = ranked.scores[np.isfinite(ranked.scores) & ranked.eligible]
        if step.path in self.own_paths and step.best is not None:
            caption = self._own(step, test)
        elif len(scores) == 1:
            name_of = node_name(step.node, capital=True)
            caption = (
                f"{name_of} is split by {test}, the only test that can be chosen; its {name} is"
                f" {score}."
            )
        else:
            ties = int((scores >= scores.max() - CLOSE).sum()) - 1
            equal = f", the first of {ties + 1} equal ones" if ties else ""
            caption = (
                f"{node_name(step.node, capital=True)} is split by {test}: its {name}, {score}, is"
                " the largest of "
            )
            caption += f"{len(scores)}{equal}."
        return caption, [
            *self._arithmetic(step, chosen),
            *self._ranking(step, ranked),
            *self._surrogates(step),
        ]

    def _own(self, step: DecisionTreeStep, test: str) -> str:
        """Compare the reader's split with the one that the algorithm would have made."""
        assert step.chosen is not None
        assert step.best is not None
        start = (
            f"You split {node_name(step.node)} by {test}, with {SCORES[self.criterion]}"
            f" {short(step.chosen.score)}"
        )
        best = f"{question(step.best.split, self.problem)} has {short(step.best.score)}"
        if step.loss > CLOSE:
            return f"{start}; {best}, so {short(step.loss)} is lost."
        if step.loss < -CLOSE:
            return f"{start}; {best}, and is preferred as its gain is not below average."
        return f"{start}; no other split has more."

    def _arithmetic(self, step: DecisionTreeStep, chosen: Candidate) -> Blocks:
        """Return the counts in the branches of a split, and its score line by line."""
        n_cuts = 0
        if step.candidates is not None:
            n_cuts = int(
                (
                    (step.candidates.columns == chosen.split.column)
                    & (chosen.split.thresholds != ())
                ).sum()
            )
        lines = [
            Formula(line) for line in score_texts(chosen, self.criterion, n_cuts, brief=self.brief)
        ]
        return [
            self._counts(step, chosen),
            *significance_tables(chosen, self.problem, self.codes),
            *lines,
        ]

    def _counts(self, step: DecisionTreeStep, chosen: Candidate) -> LedgerTable:
        """Return how many rows of each class go to each branch."""
        branches = answers(chosen.split, self.problem)[:MAX_BRANCHES]
        has_further = len(chosen.counts) > MAX_BRANCHES
        head = (
            "class",
            "node",
            *branches,
            *(["…"] if has_further else []),
            *(["missing"] if chosen.missing > CLOSE else []),
        )
        rows: list[list[Cell]] = [[name, *[0] * (len(head) - 1)] for name in self.problem.classes]
        unknown = np.maximum(step.counts - chosen.counts.sum(axis=0), 0.0)
        for i, code in enumerate(self.codes):
            cells = [step.counts[i], *chosen.counts[:MAX_BRANCHES, i]]
            cells += [chosen.counts[MAX_BRANCHES:, i].sum()] if has_further else []
            cells += [unknown[i]] if chosen.missing > CLOSE else []
            rows[code] = [self.problem.classes[code], *map(_cell, cells)]
        column = self.problem.features[chosen.split.column]
        return LedgerTable(
            head, rows, f"{node_name(step.node, capital=True)} by {column}", classes=True
        )

    def _ranking(self, step: DecisionTreeStep, ranked: Candidates) -> Blocks:
        """Return the candidates, the best first, with the chosen one marked."""
        real = np.flatnonzero(np.isfinite(ranked.scores))
        places = real[: self.longest].tolist()
        second = {"gain_ratio": ["gain"], "chaid": ["p"], "quest": ["p"]}.get(self.criterion, [])
        head = (CANDIDATE, "test", SCORES[self.criterion], *second, "rows")
        rows: list[list[Cell]] = []
        emphasis = []
        for i in places:
            candidate = ranked[i]
            mark = "" if candidate.eligible else "–"
            worth = [
                digits(candidate.score),
                *(
                    [candidate.gain if second == ["gain"] else p_value(candidate.score)]
                    if second
                    else []
                ),
            ]
            worth = list(map(digits, worth))
            sizes = " | ".join(
                short(size) for size in candidate.counts.sum(axis=1)[: 2 * MAX_BRANCHES]
            )
            rows.append([mark or i + 1, question(candidate.split, self.problem), *worth, sizes])
            if step.chosen is not None and candidate.split == step.chosen.split:
                emphasis.append(len(rows) - 1)
        title = f"{count(len(real), 'candidate', 'candidates')}, ranked"
        if len(places) < len(real):
            title += f": the best {len(places)}"
        ledger: Blocks = [LedgerTable(head, rows, title, emphasis, by=CANDIDATE)]
        if not ranked.eligible[places].all():
            ledger.append(
                Formula(
                    "–: not chosen; only the best test of a column competes, if its gain is not"
                    " below average"
                )
            )
        return ledger

    def _surrogates(self, step: DecisionTreeStep) -> Blocks:
        if not step.surrogates:
            return []
        rows = [
            (
                question(s.split, self.problem) + (", turned round" if s.swapped else ""),
                s.agreement,
                s.adjusted,
            )
            for s in step.surrogates[:MAX_SURROGATES]
        ]
        title = "Surrogate splits, for rows without the value"
        return [LedgerTable(("test", "agreement", "adjusted"), rows, title)]

    def _leaf(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        winner = self._winner(step.node, step.counts)
        reason = self._why(step)
        caption = (
            f"{node_name(step.node, capital=True)} stays a leaf and predicts {winner}: {reason}"
        )
        if step.phase == "open":
            caption = (
                f"{node_name(step.node, capital=True)} is not split yet; until then it predicts"
                f" {winner}."
            )
        n, wrong = step.counts.sum(), step.counts.sum() - step.counts.max(initial=0.0)
        ledger: Blocks = [self._classes(step.counts, f"Classes in {node_name(step.node)}")]
        if n > 0:
            ledger.append(Formula(f"{self.measure} = {impurity_text(step.counts, self.measure)}"))
            ledger.append(
                Formula(
                    f"training errors here: {short(n)} − {short(step.counts.max())} ="
                    f" {short(wrong)}"
                )
            )
        if step.candidates is not None and step.phase != "open":
            ledger += self._ranking(step, step.candidates)
        return caption, ledger

    def _why(self, step: DecisionTreeStep) -> str:
        """Return why a node stays a leaf."""
        if (
            step.best is not None
            and step.best.test is not None
            and step.best.score < -log10(self.model.alpha_split)
        ):
            smallest, level = p_text(step.best.score), short(self.model.alpha_split)
            return f"no column is significant, as the smallest p, {smallest}, is above {level}."
        return step.reason[:1].lower() + step.reason[1:]

    def _classes(self, counts: NDArray[np.float64], title: str) -> LedgerTable:
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        total = max(float(counts.sum()), np.finfo(float).tiny)
        for code, weight in zip(self.codes, counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), digits(weight / total)]
        return LedgerTable(("class", "rows", "share"), rows, title, classes=True)

    def _winner(self, node: int, counts: NDArray[np.float64]) -> str:
        """Return the class that a leaf predicts; one without rows predicts that of the node above."""
        while counts.sum() <= 0:
            parent = next(step.parent for step in self.steps if step.node == node)
            node, counts = parent, next(step.counts for step in self.steps if step.node == parent)
        return self.names[int(counts.argmax())]

    def _query(self, event: Event) -> tuple[str, Blocks]:
        """Return caption and ledger of the query on its path, or at its end."""
        is_at_end = event.phase == "classify"
        caption, ledger = (
            self.path.answer(*event.parts) if is_at_end else self.path.level(*event.parts)
        )
        return caption, [
            *ledger,
            query_table(self.problem, self.query),
            *self._own_splits(self.steps),
        ]

    # --- the finished tree ----------------------------------------------------------------------

    def _finished(self) -> tuple[str, Blocks]:
        """Return caption and ledger of the finished tree: its errors and its rules."""
        tree, training = self.tree, self.problem.training
        n, wrong = len(training.X), int((self.model.predict(training.data) != training.y).sum())
        caption = (
            f"The tree is finished: {count(tree.n_leaves, 'leaf', 'leaves')}, depth"
            f" {tree.max_depth}, and {wrong} of {n} training rows misclassified."
        )
        return caption, [
            *self._own_splits(self.steps),
            error_table(self.problem, self.model),
            self._rules(),
        ]

    def _rules(self) -> LedgerTable:
        """Return the tree as rules, one for each leaf."""
        values = [self.problem.categories.get(j) for j in range(len(self.problem.features))]
        all_rules = leaf_rules(
            self.tree, list(self.problem.features), values, self.names, list(self.problem.X.T)
        )
        title = "Rules, with their rows / misclassified rows"
        if len(all_rules) > MAX_RULES:
            title = f"The first {MAX_RULES} of {len(all_rules)} rules"
        rows = [
            (rule.conclusion, " and ".join(rule.conditions).replace("<=", "≤"))
            for rule in all_rules[:MAX_RULES]
        ]
        return LedgerTable(("then", "if"), rows, title)

    def _own_splits(self, steps: Sequence[DecisionTreeStep]) -> Blocks:
        """Compare the splits that the reader made with those that the algorithm would have made."""
        own = [step for step in steps if step.phase == "split" and step.path in self.own_paths]
        rows: list[list[Cell]] = []
        lost: Blocks = []
        for step in own:
            assert step.chosen is not None
            assert step.best is not None
            same = step.best.split == step.chosen.split
            for author, split in (
                [("both", step.chosen)] if same else [("you", step.chosen), ("best", step.best)]
            ):
                rows.append(
                    [
                        step.node + 1,
                        author,
                        question(split.split, self.problem),
                        digits(split.score),
                    ]
                )
            if step.loss > CLOSE:
                difference = (
                    f"{short(step.best.score)} − {short(step.chosen.score)} = {short(step.loss)}"
                )
                lost.append(Formula(f"lost at {node_name(step.node)}: {difference}"))
        head = ("node", "by", "test", SCORES[self.criterion])
        return [LedgerTable(head, rows, "Your splits and the algorithm's"), *lost] if rows else []

    def _choice(
        self, step: DecisionTreeStep, before: Sequence[DecisionTreeStep]
    ) -> tuple[str, Blocks]:
        """Return caption and ledger of the split that the reader is choosing, without the best one."""
        assert step.chosen is not None
        caption = (
            f"Your turn at {node_name(step.node)}: choose a column and a split of its values, then"
            " press Split."
        )
        own = [each for each in before if each.phase == "split" and each.path in self.own_paths]
        if own:
            lost = max(own[-1].loss, 0.0)
            last = f"lost {short(lost)}" if lost > CLOSE else "lost nothing"
            caption = (
                f"Your split of {node_name(own[-1].node)} {last}; now it is the turn of"
                f" {node_name(step.node)}."
            )
        return caption, [*self._own_splits(own), *self._arithmetic(step, step.chosen)]


def _longest(lengths: Sequence[int]) -> int:
    """Return how many candidates a table may have, so that all tables together stay light."""
    longest = max(lengths, default=0)
    while longest > MIN_CANDIDATES and sum(min(n, longest) for n in lengths) > MAX_LISTED:
        longest = max(MIN_CANDIDATES, longest * 9 // 10)
    return longest


def _cell(weight: Any) -> Cell:
    """Return a weight for a table; whole ones without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e9 else digits(weight)
