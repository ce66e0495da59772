"""Questions about bias and variance: polynomials are fitted again to the training sets."""

import re

import numpy as np
import pytest

from dmlib.evaluation.bias_variance.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic, step_of


@pytest.mark.parametrize("seed", range(5))
def test_the_parts_of_the_error(seed):
    run, by_topic = round_by_topic("bias_variance", seed)
    steps = run.trace.steps
    sets = [(step.x, step.y) for step in steps if step.phase == "sample"]
    truth = steps[0].truth
    for question in [*by_topic["mean"], *by_topic["bias"], *by_topic["variance"]]:
        x = float(re.search(r"x = ([\d.−]+)", question.prompt)[1].replace("−", "-"))
        place = int(np.abs(steps[0].places - x).argmin())
        at = steps[0].places[place]
        predictions = [np.polyval(np.polyfit(u, v, 5), at) for u, v in sets]
        mean = sum(predictions) / len(predictions)
        from_truth = np.mean([(value - truth[place]) ** 2 for value in predictions])
        answers = {
            "mean": [at, mean],
            "bias": (mean - truth[place]) ** 2,
            "variance": np.mean([(value - mean) ** 2 for value in predictions]),
        }
        assert judge(question, answers[question.topic]).is_right
        if question.topic == "variance":
            assert judge(question, float(from_truth)).rule in (Rule.TRUTH, None)


@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_error_is_that_of_the_sum(seed):
    run, by_topic = round_by_topic("bias_variance", seed)
    for question in by_topic["complexity"]:
        step, _ = step_of(run, question)
        total = step.biases + step.variances + step.noises
        degrees = [int(option.split()[-1]) for option in question.answer.options]
        assert judge(question, int(np.argmin(total[degrees]))).is_right
        assert total[degrees].min() == total.min()
    (question,) = by_topic["error"]
    step, _ = step_of(run, question)
    assert judge(question, step.bias + step.variance + step.noise).is_right
