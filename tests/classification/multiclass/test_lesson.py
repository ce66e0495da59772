"""The lesson on many classes computes by hand as the algorithm does."""

from math import comb
from pathlib import Path

import numpy as np
import pytest

from dmlib.classification import SVC, OneVsOneClassifier
from dmlib.classification.multiclass.one_vs_one import squeezed
from dmlib.classification.multiclass.output_code import exhaustive

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "multiclass" / "lesson.md").read_text(
    "utf-8"
)
HAND = TEXT.split("### By hand\n")[1].split("\n### ")[0]


def bold(number):
    return f"**{number:.4g}**".replace("-", "−")


def test_three_points_vote_for_the_middle_one():
    model = OneVsOneClassifier(SVC(kernel="linear", C=np.inf)).fit(
        [[1.0], [5.0], [9.0]], ["A", "B", "C"]
    )
    values, positive = model.answers([[4.0]])
    assert values[0] == pytest.approx([0.5, -0.25, -1.5], abs=1e-6)
    assert positive[0].tolist() == [True, False, False]
    sums = model.signs @ values[0]
    assert all(
        bold(round(value, 6)) in HAND for value in (*values[0], *sums, float(squeezed(sums)[1]))
    )
    assert model.predict([[4.0]]).tolist() == ["B"]
    assert model.decision_function([[4.0]])[0].round(6).tolist() == [
        round(1 - 0.25 / 3.75, 6),
        2.222222,
        -0.212121,
    ]


def test_words_of_three_classes_notice_a_wrong_bit():
    words = exhaustive(3)
    words_of_bits = ["".join("+" if bit > 0 else "-" for bit in word) for word in words]
    assert all(f"{name} ${word}$" in HAND for name, word in zip("ABC", words_of_bits, strict=True))
    distances = (words != np.array([-1, 1, 1])).sum(axis=1)
    assert ", ".join(f"**{d}**" for d in distances) in HAND


def test_ten_classes_have_as_many_problems_as_told():
    answer = TEXT.split("### Answers\n")[1]
    assert (
        f"10 by one-versus-rest, {comb(10, 2)} by one-versus-one, {exhaustive(10).shape[1]} by"
        in answer
    )
