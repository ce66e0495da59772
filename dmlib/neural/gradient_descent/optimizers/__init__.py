"""The optimisers, each in a file of its own."""

from dmlib.neural.gradient_descent.optimizers.adagrad import AdaGrad
from dmlib.neural.gradient_descent.optimizers.adam import Adam
from dmlib.neural.gradient_descent.optimizers.coordinate import CoordinateDescent
from dmlib.neural.gradient_descent.optimizers.gradient import Gradient
from dmlib.neural.gradient_descent.optimizers.momentum import Momentum
from dmlib.neural.gradient_descent.optimizers.nesterov import Nesterov
from dmlib.neural.gradient_descent.optimizers.newton import Newton
from dmlib.neural.gradient_descent.optimizers.optimizer import Optimizer
from dmlib.neural.gradient_descent.optimizers.rmsprop import RMSProp

OPTIMIZERS: dict[str, type[Optimizer]] = {
    "gradient": Gradient,
    "momentum": Momentum,
    "nesterov": Nesterov,
    "adagrad": AdaGrad,
    "rmsprop": RMSProp,
    "adam": Adam,
    "newton": Newton,
    "coordinate": CoordinateDescent,
}
"""All optimisers by their names in :class:`dmlib.neural.GradientDescent`."""

BY_SLOPE = ("gradient", "momentum", "nesterov")
"""Those whose rate multiplies a gradient."""
BY_LENGTH = ("adagrad", "rmsprop", "adam")
"""Those whose rate is a length in the units of the variables."""

BY_CURVATURE = ("newton", "coordinate")
"""Those whose rate is a fraction of the step to the minimum of a quadratic function."""

__all__ = ["BY_CURVATURE", "BY_LENGTH", "BY_SLOPE", "OPTIMIZERS"]
