from .linear_regression.algorithm import LinearRegression
from .linear_regression.inference import Inference, Influence, influence
from .linear_regression.solvers import LinearRegressionStep

__all__ = ["Inference", "Influence", "LinearRegression", "LinearRegressionStep", "influence"]
