"""The same factorisations by NumPy and scikit-learn, and the code for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from dmlib.comparison import Answers
from dmlib.decomposition.factorisation.algorithm import SVD, FactorStep
from dmlib.decomposition.factorisation.autoencoder import Autoencoder
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.decomposition.factorisation.picture import ImageSVD
from dmlib.decomposition.factorisation.picture_parts import ImageParts
from dmlib.decomposition.factorisation.sparse_coding import SparseCoding
from dmlib.pictures.run import Run
from dmlib.problem import transformed

ATOMS = "scikit-learn codes the rows with our atoms; its own dictionaries are learned otherwise."


def factorisation_reference(run: Run) -> Any:
    """Return the error of another implementation."""
    if isinstance(run.model, ImageSVD):
        return _picture(run)
    model = run.fitted
    if isinstance(model, ImageParts):
        patches = model.patches(run.problem.data)[0]
        name, rebuilt, note = _rebuilt(model.factorisation_, model.table_, run.trace.steps[0].made)
        return _answers(name, patches.clean, patches.picture(rebuilt), note)
    X = run.problem.X
    name, rebuilt, note = _rebuilt(model, X, run.trace.steps[0])
    return _answers(name, X, rebuilt, note)


def _rebuilt(model: Any, X: Any, first: FactorStep) -> tuple[str, Any, str]:
    """Return another implementation, what it makes of a table from the same first step, and what is to be said."""
    from sklearn.linear_model import orthogonal_mp

    if isinstance(model, NMF):
        from sklearn.decomposition import non_negative_factorization

        W, H, _ = non_negative_factorization(
            X,
            W=first.codes.copy(),
            H=first.parts.copy(),
            n_components=len(first.parts),
            init="custom",
            solver="mu",
            beta_loss=model.beta_loss,
            max_iter=model.n_iter_,
            tol=0.0,
        )
        return "sklearn.decomposition.non_negative_factorization", W @ H, ""
    if isinstance(model, SparseCoding):
        codes = orthogonal_mp(
            model.components_.T, (X - model.offset_).T, n_nonzero_coefs=_atoms(model)
        ).T
        codes = codes.reshape(len(X), -1)
        return (
            "sklearn.linear_model.orthogonal_mp",
            codes @ model.components_ + model.offset_,
            ATOMS,
        )
    if isinstance(model, Autoencoder):
        note = "scikit-learn's network says the rows with the weights that were learned here."
        return "sklearn.neural_network.MLPRegressor", _network(model, X), note
    offset = X.mean(axis=0) if model.center else 0.0
    left, sizes, right = np.linalg.svd(X - offset, full_matrices=False)
    k = model.n_components_
    return "numpy.linalg.svd", left[:, :k] * sizes[:k] @ right[:k] + offset, ""


def _picture(run: Run) -> Answers:
    """Return the picture that LAPACK's other driver makes."""
    from scipy.linalg import svd

    model = run.fitted
    taken = run.trace.steps[-1].taken
    left, sizes, right = svd(taken.table, full_matrices=False, lapack_driver="gesvd")
    k = model.n_components_
    rebuilt = taken.picture(left[:, :k] * sizes[:k] @ right[:k])
    return _answers("scipy.linalg.svd", taken.clean, rebuilt)


def _atoms(model: SparseCoding) -> int:
    return min(model.n_nonzero_coefs, len(model.components_))


def _answers(name: str, X: Any, rebuilt: Any, note: str = "") -> Answers:
    return Answers(name, {"rmse_": float(np.sqrt(((X - rebuilt) ** 2).mean()))}, note)


