"""How people write the names of options, which in code are lower-case words."""

from __future__ import annotations

SPELLING = {
    # metrics and kernels
    "euclidean": "Euclidean",
    "manhattan": "Manhattan",
    "chebyshev": "Chebyshev",
    "minkowski": "Minkowski",
    "mahalanobis": "Mahalanobis",
    "hamming": "Hamming",
    "gower": "Gower",
    "rbf": "RBF",
    "poly": "polynomial",
    "laplacian": "Laplacian",
    "epsilon": "ε",
    # trees
    "gini": "Gini",
    "g2": "G²",
    "chi2": "χ²",
    "ort": "ORT",
    "dkm": "DKM",
    "ks": "Kolmogorov-Smirnov",
    "auc": "AUC",
    "chaid": "CHAID",
    "quest": "QUEST",
    "c45": "C4.5",
    "mdl": "MDL",
    "cost_complexity": "cost-complexity",
    "error_complexity": "error-complexity",
    "error_based": "error-based",
    # methods
    "svd": "SVD",
    "pca": "PCA",
    "lda": "LDA",
    "newton": "Newton",
    "gd": "gradient descent",
    "sgd": "SGD",
    "adam": "Adam",
    "adagrad": "AdaGrad",
    "rmsprop": "RMSProp",
    "kmeans": "k-means",
    "ward": "Ward",
    "pam": "PAM",
    "fasterpam": "FasterPAM",
    "clara": "CLARA",
    "build": "BUILD",
    "samme": "SAMME",
    "m1": "AdaBoost.M1",
    "naive_bayes": "naive Bayes",
    "knn": "k nearest neighbours",
    "svm": "support vector machine",
    "lda_classifier": "discriminant analysis",
    "qda": "quadratic discriminants",
    "adaboost": "AdaBoost",
    "zero_r": "ZeroR",
    "gaussian": "Gaussian",
    "diag": "diagonal",
    "cross_validation": "cross-validation",
    # networks
    "relu": "ReLU",
    "glorot": "Glorot",
    "he": "He",
    "lecun": "LeCun",
    "hebb": "Hebb",
    "storkey": "Storkey",
    "pseudo_inverse": "pseudo-inverse",
    # sequences
    "levenshtein": "Levenshtein",
    "damerau": "Damerau-Levenshtein",
    "lcs": "longest common subsequence",
    "needleman-wunsch": "Needleman-Wunsch",
    "smith-waterman": "Smith-Waterman",
    "sakoe-chiba": "Sakoe-Chiba",
    "itakura": "Itakura",
    # graphs and pictures
    "weisfeiler-lehman": "Weisfeiler-Lehman",
    "dijkstra": "Dijkstra",
    "pagerank": "PageRank",
    "floyd-steinberg": "Floyd-Steinberg",
    # tests and measures
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "fdr_bh": "Benjamini-Hochberg",
    "zhangs_metric": "Zhang's metric",
    "kulczynski": "Kulczynski",
}


def spelt(option: str) -> str:
    """Return an option as people write it.

    Examples
    --------
    >>> spelt("rbf"), spelt("random_walk")
    ('RBF', 'random walk')
    """
    return SPELLING.get(option, option.replace("_", " "))
