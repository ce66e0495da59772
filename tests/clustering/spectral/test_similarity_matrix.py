import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from dmlib.clustering import SpectralClustering, graph_cuts
from dmlib.clustering.spectral.figures.similarity_matrix import (
    plot_similarity_matrix,
    similarity_matrix_data,
)

X, Y = make_blobs([20, 15, 10], 2, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)


@pytest.mark.parametrize("affinity", ["rbf", "knn"])
def test_clusters_are_squares(affinity):
    model = SpectralClustering(3, affinity=affinity, n_neighbors=12, random_state=0).fit(X)
    W, labels = model.affinity_matrix_, model.labels_
    data = similarity_matrix_data(W, labels)
    assert np.diff([0, *data.ends]).tolist() == np.bincount(labels).tolist()
    assert data.weights == pytest.approx(data.weights.T)
    dense = W.toarray() if sparse.issparse(W) else W
    assert data.weights.sum() == pytest.approx(dense.sum() - np.trace(dense))
    cuts = graph_cuts(W, labels)
    assert data.inside == pytest.approx(1 - 2 * cuts.cut / cuts.volumes.sum())


def test_a_large_matrix_is_thinned_and_it_is_said():
    W = np.ones((400, 400))
    labels = np.repeat([0, 1], [300, 100])
    data = similarity_matrix_data(W, labels)
    assert data.weights.shape == (150, 150)
    assert data.ends[0] == pytest.approx(112, abs=1)
    figure = plot_similarity_matrix(data)
    assert "150 of the 400 rows" in figure.layout.title.text.replace("</span><br>", " ").replace(
        '<span style="font-size:12px">', ""
    )
    assert figure.data[0].z.dtype == np.uint8
    assert len(figure.layout.shapes) == 2
