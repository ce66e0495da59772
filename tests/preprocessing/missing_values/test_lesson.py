"""The numbers of the lesson and of the presets on missing values, computed again."""

import numpy as np
import pytest

from dashboard.presets import presets
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.preprocessing import Imputer, mcar_report, pool
from dmlib.preprocessing.missing_values.figures.reasons import reasons_data
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of

NAN = np.nan
ROWS = [[1, 2], [2, 4], [3, 6], [4, 8], [10, NAN]]


@pytest.mark.parametrize(
    ("model", "value", "sentence"),
    [
        (Imputer("mean"), 5, "20 / 4 = **5**"),
        (Imputer("median"), 5, "(4 + 6) / 2 = **5**"),
        (Imputer("knn", n_neighbors=2), 7, "(8 + 6) / 2 = **7**"),
        (Imputer("knn", n_neighbors=2, weights="distance"), 7.0769, "**7.08**"),
        (Imputer("regression"), 20, "so **20**"),
    ],
)
def test_by_hand(model, value, sentence):
    assert model.fit_transform(ROWS)[4, 1] == pytest.approx(value, abs=1e-4)
    assert sentence in section(text_of("missing_values"), "By hand")


def test_distances_and_rubin():
    text = section(text_of("missing_values"), "By hand")
    far = Imputer("knn", n_neighbors=2).fit(ROWS).neighbors(np.array([[10, NAN]]), 1)[1][0]
    assert f"**{far[0]:.2f}** and √2 · 7 = **{far[1]:.1f}**" in text
    pooled = pool([10, 12, 14], [1, 2, 3])
    assert f"W = **{pooled.within:g}**, B = **{pooled.between:g}**, " in text
    assert f"T = 2 + 4/3 · 4 = **{pooled.total:.2f}**" in text
    assert f"{100 * 0.95**20:.0f} %" in section(text_of("missing_values"), "Answers")


def after(model):
    frame = load("airquality").frame
    filled = model.fit_transform(frame)
    ozone, warm = (filled[:, list(frame).index(name)] for name in ("ozone", "temperature"))
    return frame.ozone.isna().to_numpy(), ozone, np.corrcoef(ozone, warm)[0, 1]


def test_presets_tell_the_truth():
    look_for = {preset.title: preset.look_for for preset in presets("missing_values")}
    _, ozone, r = after(Imputer("knn"))
    assert f"{r:.2f}, as in" in look_for["The nearest rows"]
    assert f"to {ozone.std(ddof=1):.1f}" in look_for["The nearest rows"]
    is_hole, ozone, r = after(Imputer("mean"))
    for part in (
        f"All {is_hole.sum()} days",
        f"get {ozone[is_hole][0]:.1f}",
        f"to {ozone.std(ddof=1):.1f}",
        f"to {r:.2f}",
    ):
        assert part in look_for["One value for all"]
    assert f"falls to {after(Imputer('sample'))[2]:.2f}" in look_for["Drawn by chance"]
    _, ozone, r = after(Imputer("normal"))
    _, by_density, r_density = after(Imputer("density"))
    parts = (
        f"{(ozone < 0).sum()} days get",
        f"the lowest {ozone.min():.1f}",
        f"lowest draw is {by_density.min():.2f}",
        f"is {r:.2f} and {r_density:.2f}",
    )
    assert all(part in look_for["Drawn from a fitted distribution"] for part in parts)
    _, ozone, r = after(Imputer("regression"))
    noisy = after(Imputer("regression", noise=True))[2]
    parts = (
        f"{(ozone < 0).sum()} days get",
        f"lowest {ozone.min():.1f}",
        f"rises to {r:.2f}",
        f"it is {noisy:.2f}",
    )
    assert all(part in look_for["Less than no ozone"] for part in parts)
    model = Imputer("drop").fit(load("airquality").frame)
    assert (model.n_holes_, model.n_complete_) == (44, 153 - 42)
    assert load("penguins").frame["sex"].isna().sum() == 11
    tests = mcar_report(load("airquality").frame).tests
    assert tests[(tests.missing == "ozone") & (tests.other == "month")].p_value.item() < 0.001


def test_why_missing_names_the_columns():
    frame = load("airquality").frame
    problem = prepare(frame, ["ozone", "wind", "temperature"], holes="keep")
    report = reasons_data(Run.of(problem, Imputer("mean")))
    assert {*report.tests["missing"], *report.tests["other"]} == {"ozone", "wind", "temperature"}
