"""The same code book by scikit-learn's k-means from the same start; of the other methods, the codes by SciPy."""

from __future__ import annotations

from typing import Any

from dmlib.clustering.codes import fidelity, patches
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.comparison import Answers
from dmlib.pictures.run import Run

NOTE = (
    "scikit-learn and SciPy have neither LVQ nor self-organising maps: SciPy codes the pixels by"
    " our code book, but does not learn one."
)


def start_of(model: VectorQuantizer, rows: Any) -> Any:
    """Return the codes that a run starts from."""
    seeds = [step for step in KMeans._steps(model, rows) if step.phase == "seed"]
    return seeds[-1].centers


def answers(rows: Any, codebook: Any, labels: Any, image: Any, patch: int) -> dict[str, Any]:
    """Return what is compared, of a code book and codes that a library found."""
    distortion = float(((rows - codebook[labels]) ** 2).sum())
    found = fidelity(rows, labels, codebook, image.shape, patch)
    measures = {f"{name}_": value for name, value in found._asdict().items()}
    return {"codebook_": codebook, "inertia_": distortion} | measures


def vector_quantisation_reference(run: Run) -> Any:
    """Return scikit-learn's k-means from the same start, or SciPy's codes by the code book of the run."""
    (image,) = run.problem.arguments
    if isinstance(run.model, VectorQuantizer):
        from sklearn.cluster import KMeans as Theirs

        model, rows = run.model, patches(image, run.model.patch)
        theirs = Theirs(model.n_clusters, init=start_of(model, rows), n_init=1, algorithm="lloyd")
        theirs.set_params(max_iter=model.max_iter, tol=model.tol).fit(rows)
        found = answers(rows, theirs.cluster_centers_, theirs.labels_, image, model.patch)
        return Answers("sklearn.cluster.KMeans", found)
    from scipy.cluster.vq import vq

    codebook, rows = run.fitted.codebook_, patches(image, 1)
    return Answers(
        "scipy.cluster.vq.vq", answers(rows, codebook, vq(rows, codebook)[0], image, 1), NOTE
    )


def vector_quantisation_code(run: Run) -> str:
    """Return code that makes ``reference`` for ``X``, after ``model``."""
    imports = """
from types import SimpleNamespace

from dmlib.clustering.codes import patches
from dmlib.clustering.vector_quantisation.reference import answers, start_of
"""
    if isinstance(run.model, VectorQuantizer):
        return f"""
# The same with scikit-learn, from the same start{imports}from sklearn.cluster import KMeans

rows = patches(X, {run.model.patch})
theirs = KMeans({run.model.n_clusters}, init=start_of(model, rows), n_init=1, algorithm="lloyd")
theirs.set_params(max_iter={run.model.max_iter}, tol={run.model.tol!r}).fit(rows)
found = answers(rows, theirs.cluster_centers_, theirs.labels_, X, {run.model.patch})
reference = SimpleNamespace(**found)
"""
    return f"""
# SciPy codes the pixels by the code book of model{imports}from scipy.cluster.vq import vq

rows = patches(X, 1)
reference = SimpleNamespace(**answers(rows, model.codebook_, vq(rows, model.codebook_)[0], X, 1))
"""
