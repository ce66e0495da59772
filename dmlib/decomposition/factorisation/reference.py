"""The same factorisations by NumPy and scikit-learn, and the code for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from dmlib.comparison import Answers
from dmlib.decomposition.factorisation.algorithm import SVD
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.picture import ImageSVD
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.pictures.run import Run
from dmlib.problem import transformed

ATOMS = "scikit-learn codes the rows with our atoms; its own dictionaries are learned otherwise."
PLANE = "A network with linear units cannot do better than the principal components; the limit is given."


def factorisation_reference(run: Run) -> Any:
    """Return the error of another implementation."""
    from sklearn.linear_model import orthogonal_mp

    if isinstance(run.model, ImageSVD):
        return _picture(run)
    model, X = run.fitted, run.problem.X
    if isinstance(model, NMF):
        from sklearn.decomposition import non_negative_factorization

        W, H = run.trace.steps[0].codes, run.trace.steps[0].parts
        done = run.trace.steps[-1].n
        W, H, _ = non_negative_factorization(
            X, W=W.copy(), H=H.copy(), n_components=len(H), init="custom", solver="mu", beta_loss=model.beta_loss,
            max_iter=done, tol=0.0,
        )  # fmt: skip
        return _answers("sklearn.decomposition.non_negative_factorization", X, W @ H)
    if isinstance(model, SparseCoding):
        codes = orthogonal_mp(model.components_.T, (X - model.offset_).T, n_nonzero_coefs=_atoms(model)).T
        codes = codes.reshape(len(X), -1)
        return _answers("sklearn.linear_model.orthogonal_mp", X, codes @ model.components_ + model.offset_, ATOMS)
    if isinstance(model, Autoencoder):
        return _network(run, X)
    offset = X.mean(axis=0) if model.center else 0.0
    left, sizes, right = np.linalg.svd(X - offset, full_matrices=False)
    k = model.n_components_
    return _answers("numpy.linalg.svd", X, left[:, :k] * sizes[:k] @ right[:k] + offset)


def _picture(run: Run) -> Answers:
    """Return the picture that LAPACK's other driver makes."""
    from scipy.linalg import svd

    model = run.fitted
    taken = model.taken(run.problem.data)
    left, sizes, right = svd(taken.table, full_matrices=False, lapack_driver="gesvd")
    k = model.n_components_
    rebuilt = taken.picture(left[:, :k] * sizes[:k] @ right[:k])
    return _answers("scipy.linalg.svd", taken.clean, rebuilt)


def _atoms(model: SparseCoding) -> int:
    return min(model.n_nonzero_coefs, len(model.components_))


def _answers(name: str, X: Any, rebuilt: Any, note: str = "") -> Answers:
    return Answers(name, {"rmse_": float(np.sqrt(((X - rebuilt) ** 2).mean()))}, note)


def _network(run: Run, X: Any) -> Answers:
    """Return what scikit-learn's network says with the weights that ours has learned."""
    from sklearn.neural_network import MLPRegressor

    model = run.fitted
    step = model.step_
    activation = {"sigmoid": "logistic", "linear": "identity"}[model.activation]
    net = MLPRegressor((len(step.parts),), activation=activation, max_iter=1, solver="lbfgs")
    net.n_layers_, net.out_activation_, net.n_outputs_ = 3, "identity", X.shape[1]
    net.coefs_, net.intercepts_ = [step.encoder[:-1], step.parts], [step.encoder[-1], step.offset]
    net.n_features_in_ = X.shape[1]
    said = np.asarray(net.predict(X)).reshape(X.shape)
    note = "scikit-learn's network reconstructs the rows with the weights that were trained here."
    return _answers("sklearn.neural_network.MLPRegressor", X, said, note)


