"""Elman's network, LSTM and NARX, learned by backpropagation through time."""

from __future__ import annotations

from typing import Any, ClassVar

from dmlib.neural.rnn.cells import Cell
from dmlib.neural.rnn.delays import DelayCell
from dmlib.neural.rnn.elman import ElmanCell
from dmlib.neural.rnn.long_short_term import LSTMCell
from dmlib.neural.rnn.network import COMMON, RecurrentNetwork
from dmlib.neural.rnn.ranges import rnn_ranges
from dmlib.params import Integer, Param, Ranges


class _Truncated(RecurrentNetwork):
    """The base of networks with truncated backpropagation through time."""

    RANGES: ClassVar[Ranges] = staticmethod(rnn_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        **COMMON,
        "truncation": Integer(1, 500, shown=(1, 60), none="all"),
    }

    def __init__(
        self,
        n_hidden: int = 8,
        *,
        learning_rate: float = 0.01,
        truncation: int | None = 25,
        max_iter: int = 100,
        optimizer: str = "adam",
        clip: float | None = 1.0,
        horizon: int = 30,
        init: Any = "glorot",
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.truncation = truncation
        self.max_iter = max_iter
        self.optimizer = optimizer
        self.clip = clip
        self.horizon = horizon
        self.init = init
        self.random_state = random_state

    @property
    def span(self) -> int | None:
        """The number of steps that are unrolled at once; None for complete sequences."""
        return self.truncation


class ElmanNetwork(_Truncated):
    r"""Elman's network: a hidden layer whose output is fed back to it in the next step.

    The layer is :math:`h_t = \tanh(x_t W + h_{t-1} U + b)`, and the output
    :math:`y_t = h_t V + a`. Unrolled in time it is a deep network whose layers all have the same
    weights: the error goes back through it step by step.

    Parameters
    ----------
    n_hidden : int, default=8
        The number of hidden units.
    learning_rate : float, default=0.01
        The step size of the optimiser.
    truncation : int or None, default=25
        The number of steps after which the weights are updated, and through which the error goes
        back (truncated backpropagation through time); the state goes on. None: complete sequences.
    max_iter : int, default=100
        The number of epochs: passes through all sequences.
    optimizer : {"adam", "sgd"}, default="adam"
        Adam, or plain gradient descent.
    clip : float or None, default=1.0
        The maximum length of a gradient; a longer one is scaled down to it. None: no limit.
    horizon : int, default=30
        Of a series: the number of last values that are held out and forecast. In a forecast, each
        output is the next input.
    init : {"glorot", "he", "lecun", "normal", "small", "zero"} or mapping, default="glorot"
        The initial weights of each layer: drawn with a spread that fits it, with a standard
        deviation of 1 or 0.01, zeros, or the weights themselves, like ``weights_``.
    random_state : int, RandomState or None, default=None
        The seed of the initial weights.

    Attributes
    ----------
    weights_ : dict of str to ndarray
        W (n_inputs, n_hidden), U (n_hidden, n_hidden), b (n_hidden,), V (n_hidden, n_outputs), a
        (n_outputs,).
    loss_ : float
        The mean loss of the training steps.
    test_error_, naive_error_ : float
        The root mean squared error (of symbols: perplexity) of the forecast or of test sequences,
        and that of the naive answer.
    forecast_ : ndarray of shape (horizon,)
        The forecast of a series; empty for other tasks.
    gradient_ : ndarray of shape (n_weights,)
        The derivatives of the loss by all weights, unrolled through complete sequences.
    n_iter_ : int
        The number of epochs.

    Raises
    ------
    ValueError
        If a series is constant, too short, or has values that are no numbers.

    Notes
    -----
    An epoch costs O(n (d h + h²)) for n steps, d inputs and h units, in memory O(h) for each step
    that is unrolled. A run ends where the loss is a hundred times that of the start.

    References
    ----------
    J. L. Elman (1990), Finding structure in time.
    P. J. Werbos (1990), Backpropagation through time: what it does and how to do it.

    Examples
    --------
    >>> model = ElmanNetwork(4, learning_rate=0.02, max_iter=40, horizon=4, random_state=0)
    >>> model = model.fit([0.0, 1.0, 0.0, -1.0] * 10)
    >>> [round(abs(x)) for x in model.forecast_], model.test_error_ < model.naive_error_
    ([0, 1, 0, 1], True)
    """

    @property
    def cell(self) -> Cell:
        """The recurrent layer."""
        return ElmanCell(self.n_hidden)


class LSTM(_Truncated):
    r"""Long short-term memory: a memory with gates that write, forget and read.

    In step t, :math:`c_t = f_t c_{t-1} + i_t g_t` and :math:`h_t = o_t \tanh(c_t)`; the gates i, f,
    o and the candidate g depend on :math:`x_t` and :math:`h_{t-1}`. The output is
    :math:`y_t = h_t V + a`.

    Parameters
    ----------
    n_hidden : int, default=8
        The number of memory cells, each with its gates.
    learning_rate : float, default=0.01
        The step size of the optimiser.
    truncation : int or None, default=25
        The number of steps after which the weights are updated, and through which the error goes
        back; the state goes on. None: complete sequences.
    max_iter : int, default=100
        The number of epochs: passes through all sequences.
    optimizer : {"adam", "sgd"}, default="adam"
        Adam, or plain gradient descent.
    clip : float or None, default=1.0
        The maximum length of a gradient; a longer one is scaled down to it. None: no limit.
    horizon : int, default=30
        Of a series: the number of last values that are held out and forecast.
    init : {"glorot", "he", "lecun", "normal", "small", "zero"} or mapping, default="glorot"
        The initial weights of each layer: drawn with a spread that fits it, with a standard
        deviation of 1 or 0.01, zeros, or the weights themselves, like ``weights_``.
    random_state : int, RandomState or None, default=None
        The seed of the initial weights.

    Attributes
    ----------
    weights_ : dict of str to ndarray
        W (n_inputs, 4 n_hidden), U (n_hidden, 4 n_hidden) and b (4 n_hidden,), the gates i, f, o, g
        side by side; V (n_hidden, n_outputs), a (n_outputs,).
    loss_ : float
        The mean loss of the training steps.
    test_error_, naive_error_ : float
        The root mean squared error (of symbols: perplexity) of the forecast or of test sequences,
        and that of the naive answer.
    forecast_ : ndarray of shape (horizon,)
        The forecast of a series; empty for other tasks.
    gradient_ : ndarray of shape (n_weights,)
        The derivatives of the loss by all weights, unrolled through complete sequences.
    n_iter_ : int
        The number of epochs.

    Raises
    ------
    ValueError
        If a series is constant, too short, or has values that are no numbers.

    Notes
    -----
    An epoch costs four times that of an Elman network of as many units. The forget gates start with
    an intercept of 1, so that the memory lasts at first.

    References
    ----------
    S. Hochreiter and J. Schmidhuber (1997), Long short-term memory.
    F. A. Gers, J. Schmidhuber and F. Cummins (2000), Learning to forget: continual prediction with
    LSTM.

    Examples
    --------
    >>> model = LSTM(4, learning_rate=0.02, max_iter=40, horizon=4, random_state=0)
    >>> model = model.fit([0.0, 1.0, 0.0, -1.0] * 10)
    >>> model.weights_["U"].shape, model.test_error_ < model.naive_error_
    ((4, 16), True)
    """

    @property
    def cell(self) -> Cell:
        """The recurrent layer."""
        return LSTMCell(self.n_hidden)


class NARX(RecurrentNetwork):
    r"""Nonlinear autoregression: a hidden layer of the last values of the series.

    The layer is :math:`h_t = \tanh((x_t, x_{t-1}, \dots, x_{t-p+1}) W + b)`, the output
    :math:`y_t = h_t V + a`. It is learned like a network without feedback, with the true values in
    the line of delays; in a forecast, these are its own.

    Parameters
    ----------
    n_hidden : int, default=8
        The number of hidden units.
    delays : int, default=12
        The number p of inputs at once.
    learning_rate : float, default=0.01
        The step size of the optimiser.
    max_iter : int, default=100
        The number of epochs.
    optimizer : {"adam", "sgd"}, default="adam"
        Adam, or plain gradient descent.
    clip : float or None, default=1.0
        The maximum length of a gradient; a longer one is scaled down to it. None: no limit.
    horizon : int, default=30
        Of a series: the number of last values that are held out and forecast.
    init : {"glorot", "he", "lecun", "normal", "small", "zero"} or mapping, default="glorot"
        The initial weights of each layer: drawn with a spread that fits it, with a standard
        deviation of 1 or 0.01, zeros, or the weights themselves, like ``weights_``.
    random_state : int, RandomState or None, default=None
        The seed of the initial weights.

    Attributes
    ----------
    weights_ : dict of str to ndarray
        W (delays · n_inputs, n_hidden), the latest input first; b (n_hidden,), V (n_hidden,
        n_outputs), a (n_outputs,).
    loss_ : float
        The mean loss of the training steps.
    test_error_, naive_error_ : float
        The root mean squared error (of symbols: perplexity) of the forecast or of test sequences,
        and that of the naive answer.
    forecast_ : ndarray of shape (horizon,)
        The forecast of a series; empty for other tasks.
    gradient_ : ndarray of shape (n_weights,)
        The derivatives of the loss by all weights, unrolled through complete sequences.
    n_iter_ : int
        The number of epochs.

    Raises
    ------
    ValueError
        If a series is constant, shorter than its window, or has values that are no numbers.

    Notes
    -----
    An epoch costs O(n p d h), without a loop over the steps. Before the first value, the line is
    filled with zeros, the mean of the standardised series. Exogenous inputs (``exog`` of ``fit``)
    are delayed like the values; of sequences, the inputs alone are.

    References
    ----------
    T. Lin, B. G. Horne, P. Tino and C. L. Giles (1996), Learning long-term dependencies in NARX
    recurrent neural networks.

    Examples
    --------
    >>> model = NARX(4, delays=4, learning_rate=0.02, max_iter=80, horizon=4, random_state=0)
    >>> model = model.fit([0.0, 1.0, 0.0, -1.0] * 10)
    >>> [round(abs(x)) for x in model.forecast_]
    [0, 1, 0, 1]
    """

    RANGES: ClassVar[Ranges] = staticmethod(rnn_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {**COMMON, "delays": Integer(1, 100, shown=(1, 40))}

    def __init__(
        self,
        n_hidden: int = 8,
        *,
        delays: int = 12,
        learning_rate: float = 0.01,
        max_iter: int = 100,
        optimizer: str = "adam",
        clip: float | None = 1.0,
        horizon: int = 30,
        init: Any = "glorot",
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.delays = delays
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.optimizer = optimizer
        self.clip = clip
        self.horizon = horizon
        self.init = init
        self.random_state = random_state

    @property
    def cell(self) -> Cell:
        """The line of delays and the hidden layer."""
        return DelayCell(self.n_hidden, self.delays)
