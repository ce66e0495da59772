"""The list of pages: what the navigation, the gallery and the course tracks know of each technique."""

from __future__ import annotations

from dataclasses import dataclass

FAMILIES = (
    "Data",
    "Dimension",
    "Classification",
    "Neural networks",
    "Regression",
    "Clustering",
    "Association",
    "Evaluation",
    "Large data",
)
"""The families of techniques, in the order of the courses."""


@dataclass(frozen=True)
class Entry:
    """One page.

    Attributes
    ----------
    slug : str
        Name of the page's file, lesson, picture and link.
    title : str
        The technique's usual name.
    family : str
        One of ``FAMILIES``.
    summary : str
        One sentence on what one can see there.
    words : str
        Further words under which the search finds it.
    nominal : bool
        Whether it can use nominal columns.
    """

    slug: str
    title: str
    family: str
    summary: str
    words: str = ""
    nominal: bool = False


CATALOGUE = {
    entry.slug: entry
    for entry in (
        Entry(
            "kmeans",
            "k-means",
            "Clustering",
            "Centres and clusters pull each other into place, half-step by half-step, while the squared error falls.",
            "lloyd k-means++ centroid SSE elbow silhouette voronoi partition",
        ),
        Entry(
            "kmeans_variants",
            "Bisecting k-means, X-means",
            "Clustering",
            "Clusters split in two, and a criterion decides which split is kept and when there are enough.",
            "bisecting x-means xmeans BIC number of clusters divisive",
        ),
        Entry(
            "roc",
            "ROC and other curves of a threshold",
            "Evaluation",
            "A threshold falls through the sorted scores, and ROC, precision-recall, gains and profit move with it.",
            "AUC lift gains profit cost iso-performance precision recall sensitivity specificity threshold deciles",
            nominal=True,
        ),
    )
}
"""All pages by slug, in the order in which they are shown."""
