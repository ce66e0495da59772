"""Factorisations by NumPy, SciPy and scikit-learn, and a whole table as codes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.comparison import Answers
from dmlib.decomposition.factorisation.algorithm import SVD, Factorisation
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.picture import ImageSVD
from dmlib.decomposition.factorisation.picture_parts import ImageParts
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import AnyRun
from dmlib.problem import Problem, transformed


def answers(
    function: str, model: Any, X: ArrayLike, table: Floats, rebuilt: Floats, note: str = ""
) -> Answers:
    """Return the errors of the reconstruction of a table."""
    from dmlib.comparison import Answers

    squares = max((table**2).sum(), np.finfo(float).tiny)
    values = {
        "rmse_": model.rmse(X, rebuilt),
        "energy_": 1 - ((table - rebuilt) ** 2).sum() / squares,
        "n_components_": model.n_components_,
    }
    return Answers(function, values, note)


def rebuild_by_svd(X: Floats, model: SVD) -> Answers:
    """Rebuild a table from its singular vectors with NumPy."""
    offset = X.mean(axis=0) if model.center else 0.0
    U, sizes, V = np.linalg.svd(X - offset, full_matrices=False)
    k = model.n_components_
    return answers("numpy.linalg.svd", model, X, X, U[:, :k] * sizes[:k] @ V[:k] + offset)


def rebuild_picture(X: Floats, model: ImageSVD) -> Answers:
    """Rebuild a picture from its singular vectors with SciPy, by the other driver of LAPACK."""
    from scipy.linalg import svd

    table = model.decompose(X).table
    U, sizes, V = svd(table, full_matrices=False, lapack_driver="gesvd")
    k = model.n_components_
    return answers("scipy.linalg.svd", model, X, table, U[:, :k] * sizes[:k] @ V[:k])


def rebuild_by_nmf(X: Floats, model: Any, table: Floats, learner: NMF) -> Answers:
    """Factorise with scikit-learn, from the same first codes and parts."""
    from sklearn.decomposition import non_negative_factorization

    first = next(model.steps(X)).factors
    W, H, _ = non_negative_factorization(
        table,
        W=first.codes.copy(),
        H=first.parts.copy(),
        n_components=len(first.parts),
        init="custom",
        solver="mu",
        beta_loss=learner.beta_loss,
        max_iter=learner.n_iter_,
        tol=0.0,
    )
    function = "sklearn.decomposition.non_negative_factorization"
    return answers(function, model, X, table, W @ H)


def rebuild_from_atoms(X: Floats, model: Any, table: Floats, learner: SparseCoding) -> Answers:
    """Code the rows with scikit-learn, by the atoms that were learned here."""
    from sklearn.linear_model import orthogonal_mp

    atoms = learner.components_
    n_atoms = min(learner.n_nonzero_coefs, len(atoms))
    codes = orthogonal_mp(atoms.T, (table - learner.offset_).T, n_nonzero_coefs=n_atoms).T
    rebuilt = codes.reshape(len(table), -1) @ atoms + learner.offset_
    note = "scikit-learn codes the rows with our atoms; its own dictionaries are learned otherwise."
    return answers("sklearn.linear_model.orthogonal_mp", model, X, table, rebuilt, note)


def rebuild_by_network(X: Floats, model: Any, table: Floats, learner: Autoencoder) -> Answers:
    """Rebuild the rows with scikit-learn's network, by the weights that were learned here."""
    from sklearn.neural_network import MLPRegressor

    step = learner.step_
    activation = "logistic" if learner.activation == "sigmoid" else "identity"
    network = MLPRegressor((len(step.parts),), activation=activation)
    network.n_features_in_ = network.n_outputs_ = table.shape[1]
    network.n_layers_, network.out_activation_ = 3, "identity"
    network.coefs_ = [step.encoder[:-1], step.parts]
    network.intercepts_ = [step.encoder[-1], step.offset]
    rebuilt = np.asarray(network.predict(table)).reshape(table.shape)
    note = "scikit-learn's network has the weights that were learned here."
    return answers("sklearn.neural_network.MLPRegressor", model, X, table, rebuilt, note)


LEARNERS: dict[type[Factorisation], Any] = {
    NMF: rebuild_by_nmf,
    SparseCoding: rebuild_from_atoms,
    Autoencoder: rebuild_by_network,
}


def factorisation_reference(run: AnyRun) -> Reference:
    """Return the errors of the same factorisation by a library."""
    model, data, helpers = run.fitted, ("X", "model"), (answers,)
    if isinstance(model, ImageSVD):
        return Reference(rebuild_picture, *data, helpers=helpers)
    if isinstance(model, SVD):
        return Reference(rebuild_by_svd, *data, helpers=helpers)
    if isinstance(model, ImageParts):
        function = LEARNERS[type(model.factorisation_)]
        learner = ("model.patches_.table", "model.factorisation_")
        return Reference(function, *data, *learner, helpers=helpers)
    return Reference(LEARNERS[type(model)], *data, *data, helpers=helpers)


def codes_of_all(problem: Problem, frame: pd.DataFrame, model: Factorisation) -> pd.DataFrame:
    """Replace the columns of a whole table by codes.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Factorisation
        Fitted. An SVD is computed again from all rows; the parts of the learners stay.

    Returns
    -------
    DataFrame
        The codes, then the columns that were not used.

    Examples
    --------
    >>> from dmlib.decomposition import SVD, FactorStep
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [3.0, 0.0], "b": [4.0, 0.0], "kind": ["x", "y"]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> codes_of_all(problem, frame, SVD(1).fit(problem.X)).to_dict("list")
    {'svd0': [5.0, 0.0], 'kind': ['x', 'y']}
    """
    rows = frame.dropna(subset=list(problem.features))
    note = ""
    if len(rows) > len(problem.X) and isinstance(model, SVD):
        X = rows[list(problem.features)].to_numpy(float)
        scaled = X if problem.shift is None else (X - problem.shift) / problem.unit
        model = clone(model).fit(scaled)
        note = f"The parts were made anew of all {len(rows):,} rows."
    elif len(rows) > len(problem.X):
        parts = f"The parts are those of the {len(problem.X):,} rows of the picture"
        note = f"{parts}; each of {len(rows):,} has its codes."
    if isinstance(model, NMF):
        frame, n_clipped = _from_zero(problem, frame)
        if n_clipped:
            values = "value lies" if n_clipped == 1 else "values lie"
            note += f" {n_clipped:,} {values} below 0 on the scale of these rows, and count as 0."
    codes = transformed(problem, frame, model)
    if note:
        codes.attrs["note"] = note
    return codes


def _from_zero(problem: Problem, frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a table without values that are negative once scaled, and how many there were."""
    features = list(problem.features)
    zeros = pd.Series(0.0 if problem.shift is None else problem.shift, index=features)
    clipped = frame.assign(**{name: frame[name].clip(lower=zeros[name]) for name in features})
    return clipped, int(frame[features].lt(zeros).to_numpy().sum())


def prepared_table(run: AnyRun, table: Any) -> pd.DataFrame:
    """Return the whole table of a run as codes."""
    return codes_of_all(run.problem, table.frame, run.fitted)


def prepared_code(run: AnyRun) -> str:
    """Return code that makes this ``frame`` from ``table``, ``problem`` and ``model``."""
    return (
        "from dmlib.decomposition.factorisation.reference import codes_of_all\n\n"
        "frame = codes_of_all(problem, table.frame, model)\n"
    )


PREPARED = (prepared_table, prepared_code)
"""The whole table as codes, and the code that makes it."""
