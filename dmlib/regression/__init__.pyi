from .knn_tree_regression.algorithm import DecisionTreeRegressor
from .knn_tree_regression.bag_step import BagStep
from .knn_tree_regression.chaid_tree import CHAIDRegressor
from .knn_tree_regression.forest import BaggingRegressor, RandomForestRegressor
from .knn_tree_regression.model_tree import ModelTree
from .knn_tree_regression.neighbors import KNeighborsRegressor, NeighborhoodStep
from .knn_tree_regression.tree import RegressionTree, TreeStep
from .linear_regression.absolute_deviations import AbsoluteStep, LeastAbsoluteDeviations, Turn
from .linear_regression.algorithm import LinearRegression
from .linear_regression.inference import Inference, Influence, influence
from .linear_regression.least_mean_squares import LeastMeanSquares, LeastMeanSquaresStep
from .linear_regression.several_targets import TargetsStep
from .linear_regression.solvers import LinearRegressionStep
from .pcr.algorithm import ComponentStep, PLSRegression, PrincipalComponentRegression
from .polynomial_regression.algorithm import PolynomialRegression, PolynomialStep
from .polynomial_regression.curve import CurveErrors
from .polynomial_regression.local_regression import LocalRegression, LocalStep
from .polynomial_regression.natural_spline import NaturalSpline, SplineStep
from .ridge_lasso.algorithm import ElasticNet, Lasso, Ridge
from .ridge_lasso.path import Path, PathErrors, cross_validated_path, regularization_path
from .ridge_lasso.penalty import PenaltyStep

__all__ = [
    "AbsoluteStep",
    "BagStep",
    "BaggingRegressor",
    "CHAIDRegressor",
    "ComponentStep",
    "CurveErrors",
    "DecisionTreeRegressor",
    "ElasticNet",
    "Inference",
    "Influence",
    "KNeighborsRegressor",
    "Lasso",
    "LeastAbsoluteDeviations",
    "LeastMeanSquares",
    "LeastMeanSquaresStep",
    "LinearRegression",
    "LinearRegressionStep",
    "LocalRegression",
    "LocalStep",
    "ModelTree",
    "NaturalSpline",
    "NeighborhoodStep",
    "PLSRegression",
    "Path",
    "PathErrors",
    "PenaltyStep",
    "PolynomialRegression",
    "PolynomialStep",
    "PrincipalComponentRegression",
    "RandomForestRegressor",
    "RegressionTree",
    "Ridge",
    "SplineStep",
    "TargetsStep",
    "TreeStep",
    "Turn",
    "cross_validated_path",
    "influence",
    "regularization_path",
]
