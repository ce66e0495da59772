"""Cuts against Weka, scikit-learn and NumPy, by hand, and their invariants."""

from math import comb, factorial, log2, prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import KBinsDiscretizer

from dashboard.presets import link_of, presets
from dmlib.datasets import load
from dmlib.pictures.marks import Rects
from dmlib.pictures.run import Run
from dmlib.preprocessing import Binarizer, Discretizer
from dmlib.preprocessing.discretisation.algorithm import STRATEGIES
from dmlib.preprocessing.discretisation.binarizer import CODINGS
from dmlib.preprocessing.discretisation.figures.gains import (
    UNCHANGED,
    gain_data,
    information_by_column,
    plot_gains,
)
from dmlib.preprocessing.discretisation.reference import discretisation_reference
from dmlib.preprocessing.discretisation.scene import discretisation_scene
from dmlib.preprocessing.discretisation.supervised import chi_merge_cuts, entropy_cuts
from dmlib.problem import prepare
from tests.pictures.examples import at, marks, tables
from tests.visit import stage, visit

# Weka 3.6.14, filters.unsupervised.attribute.Discretize -B 3 (-F) and
# filters.supervised.attribute.Discretize
TEMPERATURE = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
HUMIDITY = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]
WEATHER = np.column_stack([TEMPERATURE, HUMIDITY]).astype(float)
IRIS = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]


def iris():
    frame = load("iris").frame
    X = frame.select_dtypes("number").to_numpy(float)
    return X, frame["species"].to_numpy(str)


@pytest.mark.parametrize(
    ("method", "cuts", "counts"),
    [
        ("width", [[71, 78], [75 + 1 / 3, 85 + 2 / 3]], [[6, 4, 4], [5, 3, 6]]),
        ("frequency", [[70.5, 77.5], [77.5, 88]], [[5, 5, 4], [5, 4, 5]]),
    ],
)
def test_weka_bins(method, cuts, counts):
    model = Discretizer(method, n_bins=3).fit(WEATHER)
    for j in (0, 1):
        np.testing.assert_allclose(model.cuts_[j], cuts[j])
        assert np.bincount(model.transform(WEATHER)[:, j].astype(int)).tolist() == counts[j]


def test_weka_mdl():
    X, y = iris()
    for ours, theirs in zip(Discretizer("entropy").fit(X, y).cuts_, IRIS, strict=True):
        np.testing.assert_allclose(ours, theirs)


# Weka 3.6.14, filters.supervised.attribute.Discretize -K, -E
@pytest.mark.parametrize(
    ("encoding", "cuts"),
    [
        ({"criterion": "kononenko"}, IRIS),
        (
            {"better_encoding": True},
            [[5.55, 6.15, 7.05], [2.95, 3.35], [2.45, 4.75, 5.15], [0.8, 1.75]],
        ),
    ],
)
def test_weka_other_descriptions(encoding, cuts):
    X, y = iris()
    for ours, theirs in zip(Discretizer("entropy", **encoding).fit(X, y).cuts_, cuts, strict=True):
        np.testing.assert_allclose(ours, theirs)


@pytest.mark.parametrize("better_encoding", [False, True])
@given(seed=st.integers(0, 100))
def test_kononenkos_description_by_binomials(better_encoding, seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.integers(0, 12, 40).astype(float))
    y = np.array((x > 5) ^ (rng.random(40) < 0.2), int) + (x > 9)
    y = np.unique(y, return_inverse=True)[1]
    trial = next(entropy_cuts(x, y, "kononenko", better_encoding=better_encoding))
    k = y.max() + 1

    def bits(classes):
        counts = np.bincount(classes, minlength=k)
        orders = factorial(len(classes)) // prod(map(factorial, counts.tolist()))
        return log2(comb(len(classes) + k - 1, k - 1)) + log2(orders)

    gain = bits(y) - bits(y[x < trial.cut]) - bits(y[x > trial.cut])
    assert trial.gain == pytest.approx(gain)
    assert trial.threshold == pytest.approx(log2(len(np.unique(x)) - 1 if better_encoding else 39))
    assert (trial.phase == "cut") == (trial.gain > trial.threshold)


@pytest.mark.parametrize(
    ("ours", "theirs"), [("width", "uniform"), ("percentile", "quantile"), ("kmeans", "kmeans")]
)
@pytest.mark.parametrize("k", [2, 4, 7])
def test_scikit_learn(ours, theirs, k):
    X = np.random.default_rng(1).normal(size=(80, 2))
    options = {"quantile_method": "linear"} if theirs == "quantile" else {}
    model = KBinsDiscretizer(k, strategy=theirs, encode="ordinal", subsample=None, **options).fit(X)
    for cuts, edges in zip(Discretizer(ours, n_bins=k).fit(X).cuts_, model.bin_edges_, strict=True):
        np.testing.assert_allclose(cuts, edges[1:-1])


