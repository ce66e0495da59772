"""A visitor's data are kept in that visitor's session alone, and go with it."""

import ast
import gc
import pickle
import weakref

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.caching import cache_data_api, cache_resource_api

from dashboard.catalogue import CATALOGUE
from dashboard.opening import opening_of
from tests.visit import ROOT, picture, session_of, sound, takes_tables, visit

MARK = "xyzzy-7316"
HASHED = 10_000  # rows that Streamlit samples of a large frame to tell it from others


def brought(slug, data, **link):
    page = visit(slug, source="upload", **link)
    page.file_uploader[0].upload("data.csv", data, "text/csv")
    return page.run()


def marked(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2)).round(2)
    rows = "".join(f"{a},{b},{MARK if a > 0 else 'other'}\n" for a, b in X)
    return f"{MARK} a,b,class\n{rows}".encode()


def decorators(tree):
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for decorator in function.decorator_list:
                if "cache" in ast.unparse(decorator) and "property" not in ast.unparse(decorator):
                    yield function, ast.unparse(decorator)


def test_what_all_sessions_share_is_asked_for_by_a_name_alone():
    """A cache of the whole server takes no data as its key, so it holds nothing made of data."""
    # Names, when files of the project were changed, a class, and parameters of a generator
    keys = {"str", "bool", "int", "tuple[int, ...]", "type", "tuple[tuple[str, Any], ...]"}
    shared = []
    for path in [
        *(ROOT / "dashboard").rglob("*.py"),
        *(ROOT / "ui").rglob("*.py"),
        *(ROOT / "rooms").rglob("*.py"),
        *(ROOT / "pages").glob("*.py"),
        ROOT / "app.py",
        ROOT / "server.py",
    ]:
        for function, decorator in decorators(ast.parse(path.read_text("utf-8"))):
            assert "max_entries" in decorator or "maxsize" in decorator, (path.name, function.name)
            if "scope='session'" not in decorator:
                shared.append(function.name)
                assert {
                    ast.unparse(argument.annotation) for argument in function.args.args
                } <= keys, function.name
    assert shared


def shared_entries():
    """Return all values that caches of the whole server hold."""
    data = cache_data_api._data_caches._function_caches.get(None, {}).values()
    resources = cache_resource_api._resource_caches._function_caches.get(None, {}).values()
    memories = [
        *(cache.storage._mem_cache for cache in data),
        *(cache._mem_cache for cache in resources),
    ]
    return [entry for memory in memories for entry in memory.values()]


@pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
def test_a_file_leaves_nothing_behind(slug):
    """Neither in what all sessions share, nor once its own session has ended."""
    page = sound(brought(slug, marked(0)))
    upload, traces = session_of(page).upload, session_of(page).memory.traces
    assert upload.table is not None
    assert traces
    assert opening_of(slug).first is None
    entries = shared_entries()
    assert entries
    for entry in entries:
        assert MARK.encode() not in pickled(entry)
    references = [
        weakref.ref(each) for each in (upload, upload.table, upload.table.frame, *traces.values())
    ]
    del upload, traces, page
    gc.collect()
    assert [ref() for ref in references] == [None] * len(references)


def pickled(entry):
    """Return what a cache holds as bytes, to be searched."""
    if isinstance(entry, bytes):
        return entry
    try:
        return pickle.dumps(entry)
    except (TypeError, AttributeError, pickle.PicklingError):
        return repr(entry).encode()


def test_files_that_a_sampled_hash_cannot_tell_apart_stay_apart():
    n_rows = 60_000
    hashed = pd.Series(range(n_rows)).sample(HASHED, random_state=0).to_numpy()
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n_rows, 2)).round(3)
    altered = np.where(np.isin(np.arange(n_rows), hashed)[:, None], points, points + 50)
    files = [
        pd.DataFrame(X, columns=["a", "b"]).to_csv(index=False).encode() for X in (points, altered)
    ]
    first, second, reloaded = (sound(brought("kmeans", files[i], seed="5")) for i in (0, 1, 0))
    assert picture(first) != picture(second)
    assert picture(first) == picture(reloaded)
