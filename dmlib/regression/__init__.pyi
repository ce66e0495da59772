from .linear_regression.algorithm import LinearRegression
from .linear_regression.inference import Inference, Influence, influence
from .linear_regression.solvers import LinearRegressionStep
from .ridge_lasso.algorithm import ElasticNet, Lasso, PenaltyStep, Ridge, soft_threshold
from .ridge_lasso.paths import CrossValidation, Path, coefficient_path, cross_validate, lasso_path

__all__ = [
    "CrossValidation",
    "ElasticNet",
    "Inference",
    "Influence",
    "Lasso",
    "LinearRegression",
    "LinearRegressionStep",
    "Path",
    "PenaltyStep",
    "Ridge",
    "coefficient_path",
    "cross_validate",
    "influence",
    "lasso_path",
    "soft_threshold",
]
