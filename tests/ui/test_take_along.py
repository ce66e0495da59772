"""A prepared table goes along: the next page has it as its data, and the code makes the same."""

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.problem import prepare, transformed
from tests.visit import (
    open_part,
    reopened,
    sentences_of,
    session_of,
    sound,
    stage,
    takes_tables,
    visit,
)
from ui.take_along import NEXT

ALL = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
IRIS = {
    "source": "library",
    "data": "iris",
    "iris.features": ALL,
    "pca.n_components": "2",
    "scaling": "z-score",
}
TAB = {"pca.tab": "Take along"}


def table_taken_along(page):
    return session_of(page).prepared


def test_all_pages_where_one_goes_on_take_tables():
    assert all(takes_tables(slug) for slug in NEXT)


def test_the_next_page_has_the_prepared_table():
    page = visit("pca", TAB, **IRIS)
    assert "150 rows and 3 columns" in " ".join(each.value for each in page.caption)
    page.selectbox(key="taken.to").set_value("kmeans")
    page.button(key="taken.go").click().run()
    table = table_taken_along(page).table
    assert (table.name, table.target, list(table.frame)) == (
        "prepared",
        "species",
        ["pca0", "pca1", "species"],
    )
    X = load("iris").frame[list(load("iris").numeric)].to_numpy()
    scores = PCA(2).fit_transform((X - X.mean(0)) / X.std(0, ddof=1))
    np.testing.assert_allclose(table.frame[["pca0", "pca1"]], scores, atol=1e-12)
    assert page.query_params["source"] == "prepared"
    assert stage(sound(page))["panels"][0]["x"]["label"].startswith("pca0")
    assert "Iris, prepared by Principal components" in " ".join(each.value for each in page.caption)


def test_the_code_makes_the_same_table():
    page = visit("pca", TAB, **IRIS)
    page.button(key="taken.go").click().run()
    names = {}
    exec(table_taken_along(page).code, names)
    pd.testing.assert_frame_equal(names["table"].frame, table_taken_along(page).table.frame)
    assert names["table"].kinds == table_taken_along(page).table.kinds


@pytest.mark.parametrize(
    ("slug", "method", "data"),
    [
        ("discretisation", "Intervals", "weather_numeric"),
        ("discretisation", "Bits", "weather_numeric"),
        ("factorisation", "SVD", "penguins"),
        ("factorisation", "NMF", "penguins"),
        ("transformation", "Scaling", "penguins"),
        ("transformation", "Sampling", "penguins"),
        ("transformation", "Aggregation", "penguins"),
        ("missing_values", "", "penguins"),
    ],
)
def test_the_code_of_each_page_that_prepares_makes_the_same_table(slug, method, data):
    link = {f"{slug}.method": method} if method else {}
    page = sound(visit(slug, {f"{slug}.tab": "Take along"}, source="library", data=data, **link))
    page.button(key="taken.go").click().run()
    names = {}
    exec(table_taken_along(page).code, names)
    pd.testing.assert_frame_equal(names["table"].frame, table_taken_along(page).table.frame)
    assert names["table"].kinds == table_taken_along(page).table.kinds
    assert sentences_of(sound(page)) == []


def test_a_link_to_a_prepared_table_says_where_it_is_made():
    page = sound(visit("kmeans", source="prepared"))
    (sentence,) = sentences_of(page)
    assert "No table was prepared in this session" in sentence
    assert "Prepared" not in visit("kmeans").button_group(key="source").options


def test_a_table_that_goes_along_again_loses_what_was_chosen_for_the_one_before():
    page = visit("pca", TAB, **IRIS)
    page.button(key="taken.go").click().run()
    page = open_part(page.switch_page("pages/pca.py").run(), **{"columns.open": True})
    page.multiselect(key="prepared.features").set_value(["pca0", "pca1"]).run()
    assert session_of(page).settings.get("prepared.features") == ()  # these are the default
    page.multiselect(key="prepared.features").set_value(["pca1", "pca0"]).run()
    assert session_of(page).settings.get("prepared.features") == ("pca1", "pca0")
    first = table_taken_along(page).code
    page = open_part(page, **TAB)
    page.button(key="taken.go").click().run()
    assert session_of(page).settings.get("prepared.features") == ()
    assert table_taken_along(page).code.count("PCA(") == 1 + first.count("PCA(")


def test_rows_with_holes_are_left_out_where_the_transformer_takes_none():
    frame = pd.DataFrame(
        {"a": [0.0, 1.0, 2.0, 4.0], "b": [0.0, 1.0, 3.0, 2.0], "pca0": list("wxyz")}
    )
    problem = prepare(frame, ["a", "b"], scaling="min-max")
    model = PCA(1).fit(problem.X)
    prepared = transformed(problem, frame.assign(a=frame["a"].where(np.arange(4) < 3)), model)
    assert list(prepared) == ["pca0_", "pca0"]
    assert len(prepared) == 3
    with pytest.raises(ValueError, match="Every row has a missing value"):
        transformed(problem, frame.assign(a=np.nan), model)


def test_the_link_of_a_page_with_a_prepared_table_opens():
    page = visit("pca", TAB, **IRIS)
    page.button(key="taken.go").click().run()
    following = sound(page.switch_page("pages/svm.py").run())
    assert sentences_of(following) == []
    assert sentences_of(sound(reopened(following)))
