"""Data for regression: noisy lines and curves, outliers, growing spread, correlated features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from dmlib.datasets.generators.points import HIGH, LICENCE, LOW, Array
from dmlib.datasets.table import Table

REACH = 2.0  # of a line that drifts, to the left and the right


def noisy_line(
    *,
    n_samples: int = 60,
    slope: float = 0.6,
    intercept: float = 2.0,
    noise: float = 0.8,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw points around a line, and perhaps outliers far above its right end.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    slope, intercept : float
        The line y = intercept + slope x.
    noise : float
        Standard deviation of the errors.
    n_outliers : int
        Number of points that are added where x is large, far from the line.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, from 0 to 10, and y, the target.

    Examples
    --------
    >>> noisy_line(n_samples=50, n_outliers=2).frame.shape
    (52, 2)
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(LOW, HIGH, n_samples)
    y = intercept + slope * x + noise * rng.standard_normal(n_samples)
    far = rng.uniform(0.85 * HIGH, HIGH, n_outliers)
    side = -1.0 if slope > 0 else 1.0  # towards the other end of the line, where they turn it most
    wrong = intercept + slope * far + side * (4 + 3 * noise + rng.uniform(0, 1, n_outliers))
    return _table("noisy_line", {"x": np.append(x, far)}, np.append(y, wrong))


def growing_spread(
    *,
    n_samples: int = 80,
    slope: float = 0.6,
    intercept: float = 2.0,
    noise: float = 0.1,
    growth: float = 0.25,
    random_state: int = 0,
) -> Table:
    """Draw points around a line that scatter more the larger x is: heteroscedastic errors.

    Parameters
    ----------
    n_samples : int
        Number of points.
    slope, intercept : float
        The line y = intercept + slope x.
    noise : float
        Standard deviation of the errors at x = 0.
    growth : float
        By how much it grows with each unit of x.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, from 0 to 10, and y, the target.

    Examples
    --------
    >>> growing_spread().target
    'y'
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(LOW, HIGH, n_samples)
    errors = (noise + growth * x) * rng.standard_normal(n_samples)
    return _table("growing_spread", {"x": x}, intercept + slope * x + errors)


def group_means(
    *,
    n_samples: int = 20,
    slope: float = 0.6,
    intercept: float = 2.0,
    noise: float = 4.0,
    largest: int = 100,
    random_state: int = 0,
) -> Table:
    """Draw means of groups around a line: the larger a group, the closer its mean is to it.

    Parameters
    ----------
    n_samples : int
        Number of groups.
    slope, intercept : float
        The line y = intercept + slope x.
    noise : float
        Standard deviation of a single member; of the mean of n members it is noise / √n.
    largest : int
        The size of the largest possible group; the smallest has one member.
    random_state : int
        Seed: the same seed gives the same groups.

    Returns
    -------
    Table
        Columns x, from 0 to 10, size, the number of members, and y, the target.

    Examples
    --------
    >>> group_means(n_samples=3).frame.columns.tolist()
    ['x', 'size', 'y']
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(LOW, HIGH, n_samples)
    size = np.floor(largest ** rng.uniform(0, 1, n_samples))
    errors = noise / np.sqrt(size) * rng.standard_normal(n_samples)
    return _table("group_means", {"x": x, "size": size}, intercept + slope * x + errors)


def drift(
    *,
    n_samples: int = 180,
    slope: float = 1.0,
    intercept: float = 5.0,
    turn: float = -2.0,
    noise: float = 0.3,
    random_state: int = 0,
) -> Table:
    """Draw points, one after the other, around a line whose slope turns with time.

    Parameters
    ----------
    n_samples : int
        Number of points; their order is time.
    slope : float
        The slope at the first point.
    intercept : float
        The height of the line at x = 0, around which it turns.
    turn : float
        By how much the slope has changed at the last point; it changes evenly.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, from -2 to 2, slope, the true one at that time, which is not offered as a
        feature, and y, the target.

    Examples
    --------
    >>> drift(n_samples=3, noise=0.0).frame["slope"].tolist()
    [1.0, 0.0, -1.0]
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(-REACH, REACH, n_samples)
    true = np.linspace(slope, slope + turn, n_samples)
    y = intercept + true * x + noise * rng.standard_normal(n_samples)
    return replace(_table("drift", {"x": x, "slope": true}, y), roles={"slope": "ignore"})


def noisy_curve(
    *,
    n_samples: int = 40,
    waves: float = 1.0,
    height: float = 3.0,
    noise: float = 0.6,
    n_outliers: int = 0,
    random_state: int = 0,
) -> Table:
    """Draw points around a sine curve: a line underfits, a polynomial of high degree overfits.

    Parameters
    ----------
    n_samples : int
        Number of points, without the outliers.
    waves : float
        How many waves there are between x = 0 and x = 10.
    height : float
        Height of a wave.
    noise : float
        Standard deviation of the errors.
    n_outliers : int
        Number of points that are added at random anywhere.
    random_state : int
        Seed: the same seed gives the same points.

    Returns
    -------
    Table
        Columns x, from 0 to 10, and y, the target.

    Examples
    --------
    >>> noisy_curve().frame.columns.tolist()
    ['x', 'y']
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(LOW, HIGH, n_samples)
    y = 5 + height * np.sin(2 * np.pi * waves * x / HIGH) + noise * rng.standard_normal(n_samples)
    far = rng.uniform(LOW, HIGH, (2, n_outliers))
    return _table("noisy_curve", {"x": np.append(x, far[0])}, np.append(y, far[1]))


def correlated_features(
    *,
    n_samples: int = 80,
    n_features: int = 6,
    n_informative: int = 2,
    correlation: float = 0.8,
    noise: float = 1.0,
    random_state: int = 0,
) -> Table:
    """Draw correlated features of which few matter, to compare least squares with the lasso.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    n_features : int
        Number of features, standard normal.
    n_informative : int
        How many of them have a coefficient: 3, then 2, then 1 for all further ones.
    correlation : float
        Correlation of any two features.
    noise : float
        Standard deviation of the errors.
    random_state : int
        Seed: the same seed gives the same rows.

    Returns
    -------
    Table
        Columns x1, x2, ... and y, the target.

    Examples
    --------
    >>> correlated_features(n_features=3).frame.columns.tolist()
    ['x1', 'x2', 'x3', 'y']
    """
    rng = np.random.default_rng(random_state)
    shared = rng.standard_normal((n_samples, 1))
    own = rng.standard_normal((n_samples, n_features))
    X = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    coefficients = np.zeros(n_features)
    coefficients[:n_informative] = np.maximum(3 - np.arange(n_features), 1)[:n_informative]
    y = X @ coefficients + noise * rng.standard_normal(n_samples)
    return _table("correlated_features", {f"x{j + 1}": column for j, column in enumerate(X.T)}, y)


def _table(name: str, columns: dict[str, Array], y: Array) -> Table:
    frame = pd.DataFrame({**columns, "y": y})
    return Table(
        frame,
        dict.fromkeys(frame, "numeric"),
        name=name,
        target="y",
        source=f"The generator {name}.",
        licence=LICENCE,
    )
