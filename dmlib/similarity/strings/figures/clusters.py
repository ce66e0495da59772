"""The strings clustered by their kernel."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.evenly import evenly
from dmlib.pictures.run import Run
from dmlib.problem import TextsProblem
from dmlib.similarity import kernel_figures
from dmlib.similarity.strings.string_kernel import StringKernel

MAX_STRINGS = 40


def clusters(run: Run[TextsProblem, Any]) -> go.Figure:
    """Draw the run's strings by its kernel, or else by the spectrum kernel."""
    model = run.model if isinstance(run.model, StringKernel) else StringKernel(normalize=True)
    n = len(run.problem.texts)
    note = f"{MAX_STRINGS} of {n} strings, evenly spaced." if n > MAX_STRINGS else ""
    return kernel_figures.plot_kernel_clusters(clusters_data(model, run.problem), "strings", note)


def clusters_data(model: StringKernel, problem: TextsProblem) -> kernel_figures.KernelClusters:
    """Cluster the strings, some of many, by a kernel.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> texts = prepare_texts(["aab", "aac", "bbc", "bbd"], classes=["a", "a", "b", "b"])
    >>> clusters_data(StringKernel(k=2, normalize=True), texts).agreement
    1.0
    """
    rows = evenly(len(problem.texts), MAX_STRINGS)
    texts = [problem.texts[row] for row in rows]
    K = clone(model).set_params(first=1, second=min(2, len(texts))).fit(texts).matrix_
    codes = [] if problem.y is None else problem.y[rows].tolist()
    classes = [str(problem.classes[code]) for code in codes]
    return kernel_figures.kernel_clusters_data(K, [problem.names[row] for row in rows], classes)
