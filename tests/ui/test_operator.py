"""The operator's table: a setting, sampled for all pages, profiled whole, shown by name only."""

import os
import threading

import pandas as pd
import pytest

from dmlib.large import profile, sample
from dmlib.trace import look
from tests.large.pieces import blobs, files
from tests.visit import (
    ignored,
    open_part,
    picture,
    plain,
    reopened,
    sentences_of,
    sound,
    stage,
    visit,
)
from ui import operator

OPERATOR = {"source": "operator"}


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table of 200 rows that the setting names, sampled by 150."""
    monkeypatch.setenv(operator.VARIABLE, str(files(blobs(), tmp_path, "parquet")))
    monkeypatch.setattr(operator, "SAMPLE", 150)
    return tmp_path


@pytest.fixture
def log(monkeypatch):
    """The messages in the server's log."""
    lines = []
    for level in ("info", "warning"):
        monkeypatch.setattr(operator.LOG, level, lambda text, *values: lines.append(text % values))
    return lines


def sampled():
    """Begin as the server does, and wait until the sample is there."""
    operator.prepare()
    operator.operator_table(operator.setting()).sampling.wait()


def captions(page):
    return plain(" ".join(caption.value for caption in page.caption))


def test_without_the_setting_there_is_no_such_source(monkeypatch):
    monkeypatch.delenv(operator.VARIABLE, raising=False)
    operator.prepare()
    page = sound(visit("kmeans", **OPERATOR))
    assert ignored(page) == {"source"}
    assert "perator" not in captions(page)


@pytest.mark.parametrize("slug", ["kmeans", "decision_tree", "linear_regression", "data_overview"])
def test_pages_show_a_sample_and_say_so(table, slug):
    sampled()
    page = sound(visit(slug, **OPERATOR))
    assert sentences_of(page) == []
    assert (
        "A sample of 150 of 200 rows of the operator's table is used, drawn with seed 0."
        in captions(page)
    )
    assert captions(page).startswith("Operator's table, a sample · ")
    assert len(stage(page)["frames"]) > 1
    assert picture(reopened(page)) == picture(page)
    assert str(table) not in repr([page.query_params, captions(page), stage(page)])


def test_until_it_is_sampled_the_page_waits(table, monkeypatch):
    go_on = threading.Event()
    draw = operator.OperatorTable._sample
    monkeypatch.setattr(
        operator.OperatorTable, "_sample", lambda self, read: go_on.wait() and draw(self, read)
    )
    page = sound(visit("kmeans", **OPERATOR))
    assert sentences_of(page) == [
        "The operator's table is being sampled. It is shown here as soon as all of it was read."
    ]
    go_on.set()
    operator.operator_table(operator.setting()).sampling.wait()
    assert len(stage(sound(page.run()))["frames"]) > 1


def test_the_exported_code_draws_the_same_sample(table):
    sampled()
    table_sample, code = operator.sampled()
    assert str(table) not in code
    names = {}
    exec(code, names)
    assert names["table"].digest == table_sample.digest
    expected = sample(os.environ[operator.VARIABLE], 150).reset_index(drop=True)
    pd.testing.assert_frame_equal(table_sample.frame, expected)


def test_the_overview_has_the_profile_of_all_rows(table):
    sampled()
    page = sound(visit("data_overview", states={"data_overview.tab": "Columns"}, **OPERATOR))
    table_on_disk = operator.operator_table(operator.setting())
    table_on_disk.profiling.wait()
    page = sound(page.run())
    assert "The whole table: 200 rows and 6 columns." in captions(page)
    assert "These numbers are of the sample." in captions(page)
    first, second = (frame.value for frame in page.dataframe[:2])
    pd.testing.assert_frame_equal(first, profile(table).frame(), check_dtype=False)
    assert second["known"].tolist() == [150] * 6
    assert table_on_disk.profiling.n_done == table_on_disk.n_pieces


def test_the_pass_shows_how_far_it_is_and_is_stopped(table, monkeypatch):
    sampled()
    table_on_disk = operator.operator_table(operator.setting())
    go_on = threading.Semaphore(0)

    def work(_):
        for _ in range(3):
            go_on.acquire()
            look()
        return profile(table)

    table_on_disk.profiling = operator.Pass(work)
    page = sound(visit("data_overview", states={"data_overview.tab": "Columns"}, **OPERATOR))
    (stop,) = [button for button in page.button if button.key == "operator.stop"]
    assert table_on_disk.profiling.running
    stop.click()
    sound(page.run())
    go_on.release()
    table_on_disk.profiling.wait()
    page = sound(page.run())
    assert "The pass over the whole table was stopped." in captions(page)
    assert table_on_disk.profiling.result is None
    (start,) = [button for button in page.button if button.key == "operator.start"]
    go_on.release(3)
    start.click()
    page.run()
    table_on_disk.profiling.wait()
    assert "The whole table: 200 rows" in captions(sound(open_part(page)))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("missing.parquet", None, "There is no file"),
        ("broken.parquet", b"no parquet", "cannot be read"),
        ("table.xlsx", b"PK", "is no Parquet or CSV file"),
        ("empty.csv", b"a,b\n", "The table has no rows."),
        (
            "ragged.csv",
            b"a,b\n" + b"1,2\n" * 9 + b"1,2,3\n",
            "The file 'ragged.csv' cannot be read",
        ),
    ],
)
def test_what_cannot_be_read_is_a_sentence_here_and_a_line_in_the_log(
    tmp_path, monkeypatch, log, name, content, reason
):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv(operator.VARIABLE, str(path))
    operator.prepare()
    if not operator.operator_table(str(path)).failed:
        sampled()
    assert len(log) == 1
    assert log[0].startswith(f"{operator.VARIABLE}: ")
    assert reason in log[0]
    page = sound(visit("kmeans", **OPERATOR))
    assert sentences_of(page) == [operator.UNREADABLE]
    assert name not in repr([page.query_params, captions(page), stage(page)])


def test_the_log_says_what_was_found(table, log):
    sampled()
    assert log == [f"{operator.VARIABLE}: 200 rows, 6 columns."]


def test_lists_in_cells_are_texts(tmp_path, monkeypatch):
    frame = blobs(40).assign(
        tags=[["a", "b"]] * 39 + [None], day=pd.date_range("2024-01-01", periods=40)
    )
    frame.to_parquet(tmp_path / "lists.parquet")
    monkeypatch.setenv(operator.VARIABLE, str(tmp_path / "lists.parquet"))
    sampled()
    table_sample, code = operator.sampled()
    assert dict(table_sample.kinds) == dict.fromkeys("abc", "numeric") | {
        "sky": "nominal",
        "y": "numeric",
        "group": "nominal",
        "tags": "nominal",
        "day": "date",
    }
    names = {}
    exec(code, names)
    assert names["table"].digest == table_sample.digest
    sound(visit("data_overview", **OPERATOR))
