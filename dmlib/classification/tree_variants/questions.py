"""Questions about variants of trees: memberships, gains, levels, and rows that arrive."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of
from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_variants.fuzzy import FuzzyTree
from dmlib.classification.tree_variants.ledger import term_names
from dmlib.classification.tree_variants.linear_tree import first_branch
from dmlib.classification.tree_variants.network_questions import NetworkRule, layer_questions
from dmlib.classification.tree_variants.variant import VariantStep, VariantTree
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed, upper_first
from dmlib.problem import Problem
from dmlib.trees.impurity import impurity

MAX_CLASSES = 4  # in a node whose gain is computed by hand
MAX_LEAVES = 4  # over which a prediction is averaged by hand
MAX_ROWS = 3  # whose prediction is asked for
LITTLE = 0.05  # membership that hardly counts
MEASURES = {"gini": "Gini index", "entropy": "entropy"}
LINES = ("axis", "move", "solve", "project", "split")  # phases with a test whose gain is asked for
ARRIVALS = {"same": "every test stays", "grow": "a leaf is split", "revise": "a test is replaced"}


class Rule(Misconception):
    """Wrong rules of fuzzy trees."""

    CRISP = "A row goes to one branch as a whole, whichever side of the threshold it is on."
    WIDE = "The strip reaches its whole width to both sides of the threshold."
    SIZES = "The impurities of the branches count alike, whatever the memberships in each."
    REMAINS = "The gain is the impurity that is left in the branches."
    LARGEST = "The leaf with the largest membership predicts alone."
    ALIKE = "All leaves that a row reaches count alike."


RULES = (*Rule, *NetworkRule)
"""Those of all methods."""


def questions(run: Run[Problem, VariantTree]) -> Iterator[Question]:
    """Yield the questions that the growth of a variant of a tree answers.

    Parameters
    ----------
    run : Run
        Steps of one of the variants.

    Yields
    ------
    Question
        Before tests, levels, rows that arrive, and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import ObliviousTree
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1, 2, 3], "b": [1.0, 0, 1, 0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> [question.prompt for question in questions(Run.of(problem, ObliviousTree(significance=1)))]
    ['Which column gains most as the test of level 1?']
    """
    if run.trace.complete:
        yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, VariantTree]) -> Iterator[Question]:
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step: VariantStep = steps[number]
        if step.phase == "level":
            yield from _level(run, number, step)
        elif step.phase == "layer":
            yield from layer_questions(run, number, step)
        elif step.phase in ARRIVALS:
            yield _arrival(run, number, step)
        elif step.phase == "split" and step.width:
            yield from _membership(run, number, step, steps[number - 1])
            yield from _gain(run, number, step)
        elif step.phase in LINES and step.counts is not None:
            yield from _gain(run, number, step)
        elif step.phase == "done" and isinstance(run.model, FuzzyTree) and step.tree.labels is None:
            yield from _predictions(run, number, step)


# --- tests --------------------------------------------------------------------------------------


def _membership(
    run: Run[Problem, VariantTree], number: int, step: VariantStep, before: VariantStep
) -> Iterator[Question]:
    assert step.weights is not None
    terms = _terms(run)
    z, t, w = terms @ step.weights, step.threshold, step.width
    own = before.tree.memberships(terms)[:, step.node]
    shares = np.asarray(first_branch(z, t, w), float)
    # a row in the strip, far from its middle and from its edges
    inside = (shares > LITTLE) & (shares < 1 - LITTLE) & (own > LITTLE)
    if not inside.any():
        return
    i = int(np.argmax(np.where(inside, 0.25 - np.abs(np.abs(shares - 0.5) - 0.25), -1.0)))
    right = float(own[i] * shares[i])
    row = int(run.problem.training.rows[i]) + 1
    name = term_names(run.problem, run.fitted)[int(np.argmax(np.abs(step.weights)))]
    wide = float(np.clip(0.5 + (t - z[i]) / (2 * w), 0, 1))
    member = "" if own[i] > 1 - 1e-9 else f", and membership {num4(own[i])} there"
    factor = "" if own[i] > 1 - 1e-9 else f"{num4(own[i])} · "
    yield Question(
        number,
        "membership",
        f"{upper_first(node_name(step.node))} is split at {name} ≤ {num4(t)} with a strip of width "
        f"{num4(w)}. Row {row} has {name} = {num4(z[i])}{member}. What is its membership in the "
        "first branch?",
        Value(right, 0.01),
        f"{factor}(½ + ({num4(t)} − {signed(z[i], 4)}) / {num4(w)}) = {num4(right)}.",
        (Wrong(Rule.CRISP, float(own[i] * (z[i] <= t))), Wrong(Rule.WIDE, float(own[i] * wide))),
        "It falls from 1 to 0 across the strip, whose middle is the threshold.",
        about=[row],
    )


def _gain(run: Run[Problem, VariantTree], number: int, step: VariantStep) -> Iterator[Question]:
    counts, measure = step.counts, getattr(run.model, "criterion", "entropy")
    if counts is None or measure not in MEASURES:
        return
    if (counts.sum(axis=0) > 0).sum() > MAX_CLASSES or step.phase == "leaf":
        return
    sizes = counts.sum(axis=1)
    parts = np.array([float(impurity(branch, measure)) for branch in counts])
    own = float(impurity(counts.sum(axis=0), measure))
    first, second = (_text(run, branch) for branch in counts)
    terms = " − ".join(
        f"{num4(size)}/{num4(sizes.sum())} · {num4(part)}"
        for size, part in zip(sizes, parts, strict=True)
    )
    name = MEASURES[measure]
    yield Question(
        number,
        "gain",
        f"A test of {node_name(step.node)} leaves {{{first}}} and {{{second}}}: by how much does "
        f"the {name} fall?",
        Value(step.gain, 0.01),
        f"{num4(own)} − {terms} = {num4(step.gain)}.",
        (
            Wrong(Rule.SIZES, own - float(parts.mean())),
            Wrong(Rule.REMAINS, max(own - step.gain, 0.0)),
        ),
        f"The {name} of the branches is weighted by what is in each.",
        about=[step.node + 1],
        of="node",
    )


def _level(run: Run[Problem, VariantTree], number: int, step: VariantStep) -> Iterator[Question]:
    names = term_names(run.problem, run.fitted)
    if step.ranked is None or len(names) < 2:
        return
    gains = np.nan_to_num(step.ranked[:, 1], nan=-np.inf)
    order = np.argsort(-gains, kind="stable")[:MAX_OPTIONS]
    listed = sorted(int(i) for i in order)
    right = best(gains)
    listing = ", ".join(f"{num4(gains[i])} for {names[i]}" for i in listed if np.isfinite(gains[i]))
    if not right:
        return
    yield Question(
        number,
        "level",
        f"Which column gains most as the test of level {step.node + 1}?",
        Option([names[i] for i in listed], [listed.index(i) for i in right if i in listed]),
        f"The gains are {listing}.",
        hint="One test divides all the cells so far.",
        tie="These columns gain the same." if len(right) > 1 else "",
    )


def _arrival(run: Run[Problem, VariantTree], number: int, step: VariantStep) -> Question:
    assert step.rows is not None
    place = int(step.rows[-1])
    row = int(run.problem.training.rows[place]) + 1
    name = run.problem.classes[int(np.asarray(run.problem.training.y)[place])]
    fate = ARRIVALS[step.phase]
    return Question(
        number,
        "arrival",
        f"Row {row}, {name}, arrives: what becomes of the tree?",
        Option(list(ARRIVALS.values()), [list(ARRIVALS).index(step.phase)]),
        f"With row {row}, {fate}: the best tests of the nodes on its path are searched again.",
        hint="A test is replaced where another one has become better by the rows so far.",
        about=[row],
    )


# --- the end ------------------------------------------------------------------------------------


def _predictions(
    run: Run[Problem, VariantTree], number: int, step: VariantStep
) -> Iterator[Question]:
    tree, terms = step.tree, _terms(run)
    leaves = np.flatnonzero(tree.is_leaf)
    memberships = tree.memberships(terms)[:, leaves]
    reached = memberships > LITTLE
    n_reached = reached.sum(axis=1)
    is_clear = (n_reached > 1) & (n_reached <= MAX_LEAVES)
    is_clear &= np.isclose(np.where(reached, memberships, 0).sum(axis=1), 1)
    shares = tree.value[leaves, 0]
    order = np.argsort(-memberships.min(axis=1, initial=1.0, where=reached), kind="stable")
    for i in [int(i) for i in order if is_clear[i]][:MAX_ROWS]:
        parts = np.flatnonzero(reached[i])
        mean = memberships[i] @ shares
        k = int(np.argmax(mean))
        name = run.problem.classes[run.fitted.classes_[k]]
        own, of_class = memberships[i, parts], shares[parts, k]
        listing = ", ".join(
            f"{num4(m)} where P({name}) = {num4(p)}" for m, p in zip(own, of_class, strict=True)
        )
        row = int(run.problem.training.rows[i]) + 1
        sums = " + ".join(f"{num4(m)} · {num4(p)}" for m, p in zip(own, of_class, strict=True))
        yield Question(
            number,
            "prediction",
            f"The tree is grown. In its leaves, row {row} has the memberships {listing}: what is "
            f"its probability of {name}?",
            Value(float(mean[k]), 0.01),
            f"{sums} = {num4(mean[k])}.",
            (
                Wrong(Rule.LARGEST, float(of_class[own.argmax()])),
                Wrong(Rule.ALIKE, float(of_class.mean())),
            ),
            "It is a mean, weighted by the memberships.",
            about=[row],
        )


def _terms(run: Run[Problem, VariantTree]) -> Floats:
    terms: Floats = np.asarray(run.fitted.terms_of(run.problem.training.data), float)
    return terms


def _text(run: Run[Problem, VariantTree], counts: Floats) -> str:
    """Return the weight of each class in a branch."""
    names = [run.problem.classes[code] for code in run.fitted.classes_]
    present = [f"{num4(n)} {name}" for n, name in zip(counts, names, strict=True) if n > 1e-9]
    return ", ".join(present) or "nothing"
