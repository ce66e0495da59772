"""Questions about a decision tree: what becomes of a node, where a split cuts, what it gains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.significance_questions import (
    MergeRule,
    QuestRule,
    significance_questions,
)
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_regions_scene import axis_of
from dmlib.pictures.answers import MAX_OPTIONS, Option, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.regions import region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, upper_first
from dmlib.problem import Problem
from dmlib.trees.chaid_questions import ChaidRule
from dmlib.trees.impurity import impurity
from dmlib.trees.splits import Candidate
from dmlib.trees.steps import DecisionTreeStep
from dmlib.trees.tests_ledger import question as test_text

MAX_CANDIDATES = 60  # of a node to which wrong rules are applied
MAX_BRANCHES = 3  # of a split whose gain is computed by hand
MEASURES = {"gini": "Gini index", "entropy": "entropy"}
LEAF = "it stays a leaf"


class Rule(Misconception):
    """Wrong rules of decision trees."""

    ERRORS = "The gain is the share of misclassified rows that the split saves."
    SIZES = "The impurities of the branches count alike, whatever the number of rows in each."
    HALVES = "The split that comes nearest to halving the rows wins."
    MAJORITY = "A node in which one class has the majority stays a leaf."
    RANGE = "A cut lies in the middle of the range of its column."
    REMAINS = "The gain is the impurity that is left in the branches."


RULES = (*Rule, *ChaidRule, *MergeRule, *QuestRule)
"""Those of all split criteria."""


def questions(run: Run[Problem, DecisionTreeClassifier]) -> Iterator[Question]:
    """Yield the questions that the growth of a decision tree answers.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.DecisionTreeClassifier`.

    Yields
    ------
    Question
        Before each node below the root.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 0.0], "c": list("xyx")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> [question.prompt for question in questions(Run.of(problem, DecisionTreeClassifier()))]
    ['What becomes of node 2 (2 x)?', 'What becomes of node 3 (1 y)?']
    """
    if run.trace.complete:
        yield from first_of(_of_nodes(run))


def _of_nodes(run: Run[Problem, DecisionTreeClassifier]) -> Iterator[Question]:
    steps, is_free = run.trace.steps, run.model.choices is None
    has_cut = False
    for number in range(1, len(steps)):
        step: DecisionTreeStep = steps[number]
        tested = list(significance_questions(run, number, step)) if is_free else []
        if tested:
            yield from tested
        elif step.phase == "split" and is_free and step.chosen and step.candidates is not None:
            # CHAID and QUEST do not cut halfway between two rows
            is_halfway = step.chosen.test is None
            cut = [] if has_cut or not is_halfway else list(_cut(run, number, step))
            has_cut = has_cut or bool(cut)
            yield from cut or [_fate(run, number, step)]
            yield from _gain(run, number, step, step.chosen)
        elif step.phase == "leaf" and is_free:
            yield _fate(run, number, step)


def _fate(
    run: Run[Problem, DecisionTreeClassifier], number: int, step: DecisionTreeStep
) -> Question:
    problem = run.problem
    candidates = _candidates(step)
    columns = _columns(step, candidates, len(problem.features))
    options = [LEAF, *(f"it is split by {problem.features[column]}" for column in columns)]
    right, wrong, tie = [0], [], ""
    if step.phase == "split" and step.chosen is not None:
        winners = best([each.score if each.eligible else -np.inf for each in candidates])
        winning = list(dict.fromkeys(candidates[i].split.column for i in winners))
        first = step.chosen.split.column
        right = [1 + columns.index(column) for column in [first, *winning] if column in columns]
        right = list(dict.fromkeys(right))
        tie = "The best splits of these columns are equally good." if len(right) > 1 else ""
        wrong = [
            Wrong(rule, 1 + columns.index(column))
            for rule, column in _preferred(candidates).items()
            if column in columns
        ]
        if 2 * step.counts.max() > step.counts.sum():
            wrong.append(Wrong(Rule.MAJORITY, 0, "Rows of two classes can still be separated."))
    return Question(
        number,
        "split or leaf",
        f"What becomes of {_node(run, step)}?",
        Option(options, right),
        _reason(run, step, candidates),
        wrong,
        "A split is worth as much as its branches are purer than the node, weighted by their rows.",
        tie,
        about=[step.node + 1],
        of="node",
    )


def _cut(
    run: Run[Problem, DecisionTreeClassifier], number: int, step: DecisionTreeStep
) -> Iterator[Question]:
    assert step.chosen is not None
    split, problem = step.chosen.split, run.problem
    axis = axis_of(problem.plane, split.column)
    if split.cut is None or axis is None:
        return
    form: Literal["x", "y"] = "x" if axis == 0 else "y"
    of_column = [
        each
        for each in _candidates(step)
        if each.split.column == split.column and each.split.cut is not None and each.eligible
    ]
    equal = [of_column[i].split.cut or 0.0 for i in best([each.score for each in of_column])]
    cuts = list(dict.fromkeys([split.cut, *equal]))
    values = problem.training.X[step.rows, split.column]
    values = values[np.isfinite(values)]

    def at(cut: float) -> tuple[float, float]:
        return (cut, 0.0) if axis == 0 else (0.0, cut)

    panel = region_panel(problem)
    reach = float(0.025 * panel.size[axis])
    yield Question(
        number,
        "cut",
        f"{upper_first(_node(run, step))} is split by {problem.features[split.column]}: "
        "where is the cut?",
        Place(panel, [at(cut) for cut in cuts], form, (reach, reach)),
        f"{_arithmetic(run, step, step.chosen)} It lies halfway between two neighbouring rows.",
        [Wrong(Rule.RANGE, at(float(values.min() + values.max()) / 2))] if len(values) else [],
        "A cut separates rows of different classes, halfway between two neighbours.",
        "Several cuts are equally good." if len(cuts) > 1 else "",
        about=[step.node + 1],
        of="node",
    )


def _gain(
    run: Run[Problem, DecisionTreeClassifier],
    number: int,
    step: DecisionTreeStep,
    chosen: Candidate,
) -> Iterator[Question]:
    measure = run.model.criterion
    if measure not in MEASURES or len(chosen.counts) > MAX_BRANCHES or chosen.missing:
        return
    if any(_text(run, branch).count(",") > MAX_BRANCHES for branch in chosen.counts):
        return
    branches = " and ".join(f"{{{_text(run, branch)}}}" for branch in chosen.counts)
    name = MEASURES[measure]
    impurities = _impurities(chosen, measure)
    own = float(impurity(chosen.counts.sum(axis=0), measure))
    yield Question(
        number,
        "gain",
        f"{upper_first(_node(run, step))} is split into {branches}: "
        f"by how much does the {name} fall?",
        Value(chosen.gain, 0.01),
        _arithmetic(run, step, chosen),
        (
            Wrong(Rule.SIZES, own - float(impurities.mean())),
            Wrong(Rule.REMAINS, max(own - chosen.gain, 0.0)),
            Wrong(Rule.ERRORS, _saved(chosen)),
        ),
        f"Subtract from the {name} of the node that of the branches, weighted by their rows.",
        about=[step.node + 1],
        of="node",
    )


# --- words --------------------------------------------------------------------------------------


def _node(run: Run[Problem, DecisionTreeClassifier], step: DecisionTreeStep) -> str:
    return f"{node_name(step.node)} ({_text(run, step.counts)})"


def _text(run: Run[Problem, DecisionTreeClassifier], counts: Floats) -> str:
    """Return how many rows of each class there are; all with at least one."""
    names = [run.problem.classes[code] for code in run.fitted.classes_]
    return (
        ", ".join(f"{num4(n)} {name}" for n, name in zip(counts, names, strict=True) if n > 0)
        or "no rows"
    )


def _reason(
    run: Run[Problem, DecisionTreeClassifier],
    step: DecisionTreeStep,
    candidates: Sequence[Candidate],
) -> str:
    if step.chosen is None or step.phase != "split":
        return step.reason or "It stays a leaf."
    chosen = step.chosen
    others = [each for each in candidates if each.split.column != chosen.split.column]
    start = _arithmetic(run, step, chosen)
    if not others:
        return start
    rival = max(others, key=lambda each: each.score if each.eligible else -np.inf)
    text = test_text(rival.split, run.problem)
    return f"{start} The best split of another column, {text}, has {num4(rival.score)}."


def _arithmetic(
    run: Run[Problem, DecisionTreeClassifier], step: DecisionTreeStep, chosen: Candidate
) -> str:
    """Return the score of a split with the numbers put in, where there are few."""
    text, measure = test_text(chosen.split, run.problem), run.model.criterion
    if measure not in MEASURES or len(chosen.counts) > MAX_BRANCHES or chosen.missing:
        return f"The score of {text} is {num4(chosen.score)}."
    sizes, impurities = chosen.counts.sum(axis=1), _impurities(chosen, measure)
    own = float(impurity(chosen.counts.sum(axis=0), measure))
    terms = " − ".join(
        f"{num4(size)}/{num4(sizes.sum())} × {num4(each)}"
        for size, each in zip(sizes, impurities, strict=True)
    )
    name, gain = MEASURES[measure], num4(chosen.gain)
    return f"The split {text} lowers the {name} by {num4(own)} − {terms} = {gain}."


# --- splits -------------------------------------------------------------------------------------


def _candidates(step: DecisionTreeStep) -> list[Candidate]:
    if step.candidates is None:
        return []
    ranked = (step.candidates[i] for i in range(min(len(step.candidates), MAX_CANDIDATES)))
    return [each for each in ranked if np.isfinite(each.score)]


def _columns(step: DecisionTreeStep, candidates: Sequence[Candidate], n_columns: int) -> list[int]:
    """Return as many columns as can be options: those of the best candidates first."""
    chosen = [] if step.chosen is None else [step.chosen.split.column]
    ranked = dict.fromkeys(
        [*chosen, *(each.split.column for each in candidates), *range(n_columns)]
    )
    return sorted(list(ranked)[: MAX_OPTIONS - 1])


def _preferred(candidates: Sequence[Candidate]) -> dict[Rule, int]:
    """Return the column that each wrong rule splits by."""
    preferences = {Rule.SIZES: _mean_impurity, Rule.HALVES: _largest}
    return {
        rule: min(candidates, key=score).split.column
        for rule, score in preferences.items()
        if candidates
    }


def _saved(candidate: Candidate) -> float:
    """Return the share of the rows that are misclassified before a split, and not after it."""
    branches = candidate.counts
    return float((branches.max(axis=1).sum() - branches.sum(axis=0).max()) / branches.sum())


def _mean_impurity(candidate: Candidate) -> float:
    return float(_impurities(candidate, "gini").mean())


def _largest(candidate: Candidate) -> float:
    return float(candidate.counts.sum(axis=1).max())


def _impurities(candidate: Candidate, measure: str) -> Floats:
    return np.array([float(impurity(branch, measure)) for branch in candidate.counts])
