"""The server's settings exist in this Streamlit, and the warm-up does what it says."""

import subprocess
import sys
import tomllib
from pathlib import Path

from streamlit import config

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))


def test_every_setting_exists():
    options = config.get_config_options(force_reparse=False)
    names = [
        f"{section}.{name}"
        for section, values in SETTINGS.items()
        if section != "theme"
        for name in values
    ]
    assert [name for name in names if name not in options] == []


def test_the_settings_that_keep_visitors_safe():
    assert SETTINGS["server"]["address"] == "127.0.0.1"
    assert SETTINGS["browser"]["gatherUsageStats"] is False
    assert SETTINGS["client"]["showErrorDetails"] == "none"
    assert SETTINGS["client"]["disableDataExport"] is True


def test_warm_up_leaves_one_thread_nothing_to_collect_and_a_quiet_log():
    code = """
import gc, sys, threading
import server
server.warm_up()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert {"sklearn", "scipy.stats", "plotly.graph_objects", "networkx", "ui"} <= sys.modules.keys()
def threads():
    import threadpoolctl
    found.extend(pool["num_threads"] for pool in threadpoolctl.threadpool_info())
found = []
# As the script threads: OpenMP keeps its setting per thread
thread = threading.Thread(target=threads)
thread.start(); thread.join()
assert set(found) == {1}, found
from dmlib.decomposition import NMF
NMF(1, max_iter=1, tol=0.0).fit([[1.0, 2.0], [3.0, 1.0]])  # does not converge
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr


def test_an_error_becomes_a_sentence():
    from streamlit.testing.v1 import AppTest

    page = AppTest.from_string("import server; server.explain(KeyError('secret'))").run(timeout=600)
    assert "met an error" in page.error[0].value
    assert "secret" not in page.error[0].value
