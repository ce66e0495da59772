from .blocks import counted
from .generator import make_table
from .itemsets import frequent_itemsets
from .kmeans import KMeans
from .linear_regression import LinearRegression
from .mini_batch import MiniBatchKMeans
from .naive_bayes import NaiveBayes
from .profile import LargeColumn, LargeProfile, profile
from .sampling import sample
from .source import Source, open_table

__all__ = [
    "KMeans",
    "LargeColumn",
    "LargeProfile",
    "LinearRegression",
    "MiniBatchKMeans",
    "NaiveBayes",
    "Source",
    "counted",
    "frequent_itemsets",
    "make_table",
    "open_table",
    "profile",
    "sample",
]
