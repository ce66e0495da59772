"""Six MapReduce jobs as estimators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from dmlib.mapreduce.base import MapReduceStep, _MapReduce
from dmlib.mapreduce.documented import documented
from dmlib.mapreduce.jobs import (
    FrequentCandidates,
    Job,
    KMeans,
    Line,
    MatrixVector,
    NaiveBayes,
    WordCount,
    point,
)
from dmlib.mapreduce.ranges import support_ranges
from dmlib.mapreduce.tree_jobs import LevelCounts, vocabulary
from dmlib.params import Integer, Number, Param, Ranges

__all__ = [
    "DecisionTreeJob",
    "FrequentItemsetsJob",
    "KMeansJob",
    "MapReduceStep",
    "MatrixVectorJob",
    "NaiveBayesJob",
    "WordCountJob",
]


@documented
class WordCountJob(_MapReduce):
    """Count words: a mapper emits (word, 1), and the reducers add.

    Words are in small letters; digits and signs within a word belong to it.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    %(notes)s

    References
    ----------
    %(references)s

    Examples
    --------
    >>> model = WordCountJob(n_splits=2).fit(["to be or not", "to be"])
    >>> model.result_
    {'be': 2, 'not': 1, 'or': 1, 'to': 2}
    """

    def _job(self, lines: Sequence[Line]) -> Job:
        return WordCount()


@documented
class MatrixVectorJob(_MapReduce):
    """Multiply a matrix by a vector: a mapper emits (row, product), and the reducers add.

    A line is a row. If it holds numbers, the vector is (1, 2, 3, ...). A text is the row of the
    counts of its words, and the vector has the number of letters of each word: the product is the
    number of letters of each text.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    %(notes)s

    References
    ----------
    %(references)s
    J. Leskovec, A. Rajaraman and J. Ullman (2020), Mining of massive datasets, section 2.3.1.

    Examples
    --------
    >>> MatrixVectorJob(n_splits=2).fit(["1 2", "3 4"]).result_
    {'row1': 5.0, 'row2': 11.0}
    """

    def _job(self, lines: Sequence[Line]) -> Job:
        return MatrixVector()


@documented
class NaiveBayesJob(_MapReduce):
    """Train naive Bayes: a mapper emits (class, 1) and (class|word, 1), and the reducers add.

    These counts are all that the multinomial model needs; in a table of names, "column=value" is a
    word.

    Parameters
    ----------
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    %(notes)s

    References
    ----------
    %(references)s
    C.-T. Chu et al. (2006), Map-reduce for machine learning on multicore. NIPS, section 4.

    Examples
    --------
    >>> model = NaiveBayesJob(n_splits=2).fit(["sunny hot", "rain", "sunny"], ["no", "yes", "yes"])
    >>> model.result_["yes"], model.result_["yes|sunny"]
    (2, 1)
    """

    def _job(self, lines: Sequence[Line]) -> Job:
        if len({kind for _, _, kind in lines}) < 2:
            raise ValueError(
                "Naive Bayes needs classes, and these lines have none. Choose data with two classes"
                " or more."
            )
        return NaiveBayes()


@documented
class KMeansJob(_MapReduce):
    """Cluster with k-means, an iteration a round: mappers assign points, reducers update centres.

    A mapper emits (cluster, coordinates and a 1); the sum of these is all that a reducer needs for
    the mean. A line is a point: its numbers or, of a text, the letters a word and the words a
    sentence. The first distinct points are the first centres.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters.
    max_iter : int, default=2
        The maximum number of iterations; without a centre that moves, there are fewer.
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    A cluster without a point keeps its centre, and has no value in the result of that iteration.

    %(notes)s

    References
    ----------
    %(references)s
    W. Zhao, H. Ma and Q. He (2009), Parallel k-means clustering based on MapReduce. CloudCom.

    Examples
    --------
    >>> KMeansJob(2, n_splits=2).fit(["0 0", "10 10", "0 2", "10 12"]).result_
    {'cluster1': (0.0, 1.0), 'cluster2': (10.0, 11.0)}
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 100, shown=(2, 6)),
        "max_iter": Integer(1, 50, shown=(1, 4)),
        **_MapReduce.PARAMS,
    }

    def __init__(
        self,
        n_clusters: int = 3,
        max_iter: int = 2,
        *,
        n_splits: int = 6,
        n_reducers: int = 3,
        combiner: bool = True,
        partitioner: str = "hash",
        n_workers: int = 3,
        speed: float = 1000.0,
        bandwidth: float = 2000.0,
        slowdown: float = 1.0,
        speculation: bool = False,
        failure: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        super().__init__(
            n_splits=n_splits,
            n_reducers=n_reducers,
            combiner=combiner,
            partitioner=partitioner,
            n_workers=n_workers,
            speed=speed,
            bandwidth=bandwidth,
            slowdown=slowdown,
            speculation=speculation,
            failure=failure,
        )

    def _job(self, lines: Sequence[Line]) -> Job:
        points = [point(text) for _, text, _ in lines]
        if len(set(map(len, points))) > 1:
            raise ValueError(
                "The lines do not hold equally many numbers, so they are no points. Choose other"
                " data."
            )
        centers = tuple(dict.fromkeys(points))[: self.n_clusters]
        if len(centers) < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} needs as many distinct points, but there are"
                f" {len(centers)}. Choose at most {len(centers)} clusters."
            )
        return KMeans(centers, self.max_iter)