def _network(model: Autoencoder, X: Any) -> Any:
    """Return what scikit-learn's network says with the weights that ours has learned."""
    from sklearn.neural_network import MLPRegressor

    step = model.step_
    activation = {"sigmoid": "logistic", "linear": "identity"}[model.activation]
    net = MLPRegressor((len(step.parts),), activation=activation, max_iter=1, solver="lbfgs")
    net.n_layers_, net.out_activation_, net.n_outputs_ = 3, "identity", X.shape[1]
    net.coefs_, net.intercepts_ = [step.encoder[:-1], step.parts], [step.encoder[-1], step.offset]
    net.n_features_in_ = X.shape[1]
    return np.asarray(net.predict(X)).reshape(X.shape)


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
    head = "\n# The same with {}\nfrom types import SimpleNamespace\n\nimport numpy as np\n{}\n"
    energy = (
        "    energy_=1 - (({0} - rebuilt) ** 2).sum() / ({0}**2).sum(),"
        " n_components_=model.n_components_)\n"
    )
    if isinstance(model, ImageParts):
        of = run.fitted.factorisation_
        library, imports, lines = _lines(of, "learner", "table", "next(model.steps(X)).made")
        return (
            f"{head.format(library, imports)}learner, table = model.factorisation_,"
            f" model.table_\n{lines}patches = model.patches(X)[0]\nreference ="
            " SimpleNamespace(rmse_=np.sqrt(((patches.clean - patches.picture(rebuilt)) **"
            " 2).mean()),\n" + energy.format("table")
        )
    library, imports, lines = _lines(model, "model", "X", "next(model.steps(X))")
    return (
        f"{head.format(library, imports)}X = np.asarray(X, float)\n{lines}"
        "reference = SimpleNamespace(rmse_=np.sqrt(((X - rebuilt) ** 2).mean()),\n"
        + energy.format("X")
    )


def _lines(model: Any, name: str, X: str, first: str) -> tuple[str, str, str]:
    """Return a library, its imports, and the lines that make ``rebuilt`` from a table.

    Parameters
    ----------
    model : Factorisation
        Not fitted, or fitted.
    name, X, first : str
        What the fitted one, the table and the first step are called.
    """
    if isinstance(model, NMF):
        return (
            "scikit-learn",
            "from sklearn.decomposition import non_negative_factorization\n",
            (
                f"first = {first}\nW, H, _ = non_negative_factorization({X}, W=first.codes,"
                " H=first.parts, n_components=len(first.parts),\n    init='custom', solver='mu',"
                f" beta_loss={model.beta_loss!r}, max_iter={name}.step_.n, tol=0.0)\nrebuilt = W"
                " @ H\n"
            ),
        )
    if isinstance(model, SparseCoding):
        return (
            "scikit-learn",
            "from sklearn.linear_model import orthogonal_mp\n",
            (
                f"most = min({name}.n_nonzero_coefs, len({name}.components_))\ncodes ="
                f" orthogonal_mp({name}.components_.T, ({X} - {name}.offset_).T,"
                f" n_nonzero_coefs=most).T\nrebuilt = codes.reshape(len({X}), -1) @"
                f" {name}.components_ + {name}.offset_\n"
            ),
        )
    if isinstance(model, Autoencoder):
        said = "1 / (1 + np.exp(-told))" if model.activation == "sigmoid" else "told"
        return (
            "NumPy, and the weights that were learned",
            "",
            (
                f"told = {X} @ {name}.step_.encoder[:-1] + {name}.step_.encoder[-1]\n"
                f"rebuilt = {said} @ {name}.components_ + {name}.offset_\n"
            ),
        )
    return (
        "NumPy",
        "",
        (
            f"offset = {X}.mean(axis=0) if {model.center} else 0.0\n"
            f"left, sizes, right = np.linalg.svd({X} - offset, full_matrices=False)\n"
            f"k = {name}.n_components_\n"
            "rebuilt = left[:, :k] * sizes[:k] @ right[:k] + offset\n"
        ),
    )


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
    >>> from dmlib.decomposition import SVD, FactorStep
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
            f"The parts are those of the {len(problem.X):,} rows of the picture; each of"
            f" {len(rows):,} has its codes."
        )
        if isinstance(model, SVD):
            X = rows[list(problem.features)].to_numpy(float)
            scaled = X if problem.shift is None else (X - problem.shift) / problem.unit
            model, note = (
                clone(model).fit(scaled),
                f"The parts were made anew of all {len(rows):,} rows.",
            )
    if isinstance(model, NMF):
        frame, cut = _from_zero(problem, frame)
        below = "value lies" if cut == 1 else "values lie"
        note += (
            f" {cut:,} {below} below 0 on the scale of these rows, and count as 0." if cut else ""
        )
    made = transformed(problem, frame, model)
    made.attrs |= {"note": note} if note else {}
    return made


def _from_zero(problem: Any, frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Return a table whose columns are not below 0 once they are scaled, and how many values were."""
    used = list(problem.features)
    least = pd.Series(0.0 if problem.shift is None else problem.shift, index=used)
    below = frame[used].lt(least)
    return frame.assign(**{name: frame[name].clip(lower=least[name]) for name in used}), int(
        below.to_numpy().sum()
    )


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
