"""The multilayer perceptron for numbers: a curve, a surface, or several at once."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin

from dmlib.arrays import Floats
from dmlib.neural.mlp.network import COMMON, MAX_NUMBER, Network
from dmlib.neural.mlp.targets import Targets
from dmlib.params import Flag, Param
from dmlib.squares import centred, r_squared, standard_deviations


class MLPRegressor(RegressorMixin, Network):
    r"""Learn numbers with layers of units: a curve over one column, a surface over two.

    The output units, one for each number of a row, are linear, and half the sum of their squared
    errors is to be small. Hidden layers bend and join pieces; several numbers share them.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int, default=(6, 4)
        The number of units of each hidden layer; empty for none, which is linear regression.
    activation : {"sigmoid", "tanh", "relu", "softplus", "identity"}, default="tanh"
        The activation function of hidden units. With identity all layers together are one linear
        layer.
    solver : {"sgd", "adagrad", "rmsprop", "adam"}, default="sgd"
        How a gradient becomes an update: as it is, with momentum, or divided by the root of earlier
        squared gradients.
    learning_rate : float, default=0.1
        The factor of each update. Too large, the weights grow without bound.
    decay : float, default=0.0
        In epoch t, counted from 0, the learning rate is divided by 1 + decay t.
    momentum : float, default=0.9
        The fraction of the last update that is added to the next one.
    alpha : float, default=0.0
        Weight decay: alpha / 2 times the sum of squared weights, over the rows of the batch, is
        added to the loss.
    dropout : float, default=0.0
        The fraction of hidden units that are dropped, drawn anew for each row while the network
        learns.
    batch_size : int, default=32
        The number of rows whose mean a gradient is. With 1, each row updates the weights.
    max_iter : int, default=100
        The number of epochs: passes through all rows.
    shuffle : bool, default=True
        Whether the rows come in a new random order in each epoch.
    early_stopping : bool, default=False
        Whether a part of the training rows is set aside for validation, and the weights of the
        epoch with the smallest loss on them are used.
    validation_fraction : float, default=0.2
        The fraction of the training rows that early stopping sets aside.
    n_iter_no_change : int, default=20
        After so many epochs without a smaller validation loss early stopping ends the run.
    init : {"glorot", "he", "lecun", "normal", "small", "zero"} or tuple, default="glorot"
        The initial weights: drawn by the seed with a spread that fits the layer (Glorot, also
        called Xavier; He; LeCun), with a standard deviation of 1 or 0.01, zeros, or the weights
        themselves: the pair (coefs, intercepts), lists of arrays like the fitted attributes, or a
        mapping with these names.
    scale_target : bool, default=True
        Whether each target is standardised while the weights learn. Fitted weights are in its own
        units either way.
    random_state : int, RandomState or None, default=None
        The seed of initial weights, validation rows, the order of the rows, and dropout.

    Attributes
    ----------
    coefs_ : list of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts_ : list of ndarray of shape (n_units,)
        The intercepts of each layer.
    loss_ : float
        The mean loss of the last epoch, of the target as it was learned.
    loss_curve_ : list of float
        The mean loss of each epoch, while its weights changed.
    validation_loss_curve_ : list of float or None
        The loss on the validation rows after each epoch, with early stopping.
    best_epoch_ : int
        The epoch whose weights are used.
    n_iter_ : int
        The number of epochs.
    n_layers_, n_outputs_ : int
        The number of layers with the input, and of output units.
    out_activation_ : str
        The activation function of the output units.
    converged_ : bool
        False where the weights grew without bound, which ``fit`` warns of.
    r2_ : float
        The share of the variance of the training rows that is explained; of several targets the
        mean. NaN if all numbers of a target are equal.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If numbers are beyond 1e100, or a parameter is out of bounds.

    Notes
    -----
    An epoch costs O(n w) for n rows and w weights. With the same seed and the restrictions of
    ``MLPClassifier``, weights are those of scikit-learn's MLPRegressor, fitted to the standardised
    targets. Of k targets, the squared errors in its losses are divided by k.

    References
    ----------
    D. E. Rumelhart, G. E. Hinton and R. J. Williams (1986), Learning representations by
    back-propagating errors. G. Cybenko (1989), Approximation by superpositions of a sigmoidal
    function.

    Examples
    --------
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = MLPRegressor((8,), max_iter=300, batch_size=8, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict([[0.5]]).round(1).tolist()
    [0.2]
    >>> model.fit(X, np.hstack([X**2, 1 - X**2])).predict([[0.5]]).shape
    (1, 2)
    """

    PARAMS: ClassVar[dict[str, Param]] = {**COMMON, "scale_target": Flag()}
    _takes: ClassVar[dict[str, bool]] = {"y_numeric": True, "multi_output": True}

    def __init__(
        self,
        hidden_layer_sizes: Any = (6, 4),
        activation: str = "tanh",
        *,
        solver: str = "sgd",
        learning_rate: float = 0.1,
        decay: float = 0.0,
        momentum: float = 0.9,
        alpha: float = 0.0,
        dropout: float = 0.0,
        batch_size: int = 32,
        max_iter: int = 100,
        shuffle: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        n_iter_no_change: int = 20,
        init: Any = "glorot",
        scale_target: bool = True,
        random_state: Any = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.learning_rate = learning_rate
        self.decay = decay
        self.momentum = momentum
        self.alpha = alpha
        self.dropout = dropout
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.init = init
        self.scale_target = scale_target
        self.random_state = random_state

    def predict(self, X: ArrayLike) -> Floats:
        """Return the prediction for each row, shape (n_samples,) or (n_samples, n_outputs)."""
        output = self._output(X)
        return output[:, 0] if output.shape[1] == 1 else output

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def targets(self, y: ArrayLike) -> Targets:
        """Return the target as it is learned, with its mean and its standard deviation.

        Raises
        ------
        ValueError
            If there are numbers beyond 1e100.
        """
        numbers = np.asarray(y, float).reshape(len(y), -1)  # type: ignore[arg-type]
        if np.abs(numbers).max() > MAX_NUMBER:
            raise ValueError(
                f"y has numbers beyond {MAX_NUMBER:g}, which are too large; rescale it."
            )
        if not self.scale_target:
            return Targets(numbers)
        shift, spread = centred(numbers)[0], standard_deviations(numbers)
        unit = np.where(spread > 0, spread, 1.0)
        return Targets((numbers - shift) / unit, None, shift, unit)

    def loss_name(self, n_outputs: int) -> str:
        """Return the name of the loss."""
        return "squared_error"

    def _set_of_targets(self, X: Floats, y: NDArray[Any]) -> None:
        predicted = self.outputs(X, self.coefs_, self.intercepts_)[-1]
        targets = np.asarray(y, float).reshape(predicted.shape)
        errors = ((targets - predicted) ** 2).sum(axis=0)
        self.r2_ = float(np.mean([*map(r_squared, targets.T, errors)]))
