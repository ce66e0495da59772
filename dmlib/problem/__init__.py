"""Problems, the input of algorithms, one class for each kind of data."""

from dmlib.problem.bags import BagsProblem, prepare_bags, words_of
from dmlib.problem.baskets import BasketsProblem, prepare_baskets
from dmlib.problem.columns import LARGEST, SENTENCES, Holes, Scaling, by_name, codes_of
from dmlib.problem.digits import DigitsProblem, prepare_digits
from dmlib.problem.graph import GraphProblem, graph_names, prepare_graph
from dmlib.problem.image import ImageProblem, prepare_image
from dmlib.problem.interfaces import AnyProblem, HasClasses, HasFeatures, with_names
from dmlib.problem.lines import LinesProblem, prepare_lines
from dmlib.problem.loss import LossProblem, prepare_loss
from dmlib.problem.network import NetworkProblem, prepare_network
from dmlib.problem.patterns import PatternsProblem, prepare_patterns
from dmlib.problem.preparation import prepare
from dmlib.problem.series import SeriesProblem, prepare_series, prepare_series_pair
from dmlib.problem.surface import SurfaceProblem, prepare_surface
from dmlib.problem.table import JITTER, Problem, Query
from dmlib.problem.target import MAX_CLASSES
from dmlib.problem.texts import TextsProblem, prepare_texts
from dmlib.problem.transformed import transformed
from dmlib.problem.view import Plane, plane

__all__ = [
    "JITTER",
    "LARGEST",
    "MAX_CLASSES",
    "SENTENCES",
    "AnyProblem",
    "BagsProblem",
    "BasketsProblem",
    "DigitsProblem",
    "GraphProblem",
    "HasClasses",
    "HasFeatures",
    "Holes",
    "ImageProblem",
    "LinesProblem",
    "LossProblem",
    "NetworkProblem",
    "PatternsProblem",
    "Plane",
    "Problem",
    "Query",
    "Scaling",
    "SeriesProblem",
    "SurfaceProblem",
    "TextsProblem",
    "by_name",
    "codes_of",
    "graph_names",
    "plane",
    "prepare",
    "prepare_bags",
    "prepare_baskets",
    "prepare_digits",
    "prepare_graph",
    "prepare_image",
    "prepare_lines",
    "prepare_loss",
    "prepare_network",
    "prepare_patterns",
    "prepare_series",
    "prepare_series_pair",
    "prepare_surface",
    "prepare_texts",
    "transformed",
    "with_names",
    "words_of",
]
