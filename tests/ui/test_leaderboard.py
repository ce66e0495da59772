"""All techniques of one kind on the data of a page: the table, its tests, and the way on."""

import json
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from streamlit.proto.WidgetStates_pb2 import WidgetState

from dashboard.catalogue import CATALOGUE
from dashboard.entrants import (
    MAX_ROWS,
    Entrant,
    benchmark_of,
    compared_rows,
    entrants,
    method_texts,
    targets,
)
from dashboard.leaderboard import Leaderboard
from dashboard.pin import Pin
from dashboard.technique import technique_of
from dashboard.thumbnails import Thumbnails
from dmlib.classification import KNeighborsClassifier, NaiveBayes
from dmlib.clustering import KMeans
from dmlib.datasets import load
from dmlib.evaluation.benchmark import Benchmark, Scores
from dmlib.problem import prepare
from tests.visit import open_part, plain, session_of, sound, upload, visit, warnings, watched_runs

COLORS = ("#111111", "#222222", "#333333")
HAND = "x,y,kind\n" + "".join(f"{i % 6},{i // 6},{'ab'[i % 6 > 2]}\n" for i in range(24))


def tab(slug):
    return {f"{slug}.tab": "Compare all"}


def tables(page):
    """Return the tables of the tab: the techniques and, where there are folds, the tests."""
    return [frame.value for frame in page.dataframe]


def texts(page):
    return " ".join(each.value for each in (*page.caption, *page.markdown))


def iris(**options):
    frame = load("iris").frame
    return prepare(frame, ["petal_length", "petal_width"], target="species", **options)


def test_all_methods_have_a_name_and_an_assumption():
    classes = {
        technique_of(slug).methods[method].__name__
        for slug in CATALOGUE
        for method in targets(slug)
    }
    assert classes == set(method_texts())
    for texts_of_method in method_texts().values():
        assert set(texts_of_method) == {"name", "assumes"}
        assert texts_of_method["assumes"].endswith(".")


def test_pages_of_each_kind_are_compared():
    classified = dict.fromkeys(("Classification", "Growing", "Pruning"), "classes")
    assert targets("mlp") == classified | {"Regression": "number"}
    assert targets("pcr").keys() == {"Principal components", "Partial least squares"}
    assert set(targets("kernel_kmeans").values()) == {"clusters"}
    for slug in ("pca", "apriori", "cnn", "roc", "feature_selection", "lda_projection", "rnn"):
        assert not targets(slug), slug


def test_clusterings_take_over_the_number_of_clusters():
    rivals = [*entrants(technique_of("kmeans"), "k-means", KMeans(5), iris(), 7)]
    assert rivals[0].is_own
    assert sum(rival.is_own for rival in rivals) == 1
    by_slug = {rival.slug: rival for rival in rivals}
    assert by_slug["gaussian_mixture"].model.n_components == 5
    assert by_slug["gaussian_mixture"].model.random_state == 7
    assert by_slug["gaussian_mixture"].settings == {"gaussian_mixture.n_components": "5"}
    assert by_slug["hierarchical"].model.n_clusters == 5
    assert by_slug["dbscan"].settings == {}


def refusals_of(problem):
    page = technique_of("naive_bayes")
    rivals = entrants(page, "Naive Bayes", NaiveBayes(), problem, 0)
    return {rival.slug: rival.refusal for rival in rivals}


def test_who_does_not_take_the_data_says_why():
    frame = pd.DataFrame({"a": ["u", "v"] * 10, "b": range(20), "y": ["p", "p", "q", "q"] * 5})
    problem = prepare(frame, ["a", "b"], target="y", labelled=True)
    rivals = entrants(
        technique_of("naive_bayes"), "Naive Bayes", KNeighborsClassifier(), problem, 0
    )
    refusals = {rival.slug: rival.refusal for rival in rivals}
    assert refusals["svm"] == "It needs numbers, and has names in a."
    assert refusals["decision_tree"] == ""
    holes = prepare(
        load("iris").frame.mask(lambda frame: frame == 1.4), ["petal_length"], holes="keep"
    )
    assert np.isnan(holes.X).any()
    refusals = refusals_of(holes)
    assert "missing" in refusals["knn"]
    assert refusals["naive_bayes"] == ""


