"""The page of one's data: the column on the stage, types that are overruled, cleaning, presets."""

import re
import runpy
from functools import partial

import numpy as np
import pandas as pd
import pytest

from dashboard.presets import link_of, presets
from dmlib.datasets import load
from dmlib.pictures.words import percent
from dmlib.preprocessing import summarise
from dmlib.preprocessing.data_overview.figures.distributions import distributions_data
from tests.visit import (
    open_part,
    open_preset,
    picture,
    plain,
    reopened,
    sentences_of,
    sound,
    stage,
    visit,
    warnings,
    watched_runs,
    widgets,
)

SLUG = "data_overview"

run_of = partial(open_preset, SLUG)


def preset_of(title):
    return next(preset for preset in presets(SLUG) if preset.title == title)


def phases(page):
    return [frame["phase"] for frame in stage(page)["frames"]]


def column(page, name):
    """Return a column of the table of all columns, by the name of the column that it tells of."""
    return page.dataframe[0].value.set_index("column")[name]


def test_it_opens_with_all_columns_and_a_column_of_numbers_on_the_stage():
    with watched_runs() as runs:
        visit(SLUG)
    run = runs[-1]
    assert list(run.problem.features) == list(load("penguins").frame.columns)
    assert run.problem.features[run.model.column - 1] == "bill_length_mm"


def test_the_column_on_the_stage_travels_in_the_link():
    page = sound(visit(SLUG, **{f"{SLUG}.column": "island"}))
    assert phases(page) == ["look", "count", "done"]
    assert picture(reopened(page)) == picture(page)


def test_names_taken_for_numbers_are_refused_in_a_sentence():
    page = sound(visit(SLUG, **{f"{SLUG}.column": "island", f"{SLUG}.scale": "ratio"}))
    (sentence,) = sentences_of(page)
    assert sentence.startswith("The column 'island' holds names")


def test_a_type_can_be_overruled_and_travels_in_the_link():
    page = open_part(visit(SLUG), **{f"{SLUG}.tab": "Columns", f"{SLUG}.types.open": True})
    assert column(page, "type")["year"] == "interval"
    assert np.isfinite(column(page, "mean")["year"])
    page.selectbox(key="penguins.type.7").set_value("ordinal")
    sound(page.run())
    assert column(page, "type")["year"] == "ordinal"
    assert np.isnan(column(page, "mean")["year"])
    assert column(page, "median")["year"] == 2008
    assert page.query_params["penguins.type.7"] == "ordinal"
    fresh = open_part(reopened(page), **{f"{SLUG}.tab": "Columns"})
    assert column(fresh, "type")["year"] == "ordinal"
    assert "penguins.type.7" not in widgets(fresh)


def test_the_report_counts_the_whole_table():
    page = open_part(
        visit(SLUG, data="airquality", **{"airquality.features": ["wind"]}),
        **{f"{SLUG}.tab": "Columns"},
    )
    texts = [plain(text.value) for text in page.markdown]
    assert any("37 of 153 values of 'ozone' are missing" in text for text in texts)
    assert len(page.dataframe[0].value) == 6


def test_cleaning_comes_with_code_that_does_it(tmp_path, monkeypatch):
    link = {
        f"{SLUG}.clean.holes": "mean",
        f"{SLUG}.clean.outliers": "clip",
        f"{SLUG}.clean.doubled": "true",
    }
    page = sound(open_part(visit(SLUG, data="airquality", **link), **{f"{SLUG}.tab": "Cleaning"}))
    visible = page.dataframe[0].value
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "cleaning.py"
    file.write_text(page.code[0].value, "utf-8")
    frame = runpy.run_path(str(file))["frame"]
    first_rows = frame.reset_index(drop=True)[: len(visible)]
    pd.testing.assert_frame_equal(visible.reset_index(drop=True), first_rows)
    assert frame.notna().all(axis=None)
    assert len(pd.read_csv(tmp_path / "cleaned.csv")) == len(frame) == 153


def test_hostile_names_are_shown_literally():
    page = visit(SLUG, source="upload")
    text = "<img src=x>,$\\frac$,:red[c]\n1,2,3\n1,2,3\n9,,4\n"
    page.file_uploader[0].upload("bad.csv", text.encode(), "text/csv")
    page.run()
    for tab in ("Columns", "Cleaning"):
        sound(open_part(page, **{f"{SLUG}.tab": tab, f"{SLUG}.types.open": True}))
        texts = [text.value for text in [*page.markdown[1:], *page.caption]]
        texts += [box.label for box in page.selectbox]
        assert any("img" in text for text in texts), tab
        assert not [text for text in texts if re.search(r"(?<!\\)<img|(?<!\\):red", text)]


@pytest.mark.parametrize(
    "tab", ["Scatter", "Scatter matrix", "Correlation", "Radar", "Data matrix"]
)
def test_a_figure_that_has_not_enough_columns_says_so(tab):
    page = open_part(visit(SLUG, data="weather_nominal"), **{f"{SLUG}.tab": tab})
    assert [error.message for error in page.exception] == []
    (sentence,) = warnings(page)
    assert sentence.endswith(".")


# --- what the presets say -------------------------------------------------------------------------


