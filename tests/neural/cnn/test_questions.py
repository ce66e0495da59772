"""Questions about a filter on a picture: SciPy correlates, and windows are searched."""

import numpy as np
import pytest
from scipy.signal import convolve2d, correlate2d

from dmlib.neural import ConvNet
from dmlib.neural.cnn.filters import FILTERS
from dmlib.neural.cnn.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_digits

SOBEL = FILTERS["Sobel, vertical edges"]


@pytest.fixture(params=range(2))
def placed(request):
    """Return the ink of a random picture, and its questions by topic."""
    pixels = np.random.default_rng(request.param).integers(0, 256, (8, 8))
    problem = prepare_digits(pixels)
    run = Run.of(problem, ConvNet(1, max_iter=1, random_state=0))
    by_topic = {}
    for question in questions(run):
        by_topic.setdefault(question.topic, []).append(question)
    return problem.ink, by_topic


def test_sums_are_those_of_correlation(placed):
    ink, by_topic = placed
    sums = correlate2d(ink, SOBEL, "valid").ravel()
    flipped = convolve2d(ink, SOBEL, "valid").ravel()
    for question in by_topic["sum"]:
        assert judge(question, float(sums[question.step])).is_right
        rule = judge(question, float(flipped[question.step])).rule
        assert rule in (Rule.FLIPPED, None)
    for question in by_topic["move"]:
        row, column = divmod(question.step, 6)
        assert judge(question, [column + 1.5, 8 - row - 1.5]).is_right


def test_pooling_keeps_the_largest_value_of_a_window(placed):
    ink, by_topic = placed
    sums = correlate2d(ink, SOBEL, "valid").ravel()
    for question in [*by_topic["pooling"], *by_topic["kept"]]:
        names = question.about or question.answer.among
        best = max(names, key=lambda name: sums[name - 1])
        if question.topic == "kept":
            assert judge(question, [best]).is_right
        else:
            values = [float(text.replace("−", "-")) for text in question.answer.options]
            nearest = int(np.argmin(np.abs(np.array(values) - sums[best - 1])))
            assert judge(question, nearest).is_right


def test_the_view_of_the_network_asks_nothing_about_the_filter():
    problem = prepare_digits(255 * np.eye(8, dtype=int))
    run = Run.of(problem, ConvNet(1, max_iter=1, random_state=0), options={"view": "network"})
    assert not list(questions(run))
