import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import entropy
from sklearn import semi_supervised
from sklearn.datasets import load_iris, load_wine, make_blobs, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale

from dmlib.classification import (
    ActiveLearner,
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
)
from dmlib.classification.semi_supervised.active_learning import STRATEGIES, uncertainty
from dmlib.classification.semi_supervised.graph import affinity
from dmlib.classification.semi_supervised.partly_labeled import partly_labeled

JITTER = np.random.default_rng(0).normal(0, 1e-4, (150, 4))  # ties are broken in many ways
DATA = {
    "iris": (load_iris().data + JITTER, load_iris().target),
    "wine": (scale(load_wine().data), load_wine().target),
    "blobs": make_blobs(120, centers=3, cluster_std=2.0, random_state=0),
    "moons": make_moons(100, noise=0.15, random_state=1),
}
each_data = pytest.mark.parametrize("name", DATA)
BASES = {
    "knn": KNeighborsClassifier(3, weights="distance"),
    "naive_bayes": GaussianNB(var_smoothing=0.1),
    "logistic_regression": LogisticRegression(tol=1e-10, max_iter=10_000),
}
CLASSIFIERS = (SelfTrainingClassifier, LabelPropagation, LabelSpreading, ActiveLearner)
each_classifier = pytest.mark.parametrize("classifier", CLASSIFIERS)

# The six points of the lesson.
POINTS = np.array([[1.0], [2.0], [3.0], [6.0], [8.0], [9.0]])
CLASSES = np.array([0, 0, 0, 0, 1, 1])


def few_labels(name, n_labeled=4):
    """Return rows with few labels, -1 elsewhere."""
    X, y = DATA[name]
    return X, partly_labeled(y, n_labeled, (), 0).labels


# Oracles
# ---------------------------------------------------------------------------------------------


@each_data
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(
    "params", [{}, {"threshold": 0.9}, {"max_iter": 2}, {"max_iter": 0}], ids=str
)
def test_self_training_agrees_with_scikit_learn(name, base, params):
    X, y = few_labels(name)
    model = SelfTrainingClassifier(base, n_labeled=None, **params).fit(X, y)
    reference = semi_supervised.SelfTrainingClassifier(BASES[base], **{"max_iter": 10} | params)
    reference.fit(X, y)
    assert_array_equal(model.labeled_iter_, reference.labeled_iter_)
    labelled = reference.transduction_ >= 0
    assert_array_equal(model.transduction_[labelled], reference.transduction_[labelled])
    assert_allclose(model.predict_proba(X), reference.predict_proba(X), atol=1e-5)
    if params.get("max_iter") != 0:  # scikit-learn has no number then
        assert model.n_iter_ in (reference.n_iter_, reference.n_iter_ - 1)


@each_data
def test_the_best_rows_are_those_of_scikit_learn(name):
    X, y = few_labels(name)
    params = {"criterion": "k_best", "k_best": 7, "max_iter": 3}
    model = SelfTrainingClassifier("logistic_regression", n_labeled=None, **params).fit(X, y)
    base = BASES["logistic_regression"]
    reference = semi_supervised.SelfTrainingClassifier(base, **params).fit(X, y)
    assert_array_equal(model.labeled_iter_, reference.labeled_iter_)