def test_of_very_many_rows_a_sample_is_compared():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(5000, 2)), columns=["a", "b"])
    problem = prepare(frame, ["a", "b"])
    rows = compared_rows(problem, 1)
    assert len(rows.X) == MAX_ROWS
    assert len(set(rows.rows.tolist())) == MAX_ROWS
    np.testing.assert_array_equal(rows.X, compared_rows(problem, 1).X)
    assert compared_rows(iris(), 0).X.shape == (150, 2)


def entry(title_class, losses, is_own=False):
    entrant = Entrant("knn", "", title_class(), is_own)
    return entrant, Scores({"error": 0.0}, {"error": np.array(losses)})


def board(*entries):
    rows = iris(labelled=True)
    return Leaderboard(rows, Benchmark("classes", rows.data, rows.y), entries)


A = [0.1, 0.2, 0.1, 0.0, 0.2, 0.1, 0.1, 0.2, 0.0, 0.1]
B = [0.2, 0.2, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.0, 0.2]


def test_the_test_is_that_of_nadeau_and_bengio():
    # By hand: the mean difference is 0.04, its variance (0.06 − 0.4² / 10) / 9, times 1/10 + 1/9.
    t = 0.04 / np.sqrt((0.06 - 0.016) / 9 * (1 / 10 + 1 / 9))
    p = 2 * stats.t.sf(t, 9)
    assert round(100 * p) == 24
    table = board(entry(KNeighborsClassifier, B, True), entry(KMeans, A)).differences()
    assert table["Technique"].tolist() == ["k-means", "k nearest neighbours"]
    np.testing.assert_allclose(table["Less the best"], [0, 4])
    np.testing.assert_allclose(table["p, against the best"], [np.nan, p])
    np.testing.assert_allclose(table["Less this page"], [-4, 0])
    sentence = board(entry(KNeighborsClassifier, B, True), entry(KMeans, A)).verdict()
    assert sentence == (
        "On these 150 rows, k-means and k nearest neighbours differ by 4.0 points in the mean of 10"
        " folds. If both were equally good, chance alone would give at least that much in 24 of 100"
        " repetitions: the folds do not tell them apart."
    )


def test_what_does_not_vary_has_no_test():
    same = board(entry(KNeighborsClassifier, A, True), entry(KMeans, A)).verdict()
    assert same.endswith("have the same mean error in 10 folds.")
    shifted = board(entry(KNeighborsClassifier, np.array(A) + 0.1, True), entry(KMeans, A))
    assert shifted.verdict().endswith("in each of 10 folds: there is no spread to test.")
    assert board(entry(KMeans, A)).verdict() == ""


def test_pictures_are_of_the_answers():
    rows = iris(labelled=True)
    benchmark = benchmark_of(rows, "classes", 0)
    scores = benchmark.score(KNeighborsClassifier(5))
    link = Thumbnails(rows, "classes", COLORS).link(scores)
    assert link.startswith("data:image/svg+xml;utf8,")
    assert all(f"%23{color[1:]}" in link for color in COLORS)
    assert Thumbnails(rows, "classes", COLORS).link(Scores(reason="No.")) is None


def test_equal_clusters_have_equal_colours_whatever_their_numbers():
    rows = iris()
    labels = np.repeat([0, 1, 2], 50)
    thumbnails = Thumbnails(rows, "clusters", COLORS, labels)
    swapped = np.array([2, 0, 1])[labels]
    assert thumbnails.link(Scores(answer=swapped)) == thumbnails.link(Scores(answer=labels))
    halves = np.repeat([5, 7, -1, 7, 5], 30)
    assert thumbnails.link(Scores(answer=halves)) != thumbnails.link(Scores(answer=labels))
    noise = np.full(150, -1)
    assert thumbnails.link(Scores(answer=noise)) is not None


@pytest.fixture(scope="module")
def tree_page():
    return sound(visit("decision_tree", tab("decision_tree"), data="iris", seed="3"))


def test_the_table_of_classifiers(tree_page):
    techniques, differences = tables(tree_page)
    names = techniques["Technique"].tolist()
    assert "Decision tree (this page)" in names
    assert {"Naive Bayes", "C-SVM", "Multilayer perceptron", "Perceptron"} <= set(names)
    assert "Compared on 105 rows; the test set stays out." in texts(tree_page)
    errors = techniques["Error"].dropna()
    assert errors.is_monotonic_increasing
    assert techniques["Error"].dtype == float
    by_name = techniques.set_index("Technique")
    assert "binary" in by_name.loc["Perceptron", "Note"]
    assert by_name.loc["C-SVM", "Note"].startswith("Its page tells one class from all others")
    assert (by_name["Training error"] <= by_name["Error"])["Decision tree (this page)"]
    assert differences["p, against the best"].dropna().between(0, 1).all()
    assert "If both were equally good" in texts(tree_page) or "same mean error" in texts(tree_page)


