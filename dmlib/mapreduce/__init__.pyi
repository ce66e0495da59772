from .algorithm import (
    DecisionTreeJob,
    FrequentItemsetsJob,
    KMeansJob,
    MapReduceStep,
    MatrixVectorJob,
    NaiveBayesJob,
    WordCountJob,
)

__all__ = [
    "DecisionTreeJob",
    "FrequentItemsetsJob",
    "KMeansJob",
    "MapReduceStep",
    "MatrixVectorJob",
    "NaiveBayesJob",
    "WordCountJob",
]
