"""Questions about discretisation: cuts and entropies are computed again from the rows."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import entropy

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.preprocessing import Binarizer, Discretizer
from dmlib.preprocessing.discretisation.questions import Rule, questions
from dmlib.problem import prepare
from tests.visit import technique


def entropy_after(x, y, cut):
    """Return the entropy of the classes after a cut, in bits."""
    sides = [y[x <= cut], y[x > cut]]
    return sum(len(s) / len(x) * entropy(np.bincount(s), base=2) for s in sides)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_cut_has_the_lowest_entropy_of_all(seed):
    page = technique("discretisation")
    view = view_of(page, practice_settings(page, seed))
    first = {}
    for each in questions_of(view):
        first.setdefault(each.question.topic, each.question)
    problem = view.run.problem
    question = first["place of a cut"]
    x = problem.X[:, view.run.trace.steps[question.step].column]
    values = np.unique(x)
    cuts = (values[:-1] + values[1:]) / 2
    after = [entropy_after(x, problem.y, cut) for cut in cuts]
    assert judge(question, [float(cuts[np.argmin(after)]), 0.0]).is_right
    assert not judge(question, [float(cuts[np.argmax(after)]), 0.0]).is_right
    (n_below,) = map(int, re.findall(r"leaves (\d+) of", first["entropy after a cut"].prompt))
    candidate = next(i for i, cut in enumerate(cuts) if (x <= cut).sum() == n_below)
    assert judge(first["entropy after a cut"], float(after[candidate])).is_right


def test_entropies_are_weighted_by_the_rows():
    frame = pd.DataFrame({"a": [0.0, 1, 2, 3, 5, 6], "c": list("xxxyyx")})
    problem = prepare(frame, ["a"], target="c", labelled=True)
    by_topic = {q.topic: q for q in questions(Run.of(problem, Discretizer("entropy")))}
    question = by_topic["entropy after a cut"]
    below, above = entropy([3, 2], base=2), 0.0  # the last row apart
    assert judge(question, 5 / 6 * below + 1 / 6 * above).is_right
    assert judge(question, below + above).rule is Rule.SUM


@pytest.mark.parametrize("strategy", ["width", "frequency", "percentile", "kmeans", "sturges"])
def test_cuts_without_classes_are_those_of_the_model(strategy):
    x = np.array([0.0, 1, 2, 3, 10, 11, 12, 20, 40])
    run = Run.of(prepare(pd.DataFrame({"a": x}), ["a"]), Discretizer(strategy, n_bins=3))
    asked_questions = list(questions(run))
    assert asked_questions
    for question in asked_questions:
        step = run.trace.steps[question.step]
        cut = step.borders[0] if step.trial is None else step.trial.cut
        assert judge(question, [float(cut), 0.0]).is_right


def test_bits_are_the_code_of_the_interval():
    run = Run.of(prepare(pd.DataFrame({"a": np.arange(8.0)}), ["a"]), Binarizer("gray"))
    solutions = [q.answer.options[q.answer.right[0]] for q in questions(run)]
    assert solutions == ["00", "01", "11", "10"]
