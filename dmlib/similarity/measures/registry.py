"""The exported measures with their titles: as distances of rows, and as coefficients of bags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dmlib.similarity.measures import measures

DISTANCES: Mapping[Callable[..., Any], str] = {
    measures.euclidean: "Euclidean",
    measures.manhattan: "Manhattan",
    measures.chebyshev: "Chebyshev",
    measures.minkowski: "Minkowski",
    measures.mahalanobis: "Mahalanobis",
    measures.canberra: "Canberra",
}
SIMILARITIES: Mapping[Callable[..., Any], str] = {
    measures.jaccard: "Jaccard",
    measures.dice: "Dice",
    measures.overlap: "overlap",
    measures.smc: "simple matching",
    measures.cosine: "cosine",
    measures.squared_cosine: "cosine²",
    measures.pearson: "correlation",
    measures.tanimoto: "Tanimoto",
}
COEFFICIENTS: Mapping[str, str] = {
    function.__name__: title
    for function, title in SIMILARITIES.items()
    if function not in (measures.pearson, measures.squared_cosine)
}
"""The titles of the coefficients of two bags, by name."""
METRICS: Mapping[str, str] = {
    **{function.__name__: title for function, title in DISTANCES.items()},
    "gower": "Gower",
    **{
        function.__name__: f"1 − {SIMILARITIES[function]}"
        for function in (
            measures.cosine,
            measures.squared_cosine,
            measures.pearson,
            measures.smc,
            measures.jaccard,
            measures.dice,
            measures.overlap,
        )
    },
}
"""The titles of the distances of two rows, by name; of a similarity it is 1 minus its value."""