def test_sturges():
    X = np.random.default_rng(1).normal(size=(90, 1))
    cuts = Discretizer("sturges").fit(X).cuts_[0]
    np.testing.assert_allclose(cuts, np.histogram_bin_edges(X, 8)[1:-1])


@pytest.mark.parametrize(
    ("strategy", "k"), [("sturges_10", 8), ("sqrt", "sqrt"), ("scott", "scott"), ("fd", "fd")]
)
def test_widths_by_rules_are_those_of_numpy(strategy, k):
    X = np.random.default_rng(1).normal(size=(90, 1))
    cuts = Discretizer(strategy).fit(X).cuts_[0]  # 1 + 10/3 log10 90 = 7.5
    np.testing.assert_allclose(cuts, np.histogram_bin_edges(X, k)[1:-1])


def test_chi_squared_is_scipys():
    counts = np.array([[3, 7], [5, 3], [4, 3]])
    x = np.repeat([0.0, 1.0, 2.0], counts.sum(axis=1))
    y = np.repeat([0, 1] * 3, counts.ravel())
    first = next(chi_merge_cuts(x, y, 0.001))
    expected = [chi2_contingency(counts[i : i + 2], correction=False).statistic for i in (0, 1)]
    np.testing.assert_allclose(first.scores, expected)
    assert first.cut == 1.5


def test_small_counts_of_chi_squared_are_scipys():
    X, y = [[0.0], [4.0], [4.0], [4.0], [4.0]], [1, 0, 0, 0, 1]
    expected = chi2_contingency([[0, 1], [3, 1]], correction=False)
    assert (expected.statistic, round(expected.pvalue, 3)) == (pytest.approx(1.875), 0.171)
    assert Discretizer("chi_merge", alpha=0.2).fit(X, y).cuts_[0].tolist() == [2.0]
    assert Discretizer("chi_merge", alpha=0.17).fit(X, y).cuts_[0].tolist() == []


@given(
    st.integers(0, 10_000), st.sampled_from(["entropy", "one_rule", "chi_merge"]), st.integers(1, 4)
)
def test_the_order_of_the_rows_does_not_matter(seed, strategy, min_size):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (25, 1)).astype(float), rng.integers(0, 3, 25)
    order = rng.permutation(25)
    model = Discretizer(strategy, min_size=min_size, alpha=0.3)
    assert model.fit(X, y).cuts_[0].tolist() == model.fit(X[order], y[order]).cuts_[0].tolist()


def test_one_rule_by_hand():
    X, y = np.arange(9.0)[:, None], list("aaabbbaaa")
    assert Discretizer("one_rule", min_size=3).fit(X, y).cuts_[0].tolist() == [2.5, 5.5]
    assert Discretizer("one_rule", min_size=6).fit(X, y).cuts_[0].tolist() == []


def test_six_rows_by_hand():
    X, y = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], list("aaabbb")
    (trial,) = [step.trial for step in Discretizer("entropy").steps(X, y) if step.phase == "cut"]
    assert (trial.cut, trial.entropy, trial.gain) == (5, 1, 1)
    assert round(trial.threshold, 3) == 0.522


@given(st.integers(0, 200), st.sampled_from(list(STRATEGIES)), st.integers(2, 6))
def test_each_interval_is_where_its_values_are(seed, method, k):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 1)).round(1), rng.integers(0, 3, 30)
    model = Discretizer(method, n_bins=k).fit(X, y)
    cuts, codes = model.cuts_[0], model.transform(X)[:, 0].astype(int)
    assert (np.diff(cuts) > 0).all()
    ends = np.r_[-np.inf, cuts, np.inf]
    assert ((X[:, 0] > ends[codes]) & (X[:, 0] <= ends[codes + 1])).all()
    last = list(Discretizer(method, n_bins=k).steps(X, y))[-1]
    np.testing.assert_array_equal(last.borders, cuts)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_value_is_one_interval(strategy):
    assert Discretizer(strategy).fit([[2.0], [2.0]], [0, 1]).n_intervals_ == 1


@pytest.mark.parametrize("strategy", ["entropy", "one_rule", "chi_merge"])
def test_classes_are_needed_where_they_are_asked_for(strategy):
    with pytest.raises(ValueError, match="need classes"):
        Discretizer(strategy).fit([[1.0], [2.0]])


@given(st.integers(2, 40), st.sampled_from(list(CODINGS)))
def test_codes_tell_intervals_apart(k, coding):
    model = Binarizer(coding, n_bins=k).fit(np.arange(float(k))[:, None])
    bits = model.codes_[0]
    assert len(np.unique(bits, axis=0)) == len(bits)
    assert set(np.unique(bits)) <= {0, 1}
    if coding in ("gray", "thermometer"):
        assert (np.abs(np.diff(bits, axis=0)).sum(axis=1) == 1).all()
    assert len(model.get_feature_names_out()) == bits.shape[1]


