import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons

from dmlib.clustering import KMeans, SpectralClustering, graph_cuts
from dmlib.clustering.spectral.figures.cuts_compared import cuts_compared_data, plot_cuts_compared

MOONS, SIDES = make_moons(80, noise=0.05, random_state=0)


@pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalised"])
@pytest.mark.parametrize("affinity", ["rbf", "knn"])
def test_each_partition_is_measured_on_the_same_graph(laplacian, affinity):
    model = SpectralClustering(
        2, affinity=affinity, gamma=20, laplacian=laplacian, random_state=0
    ).fit(MOONS)
    data = cuts_compared_data(model, MOONS, SIDES)
    assert data.names == (
        "random walk",
        "symmetric",
        "unnormalised",
        "k-means",
        "known classes",
        "one row alone",
    )
    W = model.affinity_matrix_
    partitions = {
        data.names[data.current]: model.labels_,
        "k-means": KMeans(2, n_init=10, random_state=0).fit(MOONS).labels_,
        "known classes": SIDES,
    }
    for name, labels in partitions.items():
        assert data.cuts[data.names.index(name)].cut == graph_cuts(W, labels).cut
    assert data.names[data.current] == laplacian.replace("_", " ")
    assert data.cuts[-1].sizes.tolist() == [79, 1]
    cuts = [graph_cuts(W, np.arange(80) == i).cut for i in range(80)]
    assert data.cuts[-1].cut == pytest.approx(min(cuts))


def test_without_classes_there_is_no_bar_for_them():
    X, _ = make_blobs(30, random_state=0)
    model = SpectralClustering(3, gamma=0.1, random_state=0).fit(X)
    data = cuts_compared_data(model, X)
    assert "known classes" not in data.names
    figure = plot_cuts_compared(data)
    assert [len(bars.y) for bars in figure.data] == [5, 5, 5]
    assert list(figure.data[2].x) == [cuts.normalized_cut for cuts in data.cuts]
    assert figure.data[0].y[0] == "random walk (3)"
