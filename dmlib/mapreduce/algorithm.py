"""MapReduce jobs as estimators: they run for real, and their schedule on a cluster of choice is told step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.mapreduce.documented import documented
from dmlib.mapreduce.execution import Round, rounds
from dmlib.mapreduce.jobs import (
    FrequentCandidates,
    Job,
    KMeans,
    Line,
    MatrixVector,
    NaiveBayes,
    Value,
    WordCount,
    point,
)
from dmlib.mapreduce.simulation import Attempt, Cluster, simulate
from dmlib.params import Choice, Flag, Integer, Number, Param, check_params

__all__ = [
    "FrequentItemsetsJob",
    "KMeansJob",
    "MapReduceStep",
    "MatrixVectorJob",
    "NaiveBayesJob",
    "WordCountJob",
]


@dataclass(frozen=True)
class MapReduceStep:
    """What ends at a moment of the schedule.

    Attributes
    ----------
    phase : {"split", "map", "combine", "shuffle", "reduce", "backup", "fail", "lost", "done"}
        What happens: the input is cut, a task or a transfer ends, a worker dies, the job is done.
    time : float
        Seconds since the start.
    attempt : Attempt or None
        What ends.
    round : Round
        The round that it belongs to.
    schedule : tuple of Attempt
        The whole schedule, the same in all steps.
    rounds : tuple of Round
        All rounds, the same in all steps.
    n_keys, n_emitted, n_shuffled : int or None
        At the end: the keys of the result, the pairs that the mappers emitted, and those that left them.
    makespan : float or None
        At the end: the seconds that the job takes.
    """

    phase: str
    time: float
    attempt: Attempt | None
    round: Round
    schedule: tuple[Attempt, ...]
    rounds: tuple[Round, ...]
    n_keys: int | None = None
    n_emitted: int | None = None
    n_shuffled: int | None = None
    makespan: float | None = None


class _MapReduce(BaseEstimator):
    """What all jobs have in common."""

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_splits": Integer(1, 64, shown=(1, 12)),
        "n_reducers": Integer(1, 32, shown=(1, 6)),
        "combiner": Flag(),
        "partitioner": Choice(("hash", "range")),
        "n_workers": Integer(1, 32, shown=(1, 6)),
        "speed": Number(1.0, 1e9, shown=(100.0, 10_000.0), log=True),
        "bandwidth": Number(1.0, 1e12, shown=(100.0, 1e6), log=True),
        "slowdown": Number(1.0, 100.0, shown=(1.0, 10.0), step=0.5),
        "speculation": Flag(),
        "failure": Integer(1, 99, shown=(5, 95), none="no worker fails"),
    }

    def __init__(
        self,
        *,
        n_splits: int = 6,
        n_reducers: int = 3,
        combiner: bool = True,
        partitioner: str = "hash",
        n_workers: int = 3,
        speed: float = 1000.0,
        bandwidth: float = 10_000.0,
        slowdown: float = 1.0,
        speculation: bool = False,
        failure: int | None = None,
    ) -> None:
        self.n_splits = n_splits
        self.n_reducers = n_reducers
        self.combiner = combiner
        self.partitioner = partitioner
        self.n_workers = n_workers
        self.speed = speed
        self.bandwidth = bandwidth
        self.slowdown = slowdown
        self.speculation = speculation
        self.failure = failure

    def fit(self, X: Iterable[str], y: Iterable[Any] | None = None) -> Self:
        """Run the job on lines of text ``X``; ``y`` has their classes, where the job needs them."""
        *_, end = self.steps(X, y)
        self.keys_ = sorted(end.round.result)
        self.result_: dict[str, Value] = {key: end.round.result[key] for key in self.keys_}
        self.values_: NDArray[np.float64] = np.array([self.result_[key] for key in self.keys_], float)
        self.n_keys_, self.n_emitted_, self.n_shuffled_ = end.n_keys, end.n_emitted, end.n_shuffled
        self.makespan_ = end.makespan
        self.rounds_, self.schedule_ = end.rounds, end.schedule
        return self

    def steps(self, X: Iterable[str], y: Iterable[Any] | None = None) -> Iterator[MapReduceStep]:
        """Run the job, and yield what ends on its cluster, in the order of time."""
        check_params(self.PARAMS, self.get_params())
        if self.failure is not None and self.n_workers == 1:
            raise ValueError("The only worker fails, and nobody is left for its tasks. Choose two workers or more.")
        lines = _lines(X, y)
        how = {name: getattr(self, name) for name in ("n_splits", "n_reducers", "combiner", "partitioner")}
        done = tuple(rounds(self._job(lines), lines, **how))
        yield from self._told(done, self.scheduled(done))

    def scheduled(self, done: Sequence[Round], n_workers: int | None = None) -> tuple[Attempt, ...]:
        """Return the schedule of what was done, on other numbers of workers too."""
        workers = n_workers or self.n_workers
        cluster = Cluster(workers, self.speed, self.bandwidth, self.slowdown, self.speculation)
        schedule = simulate(done, cluster, combiner=self.combiner)
        if self.failure is None or workers == 1:
            return schedule
        when = self.failure / 100 * schedule[-1].end
        failing = Cluster(workers, self.speed, self.bandwidth, self.slowdown, self.speculation, when)
        return simulate(done, failing, combiner=self.combiner)

    def _job(self, lines: Sequence[Line]) -> Job:
        raise NotImplementedError

    def _told(self, done: tuple[Round, ...], schedule: tuple[Attempt, ...]) -> Iterator[MapReduceStep]:
        yield MapReduceStep("split", 0.0, None, done[0], schedule, done)
        for attempt in schedule:
            for phase in self._phases(attempt):
                yield MapReduceStep(phase, attempt.end, attempt, done[attempt.round], schedule, done)
        maps = [task for each in done for task in each.maps]
        yield MapReduceStep(
            "done",
            schedule[-1].end,
            None,
            done[-1],
            schedule,
            done,
            len(done[-1].result),
            sum(task.n_emitted for task in maps),
            int(sum(task.sent.sum() for task in maps)),
            schedule[-1].end,
        )

    def _phases(self, attempt: Attempt) -> tuple[str, ...]:
        if attempt.outcome == "lost":
            return ("lost",)
        if attempt.outcome == "stopped":
            return ("backup",)
        return ("map", "combine") if attempt.kind == "map" and self.combiner else (attempt.kind,)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags


def _lines(X: Iterable[str], y: Iterable[Any] | None) -> list[Line]:
    texts = [X] if isinstance(X, str) else [str(text) for text in X]
    if not texts:
        raise ValueError("There are no lines. Give at least one.")
    kinds = [""] * len(texts) if y is None else [str(kind) for kind in y]
    if len(kinds) != len(texts):
        raise ValueError(f"There are {len(texts)} lines, but {len(kinds)} classes. Give one class for each line.")
    return [(i, text, kind) for i, (text, kind) in enumerate(zip(texts, kinds, strict=True))]


@documented
class WordCountJob(_MapReduce):
    """Count how often each word occurs: a mapper emits (word, 1), and the reducers add.

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
    """Multiply a matrix by a vector: a mapper emits (row, element times element), and the reducers add by row.

    A line is a row. If it holds numbers, the vector is (1, 2, 3, ...). A text is the row of the counts of its words,
    and the vector has the letters of each word: the product is the letters of each text.

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

    These counts are all that the multinomial model needs; in a table of names, "column=value" is a word.

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
                "Naive Bayes learns classes, and these lines have none. Choose data with two classes or more."
            )
        return NaiveBayes()


@documented
class KMeansJob(_MapReduce):
    """Cluster with k-means, one iteration a job: mappers assign points to the nearest centre, reducers move centres.

    A mapper emits (cluster, coordinates and a 1); the sum of these is all that a reducer needs for the mean. A line is
    a point: its numbers or, of a text, the letters a word and the words a sentence. The first distinct points are
    the first centres.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters.
    max_iter : int, default=2
        At most so many iterations are run; without a centre that moves, fewer.
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
        bandwidth: float = 10_000.0,
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
            raise ValueError("The lines do not hold equally many numbers, so they are no points. Choose other data.")
        centers = tuple(dict.fromkeys(points))[: self.n_clusters]
        if len(centers) < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} needs as many distinct points, but there are {len(centers)}. "
                f"Choose at most {len(centers)} clusters."
            )
        return KMeans(centers, self.max_iter)


@documented
class FrequentItemsetsJob(_MapReduce):
    """Find frequent item sets in two rounds: candidates are frequent in some split, and are then counted in all.

    A line is a basket, and its words are the items. An item set that is frequent in all baskets is frequent in one
    split at least, so no frequent one is missed.

    Parameters
    ----------
    min_support : float, default=0.8
        The share of baskets that must contain a frequent item set.
    max_length : int, default=2
        The largest number of items in an item set.
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
    A. Savasere, E. Omiecinski and S. Navathe (1995), An efficient algorithm for mining association rules in large
    databases. VLDB.

    Examples
    --------
    >>> FrequentItemsetsJob(0.6, n_splits=2).fit(["tea milk", "tea", "tea milk"]).result_
    {'milk': 2, 'milk tea': 2, 'tea': 3}
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "min_support": Number(1e-6, 1.0, shown=(0.5, 1.0), step=0.01),
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
        bandwidth: float = 10_000.0,
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
