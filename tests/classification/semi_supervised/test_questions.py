"""Questions about semi-supervised learning, answered again from the rows."""

import re

import numpy as np
import pytest

from dmlib.classification import ActiveLearner, LabelPropagation, LabelSpreading
from dmlib.classification.semi_supervised.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic, step_of


@pytest.fixture(params=range(4))
def round_of_seed(request):
    return round_by_topic("semi_supervised", request.param)


def probability(run, labels, row):
    """Return the probabilities of a row by three nearest labelled rows."""
    X = run.problem.X
    known = np.flatnonzero(labels >= 0)
    distances = np.hypot(*(X[known] - X[row]).T)
    nearest = np.argsort(distances)[:3]
    votes = np.bincount(labels[known[nearest]], 1 / distances[nearest], minlength=2)
    return votes / votes.sum()


def test_rows_above_the_threshold_get_a_label(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "threshold"):
        _, before = step_of(run, question)
        rows = [int(name) - 1 for name in re.findall(r"row (\d+):", question.prompt)]
        chosen = [
            row + 1 for row in rows if probability(run, before.labels, row).max() > 0.75 + 1e-12
        ]
        assert judge(question, chosen).is_right
        assert judge(question, [row + 1 for row in rows]).rule in (Rule.ALL, None)


def test_votes_weigh_by_distance(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "probability"):
        _, before = step_of(run, question)
        shares = probability(run, before.labels, question.about[0] - 1)
        code = run.problem.classes.index(re.search(r"probability of (\w+),", question.prompt)[1])
        assert judge(question, shares[code]).is_right
        if judge(question, 1.0).rule:
            assert judge(question, 1.0).rule is Rule.NEAREST


def test_the_prediction_is_the_label(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "label"):
        _, before = step_of(run, question)
        row = question.about[0] - 1
        best = int(probability(run, before.labels, row).argmax())
        assert judge(question, best).is_right
        truth = int(run.problem.y[row])
        assert truth == best or judge(question, truth).rule is Rule.TRUTH


def test_predicted_labels_train_the_next_classifier(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "training rows"):
        step, _ = step_of(run, question)
        assert judge(question, int((step.labels >= 0).sum())).is_right
        assert judge(question, 4).rule is Rule.START


def test_the_least_certain_row_is_asked_for(round_of_seed):
    run, by_topic = round_of_seed
    for question in of_topics(by_topic, "query"):
        _, before = step_of(run, question)
        rows = [int(name) - 1 for name in re.findall(r"row (\d+):", question.prompt)]
        sure = [probability(run, before.labels, row).max() for row in rows]
        assert judge(question, [rows[int(np.argmin(sure))] + 1]).is_right
        assert judge(question, [rows[int(np.argmax(sure))] + 1]).rule is Rule.SUREST


def of_model(model):
    """Return a run on the data of a round, and its questions."""
    run, _ = round_by_topic("semi_supervised", 0)
    other = Run.of(run.problem, model)
    return other, list(questions(other))


def test_active_learning_asks_for_the_least_certain_row():
    run, asked = of_model(ActiveLearner(random_state=0, n_queries=5))
    of_queries = [question for question in asked if question.topic == "query"]
    assert of_queries
    for question in of_queries:
        assert judge(question, [int(run.trace.steps[question.step].rows[0]) + 1]).is_right


@pytest.mark.parametrize("classifier", [LabelPropagation, LabelSpreading])
def test_shares_are_added_up(classifier):
    run, asked = of_model(classifier(random_state=0, n_neighbors=2))
    of_shares = [question for question in asked if question.topic == "share"]
    assert of_shares
    for question in of_shares:
        parts = re.findall(r"([\d.]+) of row \d+ with (\d[\d.]*\d|\d)", question.prompt)
        total = sum(float(w) * float(mass) for w, mass in parts)
        factor = run.model.alpha if classifier is LabelSpreading else 1
        assert judge(question, factor * total).is_right


def test_a_label_comes_to_neighbours_first():
    run, asked = of_model(LabelPropagation(random_state=0, n_neighbors=2))
    W = run.model.weights(run.problem.X).toarray()
    of_reach = [question for question in asked if question.topic == "reached"]
    assert of_reach
    for question in of_reach:
        reached = run.trace.steps[question.step - 1].mass.any(axis=1)
        new = (W[:, reached].any(axis=1)) & ~reached
        assert judge(question, (np.flatnonzero(new) + 1).tolist()).is_right
