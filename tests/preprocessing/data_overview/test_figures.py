"""The figures of a table: their numbers, their limits and their notes on omitted parts."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr

from dmlib.datasets import load
from dmlib.preprocessing.data_overview.figures.box_plots import box_plots_data, plot_box_plots
from dmlib.preprocessing.data_overview.figures.correlation_matrix import (
    correlation_matrix_data,
    plot_correlation_matrix,
)
from dmlib.preprocessing.data_overview.figures.data_matrix import data_matrix_data, plot_data_matrix
from dmlib.preprocessing.data_overview.figures.distance_matrix import (
    distance_matrix_data,
    plot_distance_matrix,
)
from dmlib.preprocessing.data_overview.figures.distributions import (
    distributions_data,
    plot_distributions,
)
from dmlib.preprocessing.data_overview.figures.parallel_coordinates import (
    parallel_coordinates_data,
    plot_parallel_coordinates,
)
from dmlib.preprocessing.data_overview.figures.radar import (
    plot_radar,
    plot_stars,
    radar_data,
    star_data,
)
from dmlib.preprocessing.data_overview.figures.scatter import plot_scatter
from dmlib.preprocessing.data_overview.figures.scatter_3d import plot_columns_3d
from dmlib.preprocessing.data_overview.figures.scatter_matrix import (
    plot_scatter_matrix,
    scatter_matrix_data,
)
from dmlib.preprocessing.data_overview.figures.table_view import table_view
from dmlib.problem import prepare


def problem_of(name):
    table = load(name)
    return prepare(table.frame, list(table.frame.columns), target=table.target, holes="keep")


PENGUINS, IRIS = problem_of("penguins"), problem_of("iris")
LARGE = prepare(
    pd.DataFrame(np.random.default_rng(0).normal(size=(3000, 70))).add_prefix("c"),
    [f"c{j}" for j in range(70)],
)
HOSTILE = prepare(
    pd.DataFrame({name: [1.0, 2.0, 4.0, 3.0] for name in ("<b>a</b>", "$x$", "%{z}")}),
    ["<b>a</b>", "$x$", "%{z}"],
)
FIGURES = {
    "distributions": lambda p: plot_distributions(
        distributions_data(p), "sturges", len(p.features)
    ),
    "boxes": lambda p: plot_box_plots(box_plots_data(p), len(p.features)),
    "scatter": lambda p: plot_scatter(p, 2, 1),
    "scatter matrix": lambda p: plot_scatter_matrix(scatter_matrix_data(p, 1)),
    "parallel": lambda p: plot_parallel_coordinates(parallel_coordinates_data(p, 1)),
    "data matrix": lambda p: plot_data_matrix(data_matrix_data(p)),
    "distances": lambda p: plot_distance_matrix(distance_matrix_data(p)),
    "radar": lambda p: plot_radar(radar_data(p, 1)),
    "stars": lambda p: plot_stars(star_data(p, 1)),
    "correlation": lambda p: plot_correlation_matrix(correlation_matrix_data(p)),
}


def words(figure):
    return " ".join(re.sub(r"<[^>]+>", " ", figure.layout.title.text).split())


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("problem", [PENGUINS, IRIS, HOSTILE], ids=["penguins", "iris", "hostile"])
def test_each_figure_is_drawn(name, problem):
    figure = FIGURES[name](problem)
    assert figure.data
    assert "<b>" not in figure.to_json()


@pytest.mark.parametrize(
    "name", [name for name in FIGURES if name not in ("distributions", "boxes", "correlation")]
)
def test_of_a_large_table_a_stated_part_is_drawn(name):
    figure = FIGURES[name](LARGE)
    assert len(figure.to_json()) < 1_500_000
    assert re.search(r"of (the )?3000 rows", words(figure))


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "scatter"])
def test_of_many_columns_a_stated_number_is_drawn(name):
    assert "of 70 " in words(FIGURES[name](LARGE))


def test_a_view_keeps_the_selected_row():
    view = table_view(LARGE, max_rows=50, max_columns=3, selected=1234)
    assert len(view.rows) == 50
    assert view.rows[view.selected] == 1235
    assert "50 of the 3000 rows" in view.note


def test_counts_are_those_of_the_table():
    data = {column.name: column for column in distributions_data(PENGUINS)}
    assert dict(zip(data["island"].names, data["island"].counts, strict=True)) == {
        "Biscoe": 168,
        "Dream": 124,
        "Torgersen": 52,
    }
    assert data["sex"].n_missing == 11
    masses = load("penguins").frame["body_mass_g"].dropna()
    np.testing.assert_array_equal(data["body_mass_g"].counts, np.histogram(masses, "sturges")[0])


def test_boxes_are_percentiles_and_tukeys():
    pair = {pair.name: pair for pair in box_plots_data(problem_of("airquality"))}["ozone"]
    x = load("airquality").frame["ozone"].dropna()
    assert (pair.percentile.low, pair.percentile.high) == pytest.approx(
        tuple(x.quantile([0.1, 0.9]))
    )
    high = x.quantile(0.75) + 1.5 * (x.quantile(0.75) - x.quantile(0.25))
    assert pair.tukey.high == x[x <= high].max()
    assert pair.tukey.beyond.tolist() == [135, 168]
    with pytest.raises(ValueError, match="needs numbers"):
        box_plots_data(problem_of("weather_nominal"))


def test_distances_are_gowers():
    numeric = prepare(load("iris").frame, ["sepal_length", "petal_width"])
    data = distance_matrix_data(numeric)
    X = (numeric.X - numeric.X.min(axis=0)) / np.ptp(numeric.X, axis=0)
    np.testing.assert_allclose(data.distances, cdist(X, X, "cityblock") / 2, atol=1e-12)
    assert np.isnan(data.between)
    grouped = distance_matrix_data(IRIS)
    assert grouped.within < grouped.between
    assert len(grouped.distances) == 150


def test_rows_without_a_common_column_have_no_distance():
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [np.nan, 2.0, 1.0]})
    distances = distance_matrix_data(prepare(frame, ["a", "b"], holes="keep")).distances
    assert np.isnan(distances[0, 1])
    assert distances[0, 2] == 1


@pytest.mark.parametrize("measure", ["pearson", "spearman", "covariance"])
def test_correlations_are_those_of_pandas_with_holes(measure):
    frame = load("airquality").frame
    data = correlation_matrix_data(problem_of("airquality"), measure)
    expected = frame.cov() if measure == "covariance" else frame.corr(measure)
    np.testing.assert_allclose(data.values, expected, rtol=1e-9, atol=1e-12)


def test_ranks_without_holes():
    X = load("iris").frame.iloc[:, :4]
    np.testing.assert_allclose(
        correlation_matrix_data(IRIS, "spearman").values, spearmanr(X).statistic
    )


def test_the_data_matrix_is_sorted_and_standardised():
    data = data_matrix_data(IRIS)
    X = load("iris").frame.iloc[:, :4]
    np.testing.assert_allclose(data.scores, (X - X.mean()) / X.std(), atol=1e-9)
    assert data.classes == (("setosa", 50), ("versicolor", 100), ("virginica", 150))


def test_radar_has_the_means_and_the_selected_row():
    data = radar_data(IRIS, 70)
    X = IRIS.X[:, :4]
    unit = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    np.testing.assert_allclose(
        data.radii[:3], [unit[IRIS.y == code].mean(axis=0) for code in range(3)]
    )
    assert data.labels[-1] == "row 71"
    np.testing.assert_allclose(data.radii[-1], unit[70])


def test_stars_are_of_all_classes_and_start_with_the_selected_row():
    data = star_data(IRIS, 70)
    assert data.labels[0] == "row 71"
    assert len(data.labels) == 24
    assert set(data.codes) == {0, 1, 2}


def test_a_scatter_plot_needs_another_column_of_numbers():
    with pytest.raises(ValueError, match="holds names"):
        plot_scatter(PENGUINS, 0)
    with pytest.raises(ValueError, match="two numeric columns"):
        plot_scatter(prepare(load("iris").frame, ["sepal_length"]), 0)


def test_scatter_tells_covariance_and_correlation():
    figure = plot_scatter(problem_of("anscombe"), 0)
    titles = [annotation.text for annotation in figure.layout.annotations]
    assert "y1<br>cov 5.501, r 0.816" in titles
    assert "x4<br>cov −5.5, r −0.500" in titles


def test_three_columns_in_space():
    column = PENGUINS.features.index("body_mass_g")
    figure = plot_columns_3d(PENGUINS, column)
    axes = figure.layout.scene
    assert axes.xaxis.title.text == "body_mass_g"
    assert axes.yaxis.title.text == "bill_length_mm"
    assert axes.zaxis.title.text == "bill_depth_mm"
    assert [trace.name for trace in figure.data] == ["Adelie", "Chinstrap", "Gentoo"]
    rows = np.concatenate([trace.customdata for trace in figure.data])
    weights = np.concatenate([trace.x for trace in figure.data])
    expected = PENGUINS.X[np.searchsorted(PENGUINS.rows, rows - 1), column]
    np.testing.assert_array_equal(weights, expected)
    # Two of the 344 penguins were not measured.
    assert len(rows) == 342
    title = re.sub("<[^>]*>", " ", figure.layout.title.text)
    assert "2 with missing values are not drawn." in " ".join(title.split())


def test_space_needs_three_numeric_columns():
    with pytest.raises(ValueError, match="three numeric columns, and the number here is 2"):
        plot_columns_3d(prepare(load("iris").frame, ["sepal_length", "sepal_width"]), 0)
