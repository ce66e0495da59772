"""ROC, precision-recall, lift and profit against R, scikit-learn and brute force."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull
from scipy.stats import ks_2samp, mannwhitneyu
from sklearn import metrics

from dmlib.evaluation import (
    Payoff,
    lift_curve,
    pr_curve,
    profit_curve,
    roc_curve,
    threshold_counts,
    threshold_steps,
)

FOLDER = Path(__file__).parents[2] / "golden"
GOLDEN = json.loads((FOLDER / "roc_scored60.json").read_text())
EXPECTED = GOLDEN["curve"]
Y, SCORE = np.array(GOLDEN["label"]), np.array(GOLDEN["score"])
GOOD_AND_BAD = np.repeat([0, 1, 0], [10, 2, 90]), -np.arange(102.0)

# few different scores, so that many are tied
scored = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40).filter(
    lambda rows: len({positive for positive, _ in rows}) == 2
)


def split(rows):
    y, score = zip(*rows, strict=True)
    return np.array(y), np.array(score, float)


# --- golden tables --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tp", "fp", "tpr", "fpr", "precision", "recall", "thresholds"])
def test_counts_and_rates_of_r(name):
    assert_allclose(getattr(threshold_counts(Y, SCORE), name)[1:], EXPECTED[name], rtol=1e-8)


def test_areas_of_r():
    curve = roc_curve(Y, SCORE)
    assert_allclose(curve.auc, EXPECTED["auc_roc"], rtol=1e-8)
    assert_allclose(curve.gini, EXPECTED["gini"], rtol=1e-8)
    assert_allclose(curve.ks, EXPECTED["ks_statistic"], rtol=1e-8)
    assert_allclose(curve.standard_error(), EXPECTED["auc_se_delong"], rtol=1e-8)
    assert_allclose(curve.thresholds[curve.best()], EXPECTED["youden_best_threshold"])
    assert_allclose(curve.counts.youden[curve.best()], EXPECTED["youden_index"], rtol=1e-8)


def test_precision_recall_of_r():
    curve = pr_curve(Y, SCORE)
    assert_allclose(curve.average_precision, EXPECTED["average_precision_step"], rtol=1e-8)
    precision, recall = np.append(1, EXPECTED["precision"]), np.append(0, EXPECTED["recall"])
    trapezium = EXPECTED["auc_pr_trapezoid_with_first_point_at_recall_0_same_precision"]
    assert_allclose(np.trapezoid(precision, recall), trapezium, rtol=1e-8)
    assert abs(curve.average_precision - trapezium) > 0.008


def test_lift_table_of_r():
    lift, expected = lift_curve(Y, SCORE), GOLDEN["lift"]
    table = lift.table
    assert_array_equal(table.n, expected["n"])
    assert_array_equal(table.cum_n, expected["cum_n"])
    assert_allclose(table.cum_positives, expected["cum_positives_expected_under_ties"])
    assert_array_equal(table.tied, expected["boundary_is_tied"])
    assert_allclose(table.gain, expected["gain"], rtol=1e-8)
    assert_allclose(table.lift, expected["cumulative_lift"], rtol=1e-8)
    assert_allclose(table.group_lift, expected["decile_lift"], rtol=1e-8)
    assert_allclose(lift.base_rate, expected["base_rate"], rtol=1e-8)


def test_a_good_roc_curve_can_hide_bad_precision():
    expected = json.loads((FOLDER / "good_and_bad.json").read_text())["expected"]
    curve = pr_curve(*GOOD_AND_BAD)
    assert_allclose(roc_curve(*GOOD_AND_BAD).auc, expected["roc_auc"], rtol=1e-12)
    assert_allclose(curve.average_precision, expected["average_precision"], rtol=1e-12)
    for recall, precision in expected["precision_at_recall"].items():
        best = curve.precision[curve.recall == float(recall)].max()
        assert_allclose(best, precision, rtol=1e-12)


# --- peers and brute force ------------------------------------------------------------------------


@given(scored)
def test_against_scikit_learn(rows):
    y, score = split(rows)
    roc, pr = roc_curve(y, score), pr_curve(y, score)
    fpr, tpr, thresholds = metrics.roc_curve(y, score, drop_intermediate=False)
    assert_allclose(roc.fpr, fpr)
    assert_allclose(roc.tpr, tpr)
    assert_allclose(roc.thresholds, thresholds)
    assert_allclose(roc.auc, metrics.roc_auc_score(y, score))
    precision, recall, thresholds = metrics.precision_recall_curve(y, score)
    assert_allclose(pr.precision, precision)
    assert_allclose(pr.recall, recall)
    assert_allclose(pr.thresholds, thresholds)
    assert_allclose(pr.average_precision, metrics.average_precision_score(y, score))


@given(scored)
def test_area_is_the_share_of_pairs(rows):
    y, score = split(rows)
    pairs = np.subtract.outer(score[y], score[~y])
    share = ((pairs > 0) + (pairs == 0) / 2).mean()
    assert_allclose(roc_curve(y, score).auc, share)
    assert_allclose(mannwhitneyu(score[y], score[~y]).statistic / pairs.size, share)


def test_kolmogorov_smirnov_distance():
    assert_allclose(roc_curve(Y, SCORE).ks, ks_2samp(SCORE[Y == 1], SCORE[Y == 0]).statistic)


@given(scored)
def test_the_threshold_walks_through_the_same_counts(rows):
    y, score = split(rows)
    counts, steps = threshold_counts(y, score), list(threshold_steps(y, score))
    for name in "tp", "fp", "tn", "fn":
        assert [getattr(step, name) for step in steps] == getattr(counts, name).tolist()
    assert [step.threshold for step in steps] == counts.thresholds.tolist()
    assert [step.phase for step in steps] == ["start"] + ["threshold"] * (len(steps) - 1)
    assert sorted(np.concatenate([step.rows for step in steps])) == list(range(len(y)))
    for step in steps:
        called = score >= step.threshold
        assert (step.tp, step.fp) == ((called & y).sum(), (called & ~y).sum())
        assert (score[step.rows] == step.threshold).all()
    assert_allclose(steps[-1].area / (y.sum() * (~y).sum()), roc_curve(y, score).auc)


@given(scored, st.floats(0, 20))
def test_the_best_threshold_is_on_the_hull(rows, slope):
    y, score = split(rows)
    curve = roc_curve(y, score)
    worth = curve.tpr - slope * curve.fpr
    best = curve.best(slope)
    assert_allclose(worth[best], worth.max(), atol=1e-9)
    assert_allclose(worth[curve.hull].max(), worth.max(), atol=1e-9)
    assert best == np.flatnonzero(np.isclose(worth, worth.max(), rtol=0, atol=1e-12))[0]


def test_hull_is_the_upper_part_of_the_convex_hull():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    curve = roc_curve(y, rng.normal(y))
    points = np.column_stack([np.append(curve.fpr, 1), np.append(curve.tpr, 0)])
    corners = ConvexHull(points).vertices
    assert_array_equal(np.sort(corners)[:-1], curve.hull)


@given(scored, *[st.floats(0, 10) for _ in range(4)], st.floats(0.05, 0.95))
def test_profit_by_hand(rows, benefit_tp, benefit_tn, cost_fp, cost_fn, prior):
    y, score = split(rows)
    values = {
        "benefit_tp": benefit_tp,
        "benefit_tn": benefit_tn,
        "cost_fp": cost_fp,
        "cost_fn": cost_fn,
    }
    curve = profit_curve(y, score, prior=prior, **values)
    weight = np.where(y, prior / y.mean(), (1 - prior) / (~y).mean()) / len(y)
    for threshold, depth, profit in zip(curve.thresholds, curve.depth, curve.profit, strict=True):
        called = score >= threshold
        worth = np.where(
            y, np.where(called, benefit_tp, -cost_fn), np.where(called, -cost_fp, benefit_tn)
        )
        assert_allclose(profit, weight @ worth, atol=1e-9)
        assert_allclose(depth, weight @ called, atol=1e-9)
    assert_allclose(curve.profit[curve.best], curve.profit.max(), atol=1e-9)


def test_lines_of_equal_profit():
    payoff = Payoff(benefit_tp=2, benefit_tn=0.5, cost_fp=1, cost_fn=3, prior=0.3)
    on_one_line = payoff.profit(np.array([0.4, 0.4 + 0.1 * payoff.slope]), np.array([0.2, 0.3]))
    assert_allclose(*on_one_line)
    assert_allclose(payoff.slope, (0.7 * 1.5) / (0.3 * 5))
    assert Payoff(cost_fn=0).slope == np.inf
    assert np.isnan(Payoff(cost_fp=0, cost_fn=0).slope)


def test_profit_and_slope_choose_the_same_threshold():
    options = {"benefit_tp": 3.0, "benefit_tn": 0.0, "cost_fp": 1.0, "cost_fn": 1.0, "prior": 0.1}
    curve = roc_curve(Y, SCORE)
    assert profit_curve(Y, SCORE, **options).best == curve.best(Payoff(**options).slope)
    assert curve.fpr[curve.best(np.inf)] == 0
    assert curve.thresholds[curve.best(np.inf)] == 0.88


def test_profit_takes_the_share_of_the_data_as_the_prior():
    curve = profit_curve(Y, SCORE, benefit_tp=2)
    counts = curve.counts
    assert_allclose(curve.profit * 60, 2 * counts.tp - counts.fp, atol=1e-9)


# --- lift -----------------------------------------------------------------------------------------


@given(scored, st.integers(1, 10))
def test_lift_under_ties_is_the_mean_over_their_orders(rows, groups):
    y, score = split(rows)
    groups = min(groups, len(y))
    table = lift_curve(y, score, groups=groups).table
    assert table.n.min() >= 1
    assert table.cum_n[-1] == len(y)
    rng = np.random.default_rng(0)
    shuffles = [rng.permutation(len(y)) for _ in range(200)]
    orders = [s[np.argsort(-score[s], kind="stable")] for s in shuffles]
    positives = [np.cumsum(y[order])[table.cum_n - 1] for order in orders]
    assert_allclose(table.cum_positives, np.mean(positives, axis=0), atol=0.8)
    assert_allclose(np.average(table.group_lift, weights=table.n), 1)


def test_lift_is_precision_over_the_base_rate():
    curve = lift_curve(Y, SCORE)
    assert_allclose(curve.lift[1:], curve.counts.precision[1:] / curve.base_rate)
    assert np.isnan(curve.lift[0])
    assert_allclose(curve.gain, roc_curve(Y, SCORE).tpr)


def test_groups_that_do_not_divide_the_rows():
    table = lift_curve([1, 0, 1, 0, 0, 0, 1], np.arange(7.0)[::-1], groups=3).table
    assert table.cum_n.tolist() == [3, 5, 7]
    assert len(lift_curve(Y, SCORE).table.n) == 10
    assert len(lift_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).table.n) == 4


# --- properties -----------------------------------------------------------------------------------


@given(scored)
def test_a_monotone_change_of_the_scores_changes_nothing(rows):
    y, score = split(rows)
    curve = roc_curve(y, score)
    of_rescaled = roc_curve(y, np.exp(score) * 7 - 3)
    assert_allclose(curve.fpr, of_rescaled.fpr)
    assert curve.auc == of_rescaled.auc


@given(scored)
def test_the_other_way_round(rows):
    y, score = split(rows)
    assert_allclose(roc_curve(y, -score).auc, 1 - roc_curve(y, score).auc, atol=1e-12)
    assert_allclose(roc_curve(~y, -score).auc, roc_curve(y, score).auc, atol=1e-12)


def test_weights_of_rows_are_repetitions():
    weight = np.arange(60) % 4
    repeated = np.repeat(np.arange(60), weight)
    weighted = roc_curve(Y, SCORE, sample_weight=weight)
    assert_allclose(weighted.auc, roc_curve(Y[repeated], SCORE[repeated]).auc)
    ap = pr_curve(Y, SCORE, sample_weight=weight).average_precision
    assert_allclose(ap, pr_curve(Y[repeated], SCORE[repeated]).average_precision)


def test_break_even_is_at_as_many_as_are_positive():
    curve = pr_curve(Y, SCORE)
    at = np.flatnonzero(curve.counts.tp + curve.counts.fp == 13)
    assert at.size == 1
    assert_allclose(curve.break_even, curve.counts.precision[at[0]])
    assert_allclose(curve.break_even, curve.counts.recall[at[0]])


def test_classes_of_any_name():
    y = np.where(Y == 1, "yes", "no")
    assert roc_curve(y, SCORE).auc == roc_curve(Y, SCORE).auc
    assert_allclose(roc_curve(y, -SCORE, pos_label="no").auc, roc_curve(Y, SCORE).auc)
    three = np.array(["a", "b", "c", "b"])
    assert roc_curve(three, [0, 2, 1, 3], pos_label="b").auc == 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: roc_curve([1, 1], [0.2, 0.3]), "There is only one class, 1"),
        (
            lambda: roc_curve([0, 1, 2], [1, 2, 3]),
            "There are 3 classes. Name the positive one with pos_label",
        ),
        (lambda: roc_curve([0, 1], [1, np.nan]), "score has missing or infinite values"),
        (lambda: roc_curve([0, 1], [1, 2, 3]), "score must be one number for each of the 2 rows"),
        (lambda: roc_curve([0, 1], ["low", "high"]), "score must be numbers"),
        (lambda: roc_curve([0, 1], [1, 2], pos_label=7), "pos_label=7 is not one of the classes"),
        (lambda: roc_curve([0, 1], [1, 2], sample_weight=[1, -1]), "sample_weight must be"),
        (lambda: roc_curve([0, 1], [1, 2], sample_weight=[1, 0]), "have the weight 0"),
        (lambda: roc_curve([0, 1], [1, 2]).standard_error(), "at least 2 rows of each class"),
        (
            lambda: lift_curve([0, 1], [1, 2], groups=3),
            "groups must be a whole number from 1 to the number of rows, 2",
        ),
        (lambda: profit_curve([0, 1], [1, 2], prior=1.0), "prior must lie between 0 and 1"),
        (lambda: profit_curve([0, 1], [1, 2], cost_fp=np.inf), "must be finite"),
    ],
)
def test_refusals_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
