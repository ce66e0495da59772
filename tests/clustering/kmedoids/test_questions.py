"""Questions about k-medoids: total deviations are summed again, swap by swap."""

import numpy as np
import pytest

from dmlib.clustering.kmedoids.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("kmedoids", request.param)
    return run, by_topic, np.linalg.norm(run.problem.X[:, None] - run.problem.X, axis=2)


def total(D, medoids):
    return sum(min(D[row, medoid] for medoid in medoids) for row in range(len(D)))


def test_the_best_swap_has_the_smallest_total_deviation(round_of_seed):
    run, by_topic, D = round_of_seed
    for question in of_topics(by_topic, "best swap"):
        medoids = run.trace.steps[question.step - 1].medoids.tolist()
        out = question.about[0] - 1
        staying = [medoid for medoid in medoids if medoid != out]
        best = min(set(range(len(D))) - set(medoids), key=lambda row: total(D, [*staying, row]))
        assert judge(question, [best + 1]).is_right


def test_after_a_swap_every_row_has_its_nearest_medoid(round_of_seed):
    run, by_topic, D = round_of_seed
    for question in of_topics(by_topic, "swap"):
        before = run.trace.steps[question.step - 1]
        after = run.trace.steps[question.step].medoids
        (slot,) = np.flatnonzero(before.medoids != after)
        members = (D[:, after].argmin(axis=1) == slot).nonzero()[0] + 1
        assert judge(question, members.tolist()).is_right
        kept = {*(np.flatnonzero(before.labels == slot) + 1).tolist(), int(after[slot]) + 1}
        assert judge(question, sorted(kept)).rule in (Rule.INHERIT, None)


def test_the_change_of_a_row_is_the_difference_of_its_nearest_distances(round_of_seed):
    _, by_topic, _ = round_of_seed
    for question in of_topics(by_topic, "change of TD"):
        numbers = [
            float(word.rstrip(",.?"))
            for word in question.prompt.split("Row ")[1].split()
            if word[0].isdigit() and "." in word.rstrip(",.?")
        ]
        if len(numbers) == 3:
            assert judge(question, min(numbers[1:]) - numbers[0]).is_right
        if len(numbers) == 2:
            assert judge(question, numbers[1] - numbers[0]).is_right


@pytest.mark.parametrize("settings", [{"init": "build"}, {"method": "alternate"}])
def test_builds_and_updates_take_the_row_with_the_smallest_sum(round_of_seed, settings):
    run, _, D = round_of_seed
    n = 0
    run = Run.of(run.problem, run.model.set_params(**settings))
    for question in questions(run):
        if question.topic == "build":
            medoids = run.trace.steps[question.step - 1].medoids.tolist()
            best = min(range(len(D)), key=lambda row: total(D, [*medoids, row]))
            assert judge(question, [best + 1]).is_right
        elif question.topic == "update":
            rows = np.array(question.answer.among) - 1
            (picked,) = question.answer.right[0]
            assert D[picked - 1, rows].sum() <= D[np.ix_(rows, rows)].sum(axis=0).min() + 1e-9
        n += question.topic in ("build", "update")
    assert n
