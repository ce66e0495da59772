import numpy as np
import pytest
from scipy.cluster import hierarchy
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.figures.tree_sweep import (
    MAX_CLUSTERS,
    plot_tree_sweep,
    tree_sweep_data,
)

X, _ = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], cluster_std=0.7, random_state=0)


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_heights_gaps_and_silhouettes(linkage):
    model = AgglomerativeClustering(linkage=linkage).fit(X)
    data = tree_sweep_data(model, X, 3)
    tree = hierarchy.linkage(X, linkage)
    assert data.k.tolist() == list(range(1, MAX_CLUSTERS + 1))
    assert data.heights[1:] == pytest.approx(tree[::-1, 2][: MAX_CLUSTERS - 1])
    assert data.gaps[1:] == pytest.approx(
        tree[::-1, 2][: MAX_CLUSTERS - 1] - tree[::-1, 2][1:MAX_CLUSTERS]
    )
    assert (data.widest, data.highest, data.current) == (4, 4, 3)
    for k in (2, 4, 7):
        labels = hierarchy.fcluster(tree, k, "maxclust")
        assert data.silhouettes[k - 1] == pytest.approx(silhouette_score(X, labels))


def test_figure_marks_the_suggestions():
    data = tree_sweep_data(AgglomerativeClustering().fit(X), X, 3)
    figure = plot_tree_sweep(data)
    heights, silhouettes = figure.data
    assert list(heights.marker.symbol).index("star") == 4 - 2
    assert list(silhouettes.marker.symbol).index("star") == 4 - 1
    assert figure.layout.shapes[0].x0 == 3


@pytest.mark.parametrize(
    "X", [np.ones((6, 2)), np.array([[0.0], [1.0]])], ids=["equal rows", "two rows"]
)
def test_small_and_equal_data(X):
    data = tree_sweep_data(AgglomerativeClustering(1).fit(X), X, 1)
    assert plot_tree_sweep(data).layout.title.text
