"""Code books by scikit-learn's k-means; the codes of the other methods by SciPy."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run


def measures(
    rows: Floats, codebook: Floats, labels: NDArray[Any], image: Floats, patch: int
) -> Any:
    """Return a code book with its error and size."""
    from dmlib.clustering.codes import fidelity

    values = fidelity(rows, labels, codebook, image.shape, patch)._asdict()
    return {f"{name}_": value for name, value in values.items()} | {
        "codebook_": codebook,
        "labels_": labels,
        "inertia_": ((rows - codebook[labels]) ** 2).sum(),
    }


def fit_code_book(
    image: Floats, model: VectorQuantizer, n_clusters: int, patch: int, max_iter: int, tol: float
) -> Answers:
    """Fit scikit-learn's KMeans to the patches, from the same starting codes."""
    from sklearn.cluster import KMeans

    from dmlib.clustering.codes import patches
    from dmlib.comparison import Answers

    rows = patches(image, patch)
    start = [step.codebook for step in model.steps(image) if step.phase == "seed"][-1]
    kmeans = KMeans(n_clusters, init=start, n_init=1, max_iter=max_iter, tol=tol).fit(rows)
    values = measures(rows, kmeans.cluster_centers_, kmeans.labels_, image, patch)
    return Answers("sklearn.cluster.KMeans", values)


def code_pixels(image: Floats, codebook: Floats) -> Answers:
    """Code the pixels by our code book with SciPy."""
    from scipy.cluster.vq import vq

    from dmlib.clustering.codes import patches
    from dmlib.comparison import Answers

    rows = patches(image, 1)
    values = measures(rows, codebook, vq(rows, codebook)[0], image, 1)
    note = "scikit-learn and SciPy have no LVQ and no self-organising map: the codes are ours."
    return Answers("scipy.cluster.vq.vq", values, note)


def vector_quantisation_reference(
    run: Run[Any, VectorQuantizer | SelfOrganizingMap | LVQ],
) -> Reference:
    """Return the same code book by scikit-learn, or the codes of the run's code book by SciPy."""
    model = run.model
    if not isinstance(model, VectorQuantizer):
        return Reference(code_pixels, "X", "model.codebook_", helpers=(measures,))
    names = ("n_clusters", "patch", "max_iter", "tol")
    params = {name: getattr(model, name) for name in names}
    return Reference(fit_code_book, "X", "model", helpers=(measures,), **params)