def test_what_names_allow():
    run = run_of("What names allow").run
    statistics = run.trace.steps[-1].statistics
    assert run.trace.steps[0].categories[int(statistics["mode"])] == "mild"
    assert (statistics["mode_count"], statistics["n"]) == (6, 14)
    ordered = run_of("What names allow", scale="ordinal").run
    assert {"median", "quartiles"} <= {step.phase for step in ordered.trace.steps}


def test_a_mean_between_two_heaps():
    run, _, text = run_of("A mean where nobody is")
    x = run.problem.X[:, run.model.column - 1]
    assert f"{x.mean():.2f}" in text
    assert f"{((x > 3.2) & (x < 3.8)).sum()} of {len(x)}" in text


def test_bins():
    run, _, text = run_of("Bins make the picture")
    for k in (2, 3):
        counts = distributions_data(run.problem, "natural", k)[0].counts.tolist()
        assert all(str(count) in text for count in counts), counts


def test_holes():
    run, _, text = run_of("Holes")
    statistics = run.trace.steps[-1].statistics
    assert f"{statistics['missing']} of {statistics['missing'] + statistics['n']} days" in text
    assert f"{statistics['mean']:.1f}, is far above the median, {statistics['median']}" in text
    filled = load("airquality").frame["ozone"].fillna(statistics["mean"])
    assert f"from {statistics['deviation']:.1f} to {filled.std():.1f}" in text


def test_a_ratio_without_a_zero():
    run, _, text = run_of("A ratio without a zero")
    x = run.problem.X[:, run.model.column - 1]
    celsius = summarise((x - 32) / 1.8)
    assert percent(run.trace.steps[-1].statistics["coefficient"]) in text
    assert percent(celsius.deviation / celsius.mean) in text
    interval = run_of("A ratio without a zero", scale="interval").run
    assert "coefficient" not in {step.phase for step in interval.trace.steps}


def test_anscombe():
    run = run_of("Same numbers, other stories").run
    step = run.trace.steps[-1]
    np.testing.assert_allclose(step.covariances[1:], 5.5, atol=0.005)
    np.testing.assert_allclose(step.correlations[1:], 0.816, atol=0.0005)
    np.testing.assert_allclose(run.fitted.mean_[1:], 7.5, atol=0.001)


def test_one_wage():
    run, _, text = run_of("One wage")
    x = np.sort(run.problem.X[:, run.model.column - 1])
    summary, shorter = summarise(x), summarise(x[:-1])
    assert f"{summary.n_outliers} of {summary.n} wages" in text
    assert f"from {shorter.variance:.1f} to {summary.variance:.1f}" in text
    assert shorter.median == summary.median == 7.78


def test_setosa():
    run = run_of("Three species, three shapes").run
    means = np.array([run.problem.X[run.problem.y == code].mean(axis=0) for code in range(3)])
    setosa = run.problem.classes.index("setosa")
    assert means[:, 2:4].argmin(axis=0).tolist() == [setosa, setosa]
    assert means[:, 1].argmax() == setosa


def test_rents_on_a_map():
    table = run_of("Rents on a map").run.table.frame
    means = table.groupby("place", observed=True)["rent"].mean()
    assert min(means["west town"], means["east town"]) > max(means["road"], means["countryside"])


def test_guess_the_correlation():
    run, _, text = run_of("Guess the correlation")
    column = run.model.column - 1
    r = np.delete(run.trace.steps[-1].correlations, column)
    sizes = np.abs(r)
    assert f"{r[sizes.argmax()]:.3f}".replace("-", "−") in text
    assert f"{r[sizes.argmin()]:.3f}" in text
    assert len(r) == 10


def test_rows_that_break_a_rule_are_counted_shown_and_marked():
    page = visit(SLUG, **link_of(SLUG, preset_of("Ages that nobody has")))
    page = sound(open_part(page, **{f"{SLUG}.tab": "Cleaning"}))
    texts = [plain(text.value) for text in page.markdown]
    (lines,) = [text for text in texts if "rows break" in text]
    assert "2 of 16 rows break 0 <= age <= 120" in lines
    assert "2 of 16 rows break day_in <= day_out" in lines
    assert "4 of 16 rows break town in Jena, Halle, Leipzig" in lines
    assert page.dataframe[0].value.index.tolist() == [3, 4, 6, 7, 8, 11, 14, 16]
    page.selectbox(key=f"{SLUG}.clean.inconsistent").set_value("mark")
    page.toggle(key=f"{SLUG}.clean.spellings").set_value(True)
    sound(page.run())
    texts = [plain(text.value) for text in page.markdown]
    assert any("1 of 16 rows breaks town in" in text for text in texts)
    assert page.dataframe[1].value["breaks_a_rule"].sum() == 5


def test_a_bad_rule_is_said_in_a_sentence_and_changes_nothing():
    page = visit(SLUG, data="admissions", **{f"{SLUG}.clean.rules": "age < weight"})
    page = sound(open_part(page, **{f"{SLUG}.tab": "Cleaning"}))
    (sentence,) = warnings(page)
    assert "may not use 'weight'" in plain(sentence)
    assert len(page.dataframe[0].value) == 16