@documented
class FrequentItemsetsJob(_MapReduce):
    """Find frequent item sets in two rounds: candidates of the splits, and their counts in all.

    A line is a basket, and its words are the items. An item set that is frequent in all baskets is
    frequent in at least one split, so that none is missed.

    Parameters
    ----------
    min_support : float, default=0.8
        The minimum fraction of baskets that contain a frequent item set.
    max_length : int, default=2
        The maximum number of items in an item set.
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    The result has the number of baskets of each item set, whose items are in alphabetical order.

    %(notes)s

    References
    ----------
    %(references)s
    A. Savasere, E. Omiecinski and S. Navathe (1995), An efficient algorithm for mining association
    rules in large databases. VLDB.

    Examples
    --------
    >>> FrequentItemsetsJob(0.6, n_splits=2).fit(["tea milk", "tea", "tea milk"]).result_
    {'milk': 2, 'milk tea': 2, 'tea': 3}
    """

    RANGES: ClassVar[Ranges] = staticmethod(support_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "min_support": Number(1e-6, 1.0, shown=(0.4, 1.0), step=0.01),
        "max_length": Integer(1, 6, shown=(1, 3)),
        **_MapReduce.PARAMS,
    }

    def __init__(
        self,
        min_support: float = 0.8,
        max_length: int = 2,
        *,
        n_splits: int = 6,
        n_reducers: int = 3,
        combiner: bool = True,
        partitioner: str = "hash",
        n_workers: int = 3,
        speed: float = 1000.0,
        bandwidth: float = 2000.0,
        slowdown: float = 1.0,
        speculation: bool = False,
        failure: int | None = None,
    ) -> None:
        self.min_support = min_support
        self.max_length = max_length
        super().__init__(
            n_splits=n_splits,
            n_reducers=n_reducers,
            combiner=combiner,
            partitioner=partitioner,
            n_workers=n_workers,
            speed=speed,
            bandwidth=bandwidth,
            slowdown=slowdown,
            speculation=speculation,
            failure=failure,
        )

    def _job(self, lines: Sequence[Line]) -> Job:
        return FrequentCandidates(len(lines), self.min_support, self.max_length)


@documented
class DecisionTreeJob(_MapReduce):
    """Grow a decision tree, a level a round: mappers count, and the counts choose the splits.

    A line is a row, "column=value" for each column; of texts, the columns are the 20 words that
    most lines have, each with the values yes and no. A mapper finds the node of its row and emits
    (node|column=value|class, 1); from the sums, each node takes the column of the largest
    information gain, with a branch for each value, as ID3 does. The last round counts the classes
    in the leaves.

    Parameters
    ----------
    max_depth : int, default=3
        The depth of the tree: the maximum number of rounds before the last one.
    %(parameters)s

    Attributes
    ----------
    %(attributes)s

    Notes
    -----
    The result has the number of rows of each class in each leaf, which is named by its tests. A
    node that gains nothing is a leaf; of equal gains the first column by name wins.

    %(notes)s

    References
    ----------
    %(references)s
    B. Panda, J. Herbach, S. Basu and R. Bayardo (2009), PLANET: massively parallel learning of tree
    ensembles with MapReduce. VLDB.

    Examples
    --------
    >>> lines = ["windy=no humid=no", "windy=yes humid=no", "windy=no humid=yes"]
    >>> DecisionTreeJob(n_splits=2).fit(lines, ["play", "play", "stay"]).result_
    {'humid=no|play': 2, 'humid=yes|stay': 1}
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "max_depth": Integer(1, 50, shown=(1, 6)),
        **_MapReduce.PARAMS,
    }

    def __init__(
        self,
        max_depth: int = 3,
        *,
        n_splits: int = 6,
        n_reducers: int = 3,
        combiner: bool = True,
        partitioner: str = "hash",
        n_workers: int = 3,
        speed: float = 1000.0,
        bandwidth: float = 2000.0,
        slowdown: float = 1.0,
        speculation: bool = False,
        failure: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        super().__init__(
            n_splits=n_splits,
            n_reducers=n_reducers,
            combiner=combiner,
            partitioner=partitioner,
            n_workers=n_workers,
            speed=speed,
            bandwidth=bandwidth,
            slowdown=slowdown,
            speculation=speculation,
            failure=failure,
        )

    def _job(self, lines: Sequence[Line]) -> Job:
        if len({kind for _, _, kind in lines}) < 2:
            raise ValueError(
                "A tree needs classes, and these lines have none. Choose data with two classes or"
                " more."
            )
        return LevelCounts(self.max_depth, vocabulary([text for _, text, _ in lines]))
