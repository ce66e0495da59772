"""The numbers of the lesson on the measures of a classifier, computed again."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.evaluation import Counts, confusion, informational_losses, quadratic_losses
from dmlib.evaluation.classifier_metrics.baselines import random_guessing, zero_r

TEXT = (
    Path(__file__).parents[3] / "assets" / "pages" / "classifier_metrics" / "lesson.md"
).read_text("utf-8")
COSTS = np.array([[0.0, 1.0], [5.0, 0.0]])


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def decisions(matrix):
    """Return true and predicted classes that have these counts."""
    matrix = np.asarray(matrix)
    cells = np.repeat(np.arange(matrix.size), matrix.ravel())
    return cells // len(matrix), cells % len(matrix)


def assert_in_text(value, text):
    assert f"**{value:.4f}".rstrip("0") + "**" in text, value


def test_the_test_for_twenty_people():
    result = confusion(*decisions([[9, 3], [2, 6]]))
    assert (result.tp, result.fp, result.tn, result.fn) == (6, 3, 9, 2)
    text = section("By hand")
    for name in ("accuracy", "precision", "recall", "specificity", "f1", "mcc", "kappa", "chance"):
        assert_in_text(getattr(result, name), text)
    assert_in_text(zero_r(result).accuracy, text)
    assert random_guessing(result).accuracy == pytest.approx(result.chance)


def test_costs():
    result = confusion(*decisions([[9, 3], [2, 6]]))
    text = section("By hand")
    assert_in_text(result.expected_cost(COSTS), text)
    assert_in_text(result.weighted_accuracy(COSTS + np.eye(2)), text)
    everybody = confusion(*decisions([[0, 12], [0, 8]]))
    assert everybody.expected_cost(COSTS) == pytest.approx(0.6)


def test_598_households():
    # N. R. Patel (2003), Data mining, lecture notes 15.062, MIT: the validation sample.
    adopters = np.array([3, 7, 25, 27, 2, 12, 13, 30])
    estimates = np.array([2.2, 2.61, 20.302, 36.705, 2.374, 11.145, 16.338, 24.528])
    text = section("By hand")
    total = abs((estimates - adopters).sum()) / adopters.sum()
    absolute = np.abs(estimates - adopters).sum() / adopters.sum()
    for share in total, absolute:
        assert f"**{100 * share:.1f} %**" in text
    overlap = np.minimum(adopters, estimates).sum()
    assert round(overlap) == 103
    assert round(estimates.sum() - overlap) == 13
    result = confusion(*decisions([[466, 13], [16, 103]]))
    assert_in_text(result.accuracy, text)


def test_losses():
    text = section("By hand")
    p = [0.8, 0.5, 0.1]
    quadratic, bits = (losses([1, 1, 1], p) for losses in (quadratic_losses, informational_losses))
    assert quadratic == pytest.approx([0.08, 0.5, 1.62])
    assert bits == pytest.approx([0.3219, 1, 3.3219], abs=1e-4)
    assert_in_text(quadratic.mean(), text)
    assert_in_text(bits.mean(), text)


def test_three_classes():
    result = confusion(*decisions([[2, 0, 0], [1, 3, 1], [0, 1, 12]]))
    text = section("By hand")
    assert_in_text(result.accuracy, text)
    assert f"**{result.macro['recall']:.4f}**" in text
    assert f"**{result.macro['precision']:.4f}**" in text
    assert result.macro["recall"] == pytest.approx(result.balanced_accuracy)
    assert [each.recall for each in result.one_versus_rest] == pytest.approx(
        [1, 0.6, 0.9231], abs=1e-4
    )
    assert [each.precision for each in result.one_versus_rest] == pytest.approx(
        [0.6667, 0.75, 0.9231], abs=1e-4
    )
    assert result.weighted["recall"] == pytest.approx(0.85)
    assert [result.micro[name] for name in ("precision", "recall", "f1")] == pytest.approx(
        [0.85] * 3
    )


def test_answers():
    assert Counts(tp=9, fp=99, tn=891, fn=1).precision == pytest.approx(0.083, abs=5e-4)
    equal = Counts(5, 3, 9, 3)
    assert equal.recall == equal.precision
    assert quadratic_losses([1], [1.0])[0] == informational_losses([1], [1.0])[0] == 0
    rare = confusion(*decisions([[85, 5], [5, 5]]))
    assert rare.accuracy == zero_r(rare).accuracy == 0.9
    assert rare.kappa > zero_r(rare).kappa == 0


def test_what_fails():
    all_negative = confusion(*decisions([[381, 0], [19, 0]]))
    assert all_negative.accuracy == pytest.approx(0.95, abs=5e-3)
    assert np.isnan(all_negative.precision)
    counts = Counts(6, 3, 9, 2)
    swapped = Counts(9, 2, 6, 3)
    assert counts.f1 != swapped.f1
    assert counts.mcc == pytest.approx(swapped.mcc)
