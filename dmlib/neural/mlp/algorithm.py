"""The multilayer perceptron for classes: layers of units that learn by back-propagation."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from dmlib.arrays import Floats
from dmlib.neural.mlp.network import COMMON, Network
from dmlib.neural.mlp.targets import Targets
from dmlib.params import Choice, Param


class MLPClassifier(ClassifierMixin, Network):
    r"""Learn classes with layers of units, each fed with the output of the layer before.

    A layer computes :math:`a' = f(a W + b)`. The mean loss of a batch of rows is differentiated by
    every weight with the chain rule, from the last layer back to the first, and each weight goes a
    step down: w <- w - rate dL/dw.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int, default=(6, 4)
        The number of units of each hidden layer; empty for none, which is (multinomial) logistic
        regression.
    activation : {"sigmoid", "tanh", "relu", "softplus", "identity"}, default="tanh"
        The activation function of hidden units. With identity all layers together are one linear
        layer.
    loss : {"log_loss", "squared_error", "hinge"}, default="log_loss"
        What is minimised: the cross-entropy of softmax outputs (of two classes: one sigmoid
        output), the squared error of sigmoid outputs, or the hinge loss of linear outputs, one for
        each class.
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
    random_state : int, RandomState or None, default=None
        The seed of initial weights, validation rows, the order of the rows, and dropout.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coefs_ : list of ndarray of shape (n_inputs, n_units)
        The weights of each layer.
    intercepts_ : list of ndarray of shape (n_units,)
        The intercepts of each layer.
    loss_ : float
        The mean loss of the last epoch.
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
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only one class, numbers are beyond 1e100, or a parameter is out of bounds.

    Notes
    -----
    An epoch costs O(n w) for n rows and w weights: the way back costs about twice the way forward.
    With the same seed, sigmoid (there: logistic), tanh, relu or identity, cross-entropy, the
    solvers sgd and adam, and without decay, dropout and early stopping, weights are those of
    scikit-learn's MLPClassifier. That one watches the accuracy of validation rows; here it is the
    loss, which changes before classes do.

    References
    ----------
    D. E. Rumelhart, G. E. Hinton and R. J. Williams (1986), Learning representations by
    back-propagating errors. X. Glorot and Y. Bengio (2010), Understanding the difficulty of
    training deep feedforward neural networks. N. Srivastava et al. (2014), Dropout: a simple way to
    prevent neural networks from overfitting. L. Prechelt (1998), Early stopping - but when?

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = MLPClassifier((4,), batch_size=4, learning_rate=1.0, max_iter=200, random_state=1)
    >>> model.fit(X, y).predict(X).tolist(), [W.shape for W in model.coefs_]
    ([0, 1, 1, 0], [(2, 4), (4, 1)])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "activation": COMMON["activation"],
        "loss": Choice(("log_loss", "squared_error", "hinge")),
        **COMMON,
    }
    classes_: NDArray[Any]

    def __init__(
        self,
        hidden_layer_sizes: Any = (6, 4),
        activation: str = "tanh",
        *,
        loss: str = "log_loss",
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
        random_state: Any = None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.loss = loss
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
        self.random_state = random_state

    @available_if(lambda self: self.loss != "hinge")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the class probabilities, shape (n_samples, n_classes); the hinge loss has none."""
        return self.shares(self._output(X))

    @available_if(lambda self: self.loss != "hinge")  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: ArrayLike) -> Floats:
        """Return the logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row: that of the largest output."""
        scores = class_scores(self._output(X), self.loss)
        labels: NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return labels

    def certainty(self, X: ArrayLike) -> tuple[NDArray[Any], Floats]:
        """Return the class of each row, and the margin of its output over the next, up to 1."""
        scores = class_scores(self._output(X), self.loss)
        second, first = np.sort(scores, axis=1)[:, -2:].T
        return self.classes_[scores.argmax(axis=1)], np.clip(first - second, 0.0, 1.0)

    def shares(self, output: Floats) -> Floats:
        """Return the outputs as probabilities of all classes, which add up to 1."""
        shares = class_scores(output, self.loss)
        totals = shares.sum(axis=1, keepdims=True)
        even = np.full_like(shares, 1 / shares.shape[1])
        np.divide(shares, totals, out=even, where=totals > 0)
        return even

    def targets(self, y: ArrayLike) -> Targets:
        """Return one-hot classes; of two classes a single column, 1 for the second.

        Raises
        ------
        ValueError
            If there is only one class, or there are numbers without end.
        """
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"y has only one class, {classes[0]!s}; a classifier needs two or more."
            )
        if len(classes) == 2:
            return Targets(codes[:, None].astype(float), codes)
        return Targets(np.eye(len(classes))[codes], codes)

    def loss_name(self, n_outputs: int) -> str:
        """Return the name of the loss for so many output units."""
        if self.loss == "log_loss":
            return "log_loss" if n_outputs > 1 else "binary_log_loss"
        return {"squared_error": "squared_sigmoid", "hinge": "hinge"}[self.loss]

    def _set_of_targets(self, X: Floats, y: NDArray[Any]) -> None:
        self.classes_ = np.unique(y)


def class_scores(output: Floats, loss: str) -> Floats:
    """Return a column for each class, where two classes share one output unit.

    Examples
    --------
    >>> output = np.array([[0.25]])
    >>> class_scores(output, "log_loss").tolist(), class_scores(output, "hinge").tolist()
    ([[0.75, 0.25]], [[-0.25, 0.25]])
    """
    if output.shape[1] > 1:
        return output
    first = -output if loss == "hinge" else 1.0 - output
    return np.hstack([first, output])
