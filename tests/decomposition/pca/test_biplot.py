import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.biplot import (
    MAX_ARROWS,
    biplot_data,
    plot_biplot,
    plot_loadings,
    plot_scores_3d,
)
from dmlib.problem import prepare

IRIS = load("iris").frame
COLUMNS = list(IRIS.columns[:4])


def iris(**options):
    return prepare(IRIS, COLUMNS, target="species", **options)


@pytest.mark.parametrize("scaling", ["none", "z-score", "min-max"])
def test_correlations_are_those_of_columns_and_scores(scaling):
    problem = iris(scaling=scaling)
    data = biplot_data(PCA().fit(problem.X), problem)
    correlations = np.corrcoef(data.scores.T, problem.X.T)[:4, 4:]
    assert_allclose(data.correlations, correlations, atol=1e-12)
    assert_allclose((data.correlations**2).sum(axis=0), 1)


def test_loadings_give_the_covariance_matrix_back():
    problem = iris()
    data = biplot_data(PCA().fit(problem.X), problem)
    assert_allclose(data.loadings.T @ data.loadings, np.cov(problem.X.T))


def test_a_constant_column_has_no_correlation():
    frame = IRIS.assign(petal_width=1.0)
    problem = prepare(frame, COLUMNS)
    assert_allclose(biplot_data(PCA(2).fit(problem.X), problem).correlations[:, 3], 0)


def test_points_and_arrows_of_the_biplot():
    problem = iris()
    data = biplot_data(PCA(2).fit(problem.X), problem)
    figure = plot_biplot(data)
    assert [trace.name for trace in figure.data] == list(problem.classes)
    assert_allclose(np.concatenate([trace.x for trace in figure.data]), data.scores[:, 0])
    arrows = [note for note in figure.layout.annotations if note.showarrow is not False]
    ends = np.array([(arrow.x, arrow.y) for arrow in arrows])
    order = [note.text for note in figure.layout.annotations if note.showarrow is False]
    loadings = data.loadings.T[[COLUMNS.index(name) for name in order]]
    assert_allclose(ends / loadings, np.full_like(loadings, (ends / loadings)[0, 0]))
    assert np.abs(ends[:, 0]).max() <= np.abs(data.scores[:, 0]).max()


def test_only_the_longest_arrows_of_many_columns():
    wine = load("wine").frame
    problem = prepare(wine, list(wine.columns[:13]), scaling="z-score")
    figure = plot_biplot(biplot_data(PCA().fit(problem.X), problem))
    assert len(figure.layout.annotations) == 2 * MAX_ARROWS
    assert f"the {MAX_ARROWS} longest" in figure.layout.title.text.replace("<br>", " ")


@pytest.mark.parametrize("k", [1, 2, 3])
def test_components_that_are_not_kept_are_empty_axes(k):
    problem = iris()
    data = biplot_data(PCA(k).fit(problem.X), problem)
    flat = plot_biplot(data)
    assert (flat.layout.yaxis.title.text == "not kept") == (k < 2)
    space = plot_scores_3d(data)
    assert (space.layout.scene.zaxis.title.text == "not kept") == (k < 3)
    assert (np.concatenate([trace.z for trace in space.data]) == 0).all() == (k < 3)


def test_names_stay_text():
    frame = IRIS.rename(columns={"sepal_length": "<b>x</b>"})
    problem = prepare(frame, ["<b>x</b>", "petal_width"])
    data = biplot_data(PCA().fit(problem.X), problem)
    assert "<b>" not in str([note.text for note in plot_biplot(data).layout.annotations])
    table = plot_loadings(data).data[0]
    assert table.y[0].startswith("&lt;b")
    assert_allclose(table.z, data.correlations.T)