@each_data
@pytest.mark.parametrize("gamma", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("alpha", [0.2, 0.8, 0.99])
def test_label_spreading_agrees_with_scikit_learn(name, gamma, alpha):
    X, y = few_labels(name)
    params = {"kernel": "rbf", "gamma": gamma, "alpha": alpha, "max_iter": 3000, "tol": 1e-6}
    model = LabelSpreading(n_labeled=None, **params).fit(X, y)
    reference = semi_supervised.LabelSpreading(**params).fit(X, y)
    assert_allclose(model.label_distributions_, reference.label_distributions_, atol=1e-6)
    assert_array_equal(model.transduction_, reference.transduction_)
    assert model.n_iter_ == reference.n_iter_


@each_data
@pytest.mark.parametrize("classifier", ["LabelPropagation", "LabelSpreading"])
@pytest.mark.parametrize("params", [{}, {"n_neighbors": 12}, {"kernel": "rbf"}], ids=str)
def test_scikit_learn_agrees_on_the_same_graph(name, classifier, params):
    X, y = few_labels(name)
    model = globals()[classifier](n_labeled=None, max_iter=300, **params).fit(X, y)
    W = model.weights(X).toarray()
    reference = getattr(semi_supervised, classifier)(
        kernel=lambda A, B: W, max_iter=300, **({"alpha": 0.8} if "Spr" in classifier else {})
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        reference.fit(X, y)
    assert_allclose(model.label_distributions_, reference.label_distributions_, atol=1e-9)
    assert model.n_iter_ == reference.n_iter_


@each_data
def test_propagation_comes_to_the_harmonic_solution(name):
    X, y = few_labels(name)
    params = {"kernel": "rbf", "gamma": 0.3}
    model = LabelPropagation(n_labeled=None, max_iter=50_000, tol=1e-11, **params).fit(X, y)
    W = model.weights(X).toarray()
    L = np.diag(W.sum(axis=1)) - W
    known = y >= 0
    Y = np.eye(y.max() + 1)[y[known]]
    harmonic = np.linalg.solve(L[np.ix_(~known, ~known)], W[np.ix_(~known, known)] @ Y)
    assert_allclose(model.label_distributions_[~known], harmonic, atol=1e-6)
    assert_allclose(model.label_distributions_[known], Y)


@each_data
def test_spreading_comes_to_the_closed_form(name):
    X, y = few_labels(name)
    *_, last = LabelSpreading(n_labeled=None, tol=1e-12, alpha=0.9).steps(X, y)
    W = affinity(X, "knn", 5, 1.0).toarray()
    roots = np.sqrt(W.sum(axis=1))
    S = W / np.outer(roots, roots)
    Y = np.eye(y.max() + 1)[y] * (y >= 0)[:, None]
    assert_allclose(last.mass, 0.1 * np.linalg.solve(np.eye(len(X)) - 0.9 * S, Y), atol=1e-9)


@each_data
def test_the_graph_joins_nearest_neighbours_both_ways(name):
    X = DATA[name][0] + np.random.default_rng(0).normal(size=DATA[name][0].shape) * 1e-9
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(distances, np.inf)
    near = distances <= np.sort(distances, axis=1)[:, [4]]
    assert_array_equal(affinity(X, "knn", 5, 1.0).toarray(), near | near.T)


@each_data
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("strategy", STRATEGIES[:3])
def test_queries_are_those_of_a_plain_loop(name, base, strategy):
    X, y = DATA[name]
    params = {"n_labeled": 2, "n_queries": 8, "random_state": 0}
    model = ActiveLearner(base, strategy=strategy, **params).fit(X, y)
    known = model.labeled_iter_ == 0
    for query in range(1, 9):
        P = BASES[base].fit(X[known], y[known]).predict_proba(X[~known])
        ordered = np.sort(P, axis=1)
        scores = {
            "least_confident": 1 - ordered[:, -1],
            "margin": 1 - ordered[:, -1] + ordered[:, -2],
            "entropy": entropy(P, axis=1),
        }[strategy]
        row = int(np.flatnonzero(model.labeled_iter_ == query)[0])
        own = scores[np.flatnonzero(~known).tolist().index(row)]
        assert own == pytest.approx(scores.max(), abs=1e-6)
        known[row] = True
    assert_array_equal(model.labeled_iter_ >= 0, known)
    predicted = BASES[base].fit(X[known], y[known]).predict(X)
    hidden = model.hidden_
    wrong = (predicted != y) & ~known
    assert model.error_.tolist() == [wrong[hidden].sum(), hidden.sum()]


# By hand
# ---------------------------------------------------------------------------------------------


def test_six_points_train_themselves():
    model = SelfTrainingClassifier(n_labeled=0, queries=(0, 5))
    start, first, second, done = model.steps(POINTS, CLASSES)
    assert_allclose(start.proba[:, 0], [1, 7 / 8, 3 / 4, 3 / 8, 1 / 8, 0])
    assert first.rows.tolist() == [1, 4]
    assert first.labels.tolist() == [0, 0, -1, -1, 1, 1]
    assert first.proba[2, 0] == pytest.approx(1.5 / 1.7)
    assert first.proba[3, 1] == pytest.approx((1 / 2 + 1 / 3) / (1 / 2 + 1 / 3 + 1 / 4))
    assert second.rows.tolist() == [2, 3]
    assert done.labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert done.error.tolist() == [1, 4]
    assert done.labeled_iter.tolist() == [0, 1, 2, 2, 1, 0]


def test_labels_of_six_points_spread():
    model = LabelSpreading(n_labeled=0, queries=(0, 5), n_neighbors=1, alpha=0.5)
    _, first, second, *_ = model.steps(POINTS, CLASSES)
    root = 1 / np.sqrt(2)
    assert_allclose(first.mass[:3, 0], [0.5, 0.5 * root, 0])
    assert_allclose(second.mass[:3, 0], [0.625, 0.25 * root, 0.125])
    assert first.answers.tolist() == [0, 0, -1, -1, 1, 1]


def test_the_row_in_the_middle_is_asked_for():
    model = ActiveLearner(n_labeled=0, queries=(0, 5), n_queries=1)
    start, own, query, done = model.steps(POINTS, CLASSES)
    assert (start.labels >= 0).tolist() == [True] + [False] * 5
    assert own.rows.tolist() == [5], "what the reader asks for comes first"
    assert query.rows.tolist() == [3]
    assert query.labels[3] == CLASSES[3]
    assert done.n_labels == 3


# Invariants
# ---------------------------------------------------------------------------------------------

tables = arrays(
    float,
    st.tuples(st.integers(2, 14), st.integers(1, 3)),
    elements=st.integers(-12, 12).map(lambda n: n / 4),
)
models = st.one_of(
    st.builds(
        SelfTrainingClassifier,
        st.sampled_from(["knn", "naive_bayes"]),
        criterion=st.sampled_from(["threshold", "k_best"]),
        threshold=st.floats(0.3, 0.99),
        k_best=st.integers(1, 5),
    ),
    st.builds(
        ActiveLearner,
        st.sampled_from(["knn", "naive_bayes"]),
        strategy=st.sampled_from(STRATEGIES),
        n_queries=st.integers(0, 6),
    ),
)
graphs = st.one_of(
    st.builds(LabelPropagation, st.sampled_from(["knn", "rbf"]), n_neighbors=st.integers(1, 4)),
    st.builds(
        LabelSpreading,
        st.sampled_from(["knn", "rbf"]),
        n_neighbors=st.integers(1, 4),
        alpha=st.floats(0.1, 0.9),
    ),
)
n_labels = st.integers(1, 3)


def classes_of(X):
    return (X[:, 0] > np.median(X[:, 0])).astype(int)


@given(tables, models, n_labels)
def test_what_holds_of_rounds(X, model, n_labeled):
    y = classes_of(X)
    steps = list(model.set_params(n_labeled=n_labeled, random_state=0).steps(X, y))
    start = model.start(y)
    assert steps[0].phase == "start"
    assert steps[-1].phase == "done"
    for before, step in pairwise(steps):
        labelled = before.labels >= 0
        assert_array_equal(step.labels[labelled], before.labels[labelled], "labels stay")
        assert set(np.flatnonzero((step.labels >= 0) & ~labelled)) == set(step.rows)
        if step.phase == "query":
            assert_array_equal(step.labels[step.rows], y[step.rows])
        if step.phase == "label" and model.criterion == "threshold":
            assert (before.proba[step.rows].max(axis=1) > model.threshold).all()
    assert_allclose(steps[-1].proba.sum(axis=1), 1)
    assert start.is_labeled.sum() == min(n_labeled, (y == 0).sum()) + min(n_labeled, y.sum())


@given(tables, graphs, n_labels)
def test_what_holds_of_iterations(X, model, n_labeled):
    y = classes_of(X)
    model.set_params(n_labeled=n_labeled, random_state=0, max_iter=50)
    *steps, last = model.steps(X, y)
    start = model.start(y)
    for step in (*steps, last):
        assert (step.mass >= 0).all()
        reached = step.mass.any(axis=1)
        assert_allclose(step.label_distributions.sum(axis=1), reached)
        if isinstance(model, LabelPropagation):
            assert_array_equal(step.answers[start.is_labeled], start.labels[start.is_labeled])
    W = model.weights(X)
    assert (W != W.T).nnz == 0
    assert not W.diagonal().any()


@given(tables, graphs, st.randoms())
def test_the_order_of_the_classes_does_not_matter(X, model, random):
    y = classes_of(X)
    if len(set(y)) < 2:
        return
    y[random.sample(range(len(y)), len(y) // 2)] = -1
    if (y < 0).all():
        return
    model.set_params(n_labeled=None, max_iter=30)
    shares = model.fit(X, np.where(y < 0, -1, y + 3)).label_distributions_
    swapped = model.fit(X, np.where(y < 0, -1, 4 - y)).label_distributions_
    assert_allclose(shares, swapped[:, ::-1], atol=1e-12)


def test_more_labels_keep_the_first_ones():
    y = DATA["iris"][1]
    few, many = (partly_labeled(y, n, (), 3).is_labeled for n in (2, 6))
    assert many[few].all()
    assert (few.sum(), many.sum()) == (6, 18)


def test_two_classes_have_one_uncertainty():
    P = np.random.default_rng(0).dirichlet([1, 1], 50)
    orders = [np.argsort(uncertainty(P, each)).tolist() for each in STRATEGIES[:3]]
    assert orders[0] == orders[1] == orders[2]


# What is special
# ---------------------------------------------------------------------------------------------


@each_classifier
def test_a_single_row_has_its_label(classifier):
    model = classifier().fit([[2.0]], [7])
    assert model.predict([[2.0], [9.0]]).tolist() == [7, 7]
    assert model.error_.size == 0


@each_classifier
def test_one_class_is_predicted_everywhere(classifier):
    model = classifier().fit([[0.0], [1.0], [5.0]], ["a", "a", "a"])
    assert model.predict([[9.0]]).tolist() == ["a"]
    assert model.error_.tolist() == [0, 2]


@each_classifier
def test_equal_rows_and_constant_columns(classifier):
    X, y = np.full((8, 2), 3.0), np.array([0, 1] * 4)
    model = classifier(random_state=0).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


@each_classifier
def test_without_labels_nothing_can_be_learned(classifier):
    with pytest.raises(ValueError, match="No row has a label"):
        classifier(n_labeled=0).fit(POINTS, CLASSES)
    with pytest.raises(ValueError, match="No row has a label"):
        classifier(n_labeled=None).fit(POINTS, np.full(6, -1))


@each_classifier
def test_rows_without_a_known_class_measure_no_error(classifier):
    model = classifier(n_labeled=None).fit(POINTS, [0, -1, -1, -1, -1, 1])
    assert model.error_.size == 0
    assert len(model.transduction_) == 6


@each_classifier
def test_a_row_that_is_not_there_cannot_be_asked_for(classifier):
    with pytest.raises(ValueError, match="queries must be rows from 0 to 5"):
        classifier(queries=(6,)).fit(POINTS, CLASSES)


def test_no_label_comes_to_a_part_without_one():
    X = np.array([[0.0], [1.0], [2.0], [50.0], [51.0], [52.0]])
    model = LabelPropagation(n_neighbors=2, n_labeled=0, queries=(0,))
    model.fit(X, [0, 0, 0, 1, 1, 1])
    assert not model.label_distributions_[3:].any()
    assert model.error_.tolist() == [3, 5]


def test_spreading_may_outvote_a_label():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [0.15]])
    y = [0, 0, 0, 0, 0, 1]
    kept = LabelPropagation(n_labeled=None, n_neighbors=3).fit(X, y)
    outvoted = LabelSpreading(n_labeled=None, n_neighbors=3, alpha=0.95).fit(X, y)
    assert kept.transduction_[5] == 1
    assert outvoted.transduction_[5] == 0
