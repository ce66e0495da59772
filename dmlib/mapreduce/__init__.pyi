from .algorithm import (
    FrequentItemsetsJob,
    KMeansJob,
    MapReduceStep,
    MatrixVectorJob,
    NaiveBayesJob,
    WordCountJob,
)

__all__ = [
    "FrequentItemsetsJob",
    "KMeansJob",
    "MapReduceStep",
    "MatrixVectorJob",
    "NaiveBayesJob",
    "WordCountJob",
]