def factorisation_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X``, after ``model``."""
    model = run.model
    if isinstance(model, ImageSVD):
        return (
            "\n# The same with SciPy\nfrom types import SimpleNamespace\n\nimport numpy as np\n"
            "from scipy.linalg import svd\n\n"
            "taken = model.taken(X)\nk = model.n_components_\n"
            "left, sizes, right = svd(taken.table, full_matrices=False, lapack_driver='gesvd')\n"
            "rebuilt = taken.picture(left[:, :k] * sizes[:k] @ right[:k])\n"
            "reference = SimpleNamespace(rmse_=np.sqrt(((taken.clean - rebuilt) ** 2).mean()),\n"
            "    energy_=(sizes[:k] ** 2).sum() / (sizes**2).sum(), n_components_=k)\n"
        )
    start = (
        "\n# The same with {}\nfrom types import SimpleNamespace\n\nimport numpy as np\n{}\nX = np.asarray(X, float)\n"
    )
    end = (
        "reference = SimpleNamespace(rmse_=np.sqrt(((X - rebuilt) ** 2).mean()),\n"
        "    energy_=1 - ((X - rebuilt) ** 2).sum() / (X**2).sum(), n_components_=model.n_components_)\n"
    )
    if isinstance(model, NMF):
        body = (
            "first = next(model.steps(X))\n"
            "W, H, _ = non_negative_factorization(X, W=first.codes, H=first.parts, n_components=len(first.parts),\n"
            f"    init='custom', solver='mu', beta_loss={model.beta_loss!r}, max_iter=model.step_.n, tol=0.0)\n"
            "rebuilt = W @ H\n"
        )
        return (
            start.format("scikit-learn", "from sklearn.decomposition import non_negative_factorization\n") + body + end
        )
    if isinstance(model, SparseCoding):
        body = (
            "most = min(model.n_nonzero_coefs, len(model.components_))\n"
            "codes = orthogonal_mp(model.components_.T, (X - model.offset_).T, n_nonzero_coefs=most).T\n"
            "rebuilt = codes.reshape(len(X), -1) @ model.components_ + model.offset_\n"
        )
        return start.format("scikit-learn", "from sklearn.linear_model import orthogonal_mp\n") + body + end
    if isinstance(model, Autoencoder):
        said = "1 / (1 + np.exp(-told))" if model.activation == "sigmoid" else "told"
        body = (
            "told = X @ model.step_.encoder[:-1] + model.step_.encoder[-1]\n"
            f"rebuilt = {said} @ model.components_ + model.offset_\n"
        )
        return start.format("NumPy, and the weights that were learned", "") + body + end
    body = (
        f"offset = X.mean(axis=0) if {model.center} else 0.0\n"
        "left, sizes, right = np.linalg.svd(X - offset, full_matrices=False)\n"
        "k = model.n_components_\n"
        "rebuilt = left[:, :k] * sizes[:k] @ right[:k] + offset\n"
    )
    return start.format("NumPy", "") + body + end


def codes_of_all(problem: Any, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Put codes in the place of the columns of a whole table.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Factorisation
        Fitted. An SVD is made anew of all rows; of the others, the parts that were learned stay.

    Returns
    -------
    DataFrame
        The codes, then the columns that were not used.

    Examples
    --------
    >>> from dmlib.decomposition import SVD
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [3.0, 0.0], "b": [4.0, 0.0], "kind": ["x", "y"]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> codes_of_all(problem, frame, SVD(1).fit(problem.X)).to_dict("list")
    {'svd0': [5.0, 0.0], 'kind': ['x', 'y']}
    """
    rows = frame.dropna(subset=list(problem.features))
    note = ""
    if len(rows) > len(problem.X):
        note = (
            f"The parts are those of the {len(problem.X):,} rows of the picture; each of {len(rows):,} has its codes."
        )
        if isinstance(model, SVD):
            X = rows[list(problem.features)].to_numpy(float)
            scaled = X if problem.shift is None else (X - problem.shift) / problem.unit
            model, note = clone(model).fit(scaled), f"The parts were made anew of all {len(rows):,} rows."
    made = transformed(problem, frame, model)
    made.attrs |= {"note": note} if note else {}
    return made


def prepared_table(run: Run, table: Any) -> pd.DataFrame:
    """Return the whole table of a run as codes."""
    return codes_of_all(run.problem, table.frame, run.fitted)


def prepared_code(run: Run) -> str:
    """Return code that makes this table as ``frame``, after ``table``, ``problem`` and ``model``."""
    return (
        "from dmlib.decomposition.factorisation.reference import codes_of_all\n\n"
        "frame = codes_of_all(problem, table.frame, model)\n"
    )


PREPARED = (prepared_table, prepared_code)
"""The whole table as codes, and the code that makes it."""
