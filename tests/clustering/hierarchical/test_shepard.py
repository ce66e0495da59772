import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist
from sklearn.datasets import load_iris

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.figures.shepard import plot_shepard, shepard_data

X = load_iris().data


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "centroid", "ward"])
def test_pairs_and_correlation_are_scipys(linkage):
    data = shepard_data(AgglomerativeClustering(linkage=linkage).fit(X[::5]), X[::5])
    correlation, heights = hierarchy.cophenet(hierarchy.linkage(X[::5], linkage), pdist(X[::5]))
    assert data.distances == pytest.approx(pdist(X[::5]))
    assert np.sort(data.heights) == pytest.approx(np.sort(heights))
    assert data.correlation == pytest.approx(correlation, rel=1e-6)
    assert data.n_pairs == len(heights)


def test_of_many_pairs_a_sample_is_drawn_and_it_is_said():
    data = shepard_data(AgglomerativeClustering().fit(X), X, max_pairs=100)
    assert (len(data.distances), data.n_pairs) == (100, 150 * 149 // 2)
    assert data.correlation == AgglomerativeClustering().fit(X).cophenetic_correlation(X)
    figure = plot_shepard(data)
    assert "of the 11175 pairs" in figure.layout.title.text.replace("<br>", " ").replace(
        "</span> ", " "
    ).replace('<span style="font-size:12px">', "")
    assert [len(trace.x) for trace in figure.data] == [100, 2]


def test_equal_rows_have_no_correlation():
    X = np.ones((5, 2))
    figure = plot_shepard(shepard_data(AgglomerativeClustering().fit(X), X))
    assert "No correlation" in figure.layout.title.text
