"""Questions about the perceptron: a loop of a few lines makes the same mistakes."""

import numpy as np
import pandas as pd
import pytest

from dmlib.neural import Adaline, VotedPerceptron
from dmlib.neural.perceptron.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_added_or_subtracted_where_they_are_misclassified(seed):
    run, by_topic = round_by_topic("perceptron", seed)
    rows = np.c_[np.ones(len(run.problem.X)), run.problem.X]
    signs = 2 * np.asarray(run.problem.y) - 1
    asked = {question.step: question for topic in by_topic.values() for question in topic}
    weights, number = np.zeros(3), 0
    for _ in range(3):
        for row, sign in zip(rows, signs, strict=True):
            number += 1
            is_mistake = sign * (row @ weights) <= 0
            new = weights + sign * row * is_mistake
            question = asked.get(number)
            if question is not None and question.topic == "mistake":
                assert judge(question, (1 if sign > 0 else 2) if is_mistake else 0).is_right
            elif question is not None and question.topic == "sum":
                assert judge(question, float(row @ weights)).is_right
            elif question is not None:
                column = 1 + run.problem.features.index(question.prompt.split()[7])
                assert judge(question, float(new[column])).is_right
            weights = new
        number += 1


def test_the_first_row_lies_on_no_line_and_is_a_mistake():
    _, by_topic = round_by_topic("perceptron", 0)
    assert judge(by_topic["mistake"][0], 0).rule is Rule.LINE


def test_adaline_corrects_by_the_error():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["no", "yes", "no"]})
    problem = prepare(frame, ["x"], target="c", labelled=True)
    asked = list(questions(Run.of(problem, Adaline(learning_rate=0.5, max_iter=1))))
    # from 0: 0 + 0.5 · (−1 − 0) · 1
    assert judge(asked[0], -0.5).is_right


def test_the_vote_on_a_row_on_which_the_last_weights_mislead():
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"x": rng.normal(size=30), "z": rng.normal(size=30)})
    frame["c"] = np.where(frame["x"] + rng.normal(size=30) > 0, "yes", "no")
    run = Run.of(prepare(frame, ["x", "z"], target="c", labelled=True), VotedPerceptron())
    *_, question = questions(run)
    assert question.topic == "vote"
    row = int(question.about[0]) - 1
    name = run.problem.classes[run.fitted.predict(run.problem.X[row : row + 1])[0]]
    for i, option in enumerate(question.answer.options):
        assert judge(question, i).is_right == (option == name)
