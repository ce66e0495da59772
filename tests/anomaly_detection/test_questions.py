"""Questions about detectors: scikit-learn's factors, NumPy's distances and SciPy's ranks."""

import numpy as np
import pytest
from sklearn.neighbors import LocalOutlierFactor

from dashboard.rounds import view_of
from dashboard.settings import Settings
from dmlib.anomaly_detection import BoxPlotFences, IsolationForest, MahalanobisDistance
from dmlib.anomaly_detection.questions import Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from tests.pictures.examples import problem
from tests.rounds import of_topics, round_by_topic

X = np.random.default_rng(3).normal(size=(25, 2)) @ [[3.0, 0.0], [2.5, 0.5]]


@pytest.fixture(params=range(6))
def round_of_seed(request):
    return round_by_topic("anomaly_detection", request.param)


def distances_of(run):
    rows = run.problem.X
    return np.linalg.norm(rows[:, None] - rows, axis=2)


def test_the_reachability_distance_is_at_least_the_k_distance_of_the_neighbour(round_of_seed):
    run, by_topic = round_of_seed
    distances = distances_of(run)
    radii = np.sort(distances, axis=1)[:, run.model.n_neighbors]
    for question in of_topics(by_topic, "reachability"):
        row, neighbor = (number - 1 for number in question.about)
        reach = max(distances[row, neighbor], radii[neighbor])
        (right,) = question.answer.right
        told = float(question.answer.options[right].split(":")[0])
        assert told == pytest.approx(reach, rel=1e-3)
        assert judge(question, 0).rule is Rule.PLAIN
        assert judge(question, 1).rule is Rule.OWN


def test_factors_and_densities_are_those_of_scikit_learn(round_of_seed):
    run, by_topic = round_of_seed
    model = LocalOutlierFactor(run.model.n_neighbors).fit(run.problem.X)
    for question in of_topics(by_topic, "factor"):
        factor = -model.negative_outlier_factor_[question.about[0] - 1]
        assert judge(question, factor).is_right
        assert judge(question, 1 / factor).rule in (Rule.INVERSE, None)
    for question in of_topics(by_topic, "density"):
        density = model._lrd[question.about[0] - 1]
        assert judge(question, density).is_right
        assert judge(question, 1 / density).rule is Rule.MEAN


def test_neighbours_are_the_nearest_other_rows(round_of_seed):
    run, by_topic = round_of_seed
    distances, k = distances_of(run), run.model.n_neighbors
    for question in of_topics(by_topic, "neighbours"):
        order = np.argsort(distances[question.about[0] - 1]) + 1
        assert judge(question, order[1 : k + 1].tolist()).is_right
        assert judge(question, order[:k].tolist()).rule is Rule.SELF


def test_rows_above_the_threshold_are_marked(round_of_seed):
    run, by_topic = round_of_seed
    model = LocalOutlierFactor(run.model.n_neighbors).fit(run.problem.X)
    above = np.flatnonzero(-model.negative_outlier_factor_ > run.model.threshold) + 1
    for question in of_topics(by_topic, "marks"):
        assert judge(question, above.tolist()).is_right


def asked_of(model):
    run = Run.of(problem(X), model)
    return run, {question.topic: question for question in questions(run)}


def test_the_fence_is_one_and_a_half_ranges_beyond_the_box():
    run, by_topic = asked_of(BoxPlotFences())
    low, high = np.percentile(run.problem.X[:, 1], (25, 75))
    assert judge(by_topic["fence"], high + 1.5 * (high - low)).is_right
    assert not judge(by_topic["fence"], high).is_right


def test_the_row_in_the_narrow_direction_is_farther():
    _, by_topic = asked_of(MahalanobisDistance())
    question = by_topic["distance"]
    first, second = (number - 1 for number in question.about)
    center, inverse = X.mean(axis=0), np.linalg.inv(np.cov(X.T))
    squares = [(X[row] - center) @ inverse @ (X[row] - center) for row in (first, second)]
    lengths = [np.linalg.norm(X[row] - center) for row in (first, second)]
    assert lengths[0] < lengths[1]
    assert squares[0] > squares[1]
    assert judge(question, 0).is_right


def test_the_cuts_on_a_path_are_counted():
    run, by_topic = asked_of(IsolationForest(n_estimators=5, max_samples=8, random_state=1))
    question = by_topic["path"]
    row, tree = question.about[0] - 1, run.fitted.trees_[0]
    cell, cuts = np.flatnonzero(np.isin(np.arange(len(X)), run.trace.steps[0].sample)), 0
    node = 0
    while tree.features[node] >= 0:
        right = X[:, tree.features[node]] > tree.thresholds[node]
        cell = cell[right[cell] == right[row]]
        node, cuts = 2 * node + 1 + right[row], cuts + 1
    assert cell.tolist() == [row]
    assert judge(question, cuts).is_right


def test_rounds_of_every_method_have_questions():
    from tests.visit import methods, technique

    page = technique("anomaly_detection")
    for link in methods("anomaly_detection").values():
        settings = Settings.from_query({name: [text] for name, text in link.items()}, {})
        run = view_of(page, settings).run
        assert list(questions(run))
