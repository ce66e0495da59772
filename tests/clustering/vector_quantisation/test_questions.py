"""Questions about vector quantisation: nearest codes, means, decibels and bits, by hand."""

import math

import numpy as np
import pytest

from dmlib.clustering import LVQ, SelfOrganizingMap
from dmlib.clustering.vector_quantisation.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def round_of_seed(request):
    run, by_topic = round_by_topic("vector_quantisation", request.param)
    return run, by_topic, run.problem.samples[:, 0]


def test_pixels_take_the_nearest_code_and_codes_move_to_the_mean(round_of_seed):
    run, by_topic, pixels = round_of_seed
    for question in of_topics(by_topic, "assignment", "update"):
        codes = run.trace.steps[question.step - 1].codebook[:, 0]
        nearest = np.abs(pixels[:, None] - codes).argmin(axis=1)
        own = pixels[nearest == question.about[0] - 1]
        if question.topic == "assignment":
            assert judge(question, len(own)).is_right
        else:
            labels = run.trace.steps[question.step - 1].labels
            own = pixels[labels == question.about[0] - 1]
            assert judge(question, sum(own) / len(own)).is_right
            middle = (min(own) + max(own)) / 2
            assert judge(question, middle).rule in (Rule.MIDDLE, None)


def test_decibels_and_bits(round_of_seed):
    run, by_topic, pixels = round_of_seed
    for question in of_topics(by_topic, "PSNR"):
        step = run.trace.steps[question.step]
        error = pixels - step.codebook[step.labels, 0]
        assert judge(question, -10 * math.log10((error**2).mean())).is_right
    (bits,), (ratio,) = by_topic["bits per pixel"], by_topic["compression"]
    k = run.model.n_clusters
    assert judge(bits, math.ceil(math.log2(k))).is_right
    assert judge(bits, k).rule is Rule.EACH
    assert judge(ratio, 8 * 8 / (8 * math.ceil(math.log2(k)) + 8 * k)).is_right


@pytest.mark.parametrize("model", [SelfOrganizingMap(2, 2, max_iter=20), LVQ(2, max_iter=20)])
def test_codes_move_by_a_share_of_the_way(round_of_seed, model):
    problem = round_of_seed[0].problem
    run = Run.of(problem, model.set_params(random_state=0))
    asked = list(questions(run))
    assert asked
    for question in asked:
        step = run.trace.steps[question.step]
        x = problem.samples[step.row, 0]
        away = question.topic == "repel"
        moved = step.before + (-1 if away else 1) * step.rate * (x - step.before)
        if question.topic == "neighbour":
            share = math.exp(-1 / (2 * step.width**2))
            moved = step.before + step.rate * share * (x - step.before)
        assert any(judge(question, float(value)).is_right for value in moved[:, 0])
