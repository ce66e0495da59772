"""A decision tree in words and numbers: splits, pruning, rules, and the path of the query."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.class_ledger import class_weight_blocks
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.cost_ledger import CostLedger
from dmlib.classification.decision_tree.own_splits_ledger import CLOSE, OwnSplits
from dmlib.classification.decision_tree.plan_scene import MANY, QUERY_PHASES, Event
from dmlib.classification.decision_tree.pruning_ledger import pruned
from dmlib.classification.decision_tree.query_ledger import QueryNarrator
from dmlib.classification.decision_tree.scan_ledger import estimates, sorted_scan
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable
from dmlib.pictures.regions import cases_of, error_table, misclassified, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count
from dmlib.problem import Problem, Query
from dmlib.trees.choices import parse_choices
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.significance import p_value
from dmlib.trees.significance_ledger import digits, p_text, short, significance_tables
from dmlib.trees.split_ledger import SCORES, impurity_text, order_text, score_texts
from dmlib.trees.splits import Candidate, Candidates
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tests_ledger import branch_texts, question
from dmlib.trees.text import leaf_rules
from dmlib.trees.tree import Tree

CANDIDATE = "rank"
"""The rank of a candidate split, in the table and on the picture."""

MAX_LISTED = 500  # candidates in the tables of all frames together
MIN_CANDIDATES = 3  # of each
MAX_RULES = 30
MAX_BRANCHES = 4  # columns of a table of counts
MAX_SURROGATES = 5
EXTRA = {
    "gain_ratio": ["gain"],
    "hypergeometric": ["P"],
    "permutation": ["p"],
    "chaid": ["p"],
    "quest": ["p"],
}
"""A column more in the table of candidates, by criterion."""
ROW_WEIGHT = "Each row counts as its class weighs, in every number of rows, impurity and error."
NOT_ELIGIBLE = (
    "–: not chosen; only the best test of a column competes, if its gain is not below average"
)


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
        self,
        problem: Problem,
        steps: Sequence[DecisionTreeStep],
        query: Query,
        model: DecisionTreeClassifier,
    ) -> None:
        self.problem, self.query, self.model = problem, query, model
        self.criterion, self.measure = model.criterion, CRITERIA[model.criterion].measure
        choices = parse_choices(model.choices or "")
        own_paths = {path for path, choice in choices.items() if choice is not None}
        self.own_splits = OwnSplits(problem, own_paths, model.criterion)
        self.codes = [int(code) for code in model.classes_]
        self.names = [problem.classes[code] for code in self.codes]
        self.steps, self.brief = steps, len(steps) > MANY
        self.root, tree = steps[0], steps[-1].tree
        assert tree is not None
        self.tree: Tree = tree
        self.costs = None
        if tree.costs is not None:
            self.costs = CostLedger(problem, self.codes, tree.costs, self.root.counts)
        self.path = QueryNarrator(problem, tree, self.names, query, self.costs)
        all_candidates = [step.candidates for step in steps if step.candidates is not None]
        self.max_candidates = _max_candidates([len(candidates) for candidates in all_candidates])

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        event: Event = moment.step
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
        n = self.root.counts.sum()
        caption = (
            f"All {short(n)} rows are in the root; a single-leaf tree misclassifies"
            f" {short(n - self.root.counts.max())} of them."
        )
        if self.costs is not None:
            winner = self._winner(0, self.root.counts)
            cost = short(self.costs.expected(self.root.counts).min())
            caption = (
                f"All {short(n)} rows are in the root; a single leaf predicts {winner}, at a cost"
                f" of {cost}."
            )
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        for code, weight in zip(self.codes, self.root.counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), float(weight / n)]
        table = LedgerTable(("class", "rows", "share"), rows, "Classes in the root", classes=True)
        cases = cases_of(self.model, self.problem.training)
        weights = class_weight_blocks(self.model.class_weight, self.problem, ROW_WEIGHT, cases)
        weights += [] if self.costs is None else self.costs.weighing()
        return caption, [table, self._impurity(self.root.counts), *weights]

    def _impurity(self, counts: Floats) -> Formula:
        return Formula(f"{self.measure} = {impurity_text(counts, self.measure)}")

    def _split(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        chosen, ranked = step.chosen, step.candidates
        assert chosen is not None
        assert ranked is not None
        ledger = [*self._arithmetic(step, chosen), *estimates(step.best, self.model.leaf_penalty)]
        scan = sorted_scan(ranked, chosen, self.problem, self.codes, self.measure)
        ranking = self._ranking(step, ranked)
        is_only_column = len(set(ranked.columns.tolist())) == 1
        ledger += scan + ranking if is_only_column else ranking + ([] if self.brief else scan)
        ledger += self._surrogates(step)
        if self.own_splits.of([step]) and step.best is not None:
            return self.own_splits.caption(step), ledger
        test = question(chosen.split, self.problem)
        start = f"{node_name(step.node, capital=True)} is split by {test}"
        name, score = SCORES[self.criterion], short(chosen.score)
        scores = ranked.scores[np.isfinite(ranked.scores) & ranked.eligible]
        if len(scores) == 1:
            return f"{start}, the only test that can be chosen; its {name} is {score}.", ledger
        n_equal = int((scores >= scores.max() - CLOSE).sum())
        ties = f", the first of {n_equal} equal ones" if n_equal > 1 else ""
        return f"{start}: its {name}, {score}, is the largest of {len(scores)}{ties}.", ledger

    def _arithmetic(self, step: DecisionTreeStep, chosen: Candidate) -> Blocks:
        """Return the counts in the branches of a split, and its score line by line."""
        n_cuts = 0
        if step.candidates is not None and chosen.split.thresholds:
            n_cuts = int((step.candidates.columns == chosen.split.column).sum())
        lines = score_texts(chosen, self.criterion, n_cuts, brief=self.brief)
        tables = significance_tables(chosen, self.problem, self.codes)
        return [self._counts(step, chosen), *tables, *map(Formula, lines)]

    def _counts(self, step: DecisionTreeStep, chosen: Candidate) -> LedgerTable:
        """Return the number of rows of each class in each branch."""
        head = ["class", "node", *branch_texts(chosen.split, self.problem)[:MAX_BRANCHES]]
        columns = [step.counts, *chosen.counts[:MAX_BRANCHES]]
        if len(chosen.counts) > MAX_BRANCHES:
            head.append("…")
            columns.append(chosen.counts[MAX_BRANCHES:].sum(axis=0))
        if chosen.missing > CLOSE:
            head.append("missing")
            columns.append(np.maximum(step.counts - chosen.counts.sum(axis=0), 0.0))
        rows: list[list[Cell]] = [[name, *[0] * len(columns)] for name in self.problem.classes]
        for code, cells in zip(self.codes, np.transpose(columns), strict=True):
            rows[code] = [self.problem.classes[code], *map(_cell, cells)]
        column = self.problem.features[chosen.split.column]
        title = f"{node_name(step.node, capital=True)} by {column}"
        return LedgerTable(head, rows, title, classes=True)

    def _ranking(self, step: DecisionTreeStep, ranked: Candidates) -> Blocks:
        """Return the candidates, the best first, with the chosen one marked."""
        finite = np.flatnonzero(np.isfinite(ranked.scores))
        places = finite[: self.max_candidates].tolist()
        extra = EXTRA.get(self.criterion, [])
        head = (CANDIDATE, "test", SCORES[self.criterion], *extra, "rows")
        rows: list[list[Cell]] = []
        emphasis = []
        for i in places:
            candidate = ranked[i]
            rank = i + 1 if candidate.eligible else "–"
            test = question(candidate.split, self.problem)
            probability = p_value(candidate.score)
            extra_values = {"gain": candidate.gain, "p": probability, "P": probability}
            scores = [candidate.score, *(extra_values[name] for name in extra)]
            sizes = map(short, candidate.counts.sum(axis=1)[: 2 * MAX_BRANCHES])
            rows.append([rank, test, *map(digits, scores), " | ".join(sizes)])
            if step.chosen is not None and candidate.split == step.chosen.split:
                emphasis.append(len(rows) - 1)
        title = f"{count(len(finite), 'candidate', 'candidates')}, ranked"
        if len(places) < len(finite):
            title += f": the best {len(places)}"
        ledger: Blocks = [LedgerTable(head, rows, title, emphasis, by=CANDIDATE)]
        ledger += self._orders(ranked)
        if not ranked.eligible[places].all():
            ledger.append(Formula(NOT_ELIGIBLE))
        return ledger

    def _orders(self, ranked: Candidates) -> Blocks:
        """Return how many cuts the ordinal columns have."""
        ordered = {
            self.problem.features[each.split.column]: each.split
            for each in ranked.groupings.values()
            if each.ordered and each.test is None and each.split.missing < 0
        }
        if self.model.splitter != "binary":
            return []
        return [Formula(order_text(split, name)) for name, split in ordered.items()]

    def _surrogates(self, step: DecisionTreeStep) -> Blocks:
        if not step.surrogates:
            return []
        rows = []
        for surrogate in step.surrogates[:MAX_SURROGATES]:
            test = question(surrogate.split, self.problem)
            test += ", turned round" if surrogate.swapped else ""
            rows.append((test, surrogate.agreement, surrogate.adjusted))
        title = "Surrogate splits, for rows without the value"
        return [LedgerTable(("test", "agreement", "adjusted"), rows, title)]

    def _leaf(self, step: DecisionTreeStep) -> tuple[str, Blocks]:
        name, winner = node_name(step.node, capital=True), self._winner(step.node, step.counts)
        caption = f"{name} stays a leaf and predicts {winner}: {self._reason(step)}"
        if step.phase == "open":
            caption = f"{name} is not split yet; until then it predicts {winner}."
        ledger: Blocks = [self._classes(step.counts, f"Classes in {node_name(step.node)}")]
        n = step.counts.sum()
        if n > 0 and self.costs is not None:
            title = f"Costs of the predictions of {node_name(step.node)}"
            ledger += [self.costs.predictions(step.counts, title), self._impurity(step.counts)]
        elif n > 0:
            largest = step.counts.max()
            errors = f"{short(n)} − {short(largest)} = {short(n - largest)}"
            ledger += [self._impurity(step.counts), Formula(f"training errors here: {errors}")]
        if step.candidates is not None and step.phase != "open":
            ledger += estimates(step.best, self.model.leaf_penalty)
            ledger += self._ranking(step, step.candidates)
        return caption, ledger

    def _reason(self, step: DecisionTreeStep) -> str:
        """Return why a node stays a leaf."""
        best, level = step.best, self.model.alpha_split
        if best is not None and best.test is not None and best.score < -log10(level):
            smallest = p_text(best.score)
            return (
                f"no column is significant, as the smallest p, {smallest}, is above {short(level)}."
            )
        return step.reason[:1].lower() + step.reason[1:]

    def _classes(self, counts: NDArray[np.float64], title: str) -> LedgerTable:
        rows: list[list[Cell]] = [[name, 0, 0.0] for name in self.problem.classes]
        total = max(float(counts.sum()), np.finfo(float).tiny)
        for code, weight in zip(self.codes, counts, strict=True):
            rows[code] = [self.problem.classes[code], _cell(weight), digits(weight / total)]
        return LedgerTable(("class", "rows", "share"), rows, title, classes=True)

    def _winner(self, node: int, counts: NDArray[np.float64]) -> str:
        """Return the class that a leaf predicts: with costs the cheapest; without rows as above."""
        while counts.sum() <= 0:
            parent = next(step.parent for step in self.steps if step.node == node)
            node, counts = parent, next(step.counts for step in self.steps if step.node == parent)
        return self.names[int(self.tree.decide(counts))]

    def _query(self, event: Event) -> tuple[str, Blocks]:
        """Return caption and ledger of the query on its path, or at its end."""
        describe = self.path.answer if event.phase == "classify" else self.path.level
        caption, ledger = describe(*event.parts)
        own = self.own_splits.comparison(self.steps)
        return caption, [*ledger, query_table(self.problem, self.query), *own]

    def _choice(
        self, step: DecisionTreeStep, earlier_steps: Sequence[DecisionTreeStep]
    ) -> tuple[str, Blocks]:
        """Return caption and ledger of the split that the reader is choosing, without the best."""
        assert step.chosen is not None
        ledger = [*self.own_splits.comparison(earlier_steps), *self._arithmetic(step, step.chosen)]
        return self.own_splits.turn(step, earlier_steps), ledger

    # --- the finished tree ----------------------------------------------------------------------

    def _finished(self) -> tuple[str, Blocks]:
        """Return caption and ledger of the finished tree: its errors and its rules."""
        tree, training = self.tree, self.problem.training
        n, errors = misclassified(self.model, training, self.model.predict(training.data))
        n_columns = len(set(tree.feature[~tree.is_leaf].tolist()))
        caption = (
            f"The tree is finished: {count(tree.node_count, 'node', 'nodes')},"
            f" {count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth},"
            f" {count(n_columns, 'column', 'columns')} tested, and {errors:.6g} of {n:.6g} training"
            " rows misclassified."
        )
        own = self.own_splits.comparison(self.steps)
        tables = [error_table(self.problem, self.model)]
        if self.costs is not None:
            cost = self.costs.total(self.model, training)
            caption = f"{caption[:-1]}, at a cost of {short(cost)}."
            tables.append(self.costs.totals_table(self.model))
        return caption, [*own, *tables, self._rules()]

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


def _max_candidates(lengths: Sequence[int]) -> int:
    """Return the length of a table at most, so that all tables together stay light."""
    length = max(lengths, default=0)
    while length > MIN_CANDIDATES and sum(min(n, length) for n in lengths) > MAX_LISTED:
        length = max(MIN_CANDIDATES, length * 9 // 10)
    return length


def _cell(weight: Any) -> Cell:
    """Return a weight for a table, integers without a decimal point."""
    return int(weight) if float(weight).is_integer() and weight < 1e9 else digits(weight)