def test_what_was_scored_is_not_scored_again(tree_page):
    with mock.patch("ui.leaderboard.engine.map") as again:
        before = tables(tree_page)[0]
        pd.testing.assert_frame_equal(tables(tree_page.run())[0], before)
        again.assert_not_called()


def test_it_can_be_stopped_and_gone_on_with():
    page = visit("kmeans", source="library", data="iris")
    session_of(page).stopped_sweeps.add("leaderboard")
    page = open_part(page, **tab("kmeans"))
    assert "Stopped." in texts(page)
    assert tables(page)[0].empty
    page = page.button(key="leaderboard.start").click().run()
    techniques = tables(sound(page))[0]
    assert techniques["Technique"][0] == "k-means (this page)"
    assert "Stopped." not in texts(page)
    assert len(techniques) == sum(
        target == "clusters" for slug in CATALOGUE for target in targets(slug).values()
    )
    assert techniques["Rand index"].notna().all()
    assert "there is no best" in texts(page)


MOONS = {"source": "generator", "generator": "moons", "moons.noise": "0.25"}
ADDRESS = ("generator", "moons.noise", "gaussian_mixture.n_components", "pin")


def click(page, row):
    """Click on a row of the table of techniques."""
    states = page._tree.get_widget_states()
    selection = {"rows": [], "columns": [], "cells": [[row, "Technique"]]}
    content = json.dumps({"selection": selection})
    states.widgets.append(WidgetState(id=page.dataframe[0].proto.id, string_value=content))
    return page._run(states)


def test_a_click_opens_the_page_on_these_data_beside_this_run():
    page = visit("kmeans", tab("kmeans"), **MOONS, **{"kmeans.n_clusters": "4"})
    names = tables(page)[0]["Technique"].tolist()
    own = click(page, names.index("k-means (this page)"))
    assert session_of(own).slug == "kmeans"
    page = sound(click(page, names.index("Gaussian mixture")))
    session = session_of(page)
    assert session.slug == "gaussian_mixture"
    assert warnings(page) == []
    link = {name: "".join(page.query_params[name]) for name in ADDRESS}
    assert link["gaussian_mixture.n_components"] == "4"
    assert link["generator"] == "moons"
    assert link["moons.noise"] == "0.25"
    pin = Pin.parse(link["pin"])
    assert pin.technique.slug == "kmeans"
    assert pin.settings.text("kmeans.n_clusters") == "4"


def test_a_click_opens_the_data_with_which_this_page_began():
    with watched_runs() as runs:
        page = visit("kernel_kmeans", tab("kernel_kmeans"))
        rows = runs[-1].problem.X
        names = tables(page)[0]["Technique"].tolist()
        page = sound(click(page, names.index("Mean shift")))
        assert session_of(page).slug == "mean_shift"
        np.testing.assert_array_equal(runs[-1].problem.X, rows)


def test_a_click_forgets_what_the_other_page_was_set_to():
    page = visit("dbscan", **{"data": "iris", "source": "library", "dbscan.eps": "0.9"})
    assert session_of(page).settings.text("dbscan.eps") == "0.9"
    page.switch_page("pages/kmeans.py")
    page = open_part(page, **tab("kmeans"))
    names = tables(page)[0]["Technique"].tolist()
    page = sound(click(page, names.index("DBSCAN")))
    assert session_of(page).slug == "dbscan"
    assert session_of(page).settings.text("dbscan.eps") is None


def test_the_readers_own_file_is_compared_and_taken_along():
    page = upload("kmeans", "own.csv", HAND)
    page = open_part(page, **tab("kmeans"))
    names = tables(sound(page))[0]["Technique"].tolist()
    assert "Compared on 24 rows." in texts(page)
    page = sound(click(page, names.index("k-medoids")))
    assert session_of(page).slug == "kmedoids"
    assert "".join(page.query_params["source"]) == "upload"
    assert "own.csv · x × y · 24 rows" in plain(texts(page))


def test_regressions_are_compared_in_the_unit_of_the_target():
    page = sound(visit("linear_regression", tab("linear_regression"), data="mtcars"))
    techniques, differences = tables(page)
    assert techniques["RMSE"].notna().sum() > 8
    assert "in units of mpg" in texts(page)
    assert len(differences) == techniques["RMSE"].notna().sum()