def test_naive_bayes_gains_what_it_errs_less():
    table = load("wine")
    run = Run.of(prepare(table.frame, list(table.numeric), target=table.target), Discretizer())
    data = gain_data(run, lambda task: None)
    X, y = run.problem.X, run.problem.y
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    raw = 1 - cross_val_score(GaussianNB(), X, y, cv=folds)
    np.testing.assert_allclose(data.bayes[UNCHANGED], raw)
    assert data.bayes["entropy with MDL"].mean() == pytest.approx(0.023, abs=0.001)
    title = plot_gains(data).layout.title.text.replace("<br>", " ")
    assert "Naive Bayes has the smallest error with" in title
    assert len(information_by_column(run).data) == 3


def frames_of(title):
    (preset,) = (preset for preset in presets("discretisation") if preset.title == title)
    return stage(visit("discretisation", **link_of("discretisation", preset)))["frames"]


@pytest.mark.parametrize(
    ("title", "at", "says"),
    [
        ("Where the classes change", 1, "Cut petal_width at 0.8: the gain 0.9183 is > 0.06072"),
        ("Where the classes change", -1, "petal_width has 3 intervals"),
        ("Cheaper cuts", -1, "petal_length has 4 intervals"),
        ("Width or frequency", -1, "eruptions has 6 intervals"),
        ("Neighbours that differ by chance", -1, "petal_length has 4 intervals"),
        ("Enough rows of one class", -1, "petal_width has 3 intervals"),
        ("Centres of one column", -1, "eruptions has 2 intervals"),
        ("Gray code", 2, "becomes 001 (Gray code)"),
    ],
)
def test_a_preset_shows_what_it_says(title, at, says):
    assert says in frames_of(title)[at]["caption"]


def test_the_classes_of_each_interval_stand_over_it():
    """ChiMerge begins with dozens of intervals and ends with four, each as wide as on the axis."""
    table = load("iris")
    problem = prepare(table.frame, ["petal_length"], target="species", labelled=True)
    run = Run.of(problem, Discretizer("chi_merge"))
    scene = discretisation_scene(run)
    bars = [mark for mark in scene.marks if mark.panel == "shares" and isinstance(mark, Rects)]
    cuts = run.fitted.cuts_[0]
    np.testing.assert_allclose(at(bars[0].x1, -1)[:-1], cuts)
    np.testing.assert_allclose(at(bars[0].x0, -1)[1:], cuts)
    np.testing.assert_allclose(at(bars[-1].y1, -1), 1.0)
    setosa = at(bars[0].y1, -1)
    assert setosa.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("strategy", ["width", "statistical"])
def test_an_interval_answers_to_its_bars(strategy):
    """An interval beyond the axis, two deviations from the mean, has no bar."""
    problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 3.0]}), ["a"])
    scene = discretisation_scene(Run.of(problem, Discretizer(strategy, n_bins=4)))
    table = tables(scene.frames[-1])["Intervals of a"]
    counted = {number: row[1] for number, row in zip(table.numbers, table.rows, strict=True)}
    for panel, n_rows in (("tried", 1), ("shares", len(problem.X))):
        (bars,) = marks(scene, Rects, panel, of=table.by)
        heights = dict(zip(at(bars.numbers, -1).tolist(), n_rows * at(bars.y1, -1), strict=True))
        assert heights.items() <= counted.items()
        assert sum(heights.values()) == sum(counted.values())


def test_a_code_answers_to_its_bits():
    problem = prepare(pd.DataFrame({"a": np.arange(12.0)}), ["a"])
    scene = discretisation_scene(Run.of(problem, Binarizer(n_bins=6, coding="gray")))
    table = tables(scene.frames[-1])["Codes"]
    (bits,) = marks(scene, Rects, "tried", of=table.by)
    numbers = at(bits.numbers, -1).tolist()
    for number, (_, code) in zip(table.numbers, table.rows, strict=True):
        assert numbers.count(number) == code.count("1")


@pytest.mark.parametrize(
    "model",
    [
        *(Discretizer(strategy, n_bins=3) for strategy in ("width", "percentile", "kmeans")),
        Discretizer("entropy"),
        Binarizer("gray", n_bins=3),
    ],
    ids=str,
)
def test_the_reference_and_its_code_make_the_same_first_cut(model):
    table = load("iris")
    problem = prepare(table.frame, list(table.numeric), target="species", labelled=True)
    run = Run.of(problem, model)
    names = {"X": problem.data, "y": problem.y, "model": run.fitted}
    reference = discretisation_reference(run)
    exec(reference.code, names)
    for answers in (reference.answer(run), names["reference"]):
        assert answers.first_cut_ == pytest.approx(run.fitted.first_cut_)


def test_bits_of_names_change_at_the_first_cut():
    frame = load("weather_nominal").frame.drop(columns="play")
    run = Run.of(prepare(frame, list(frame.columns)), Binarizer())
    assert discretisation_reference(run).answer(run).first_cut_ == run.fitted.first_cut_ == 0.5
