from .linear_regression.algorithm import LinearRegression
from .linear_regression.inference import Inference, Influence, influence
from .linear_regression.solvers import LinearRegressionStep
from .pcr.algorithm import ComponentStep, PLSRegression, PrincipalComponentRegression
from .ridge_lasso.algorithm import ElasticNet, Lasso, Ridge
from .ridge_lasso.path import Path, PathErrors, cross_validated_path, regularization_path
from .ridge_lasso.penalty import PenaltyStep

__all__ = [
    "ComponentStep",
    "ElasticNet",
    "Inference",
    "Influence",
    "Lasso",
    "LinearRegression",
    "LinearRegressionStep",
    "PLSRegression",
    "Path",
    "PathErrors",
    "PenaltyStep",
    "PrincipalComponentRegression",
    "Ridge",
    "cross_validated_path",
    "influence",
    "regularization_path",
]
