"""Reading in a process of its own gives the same, within bounds, and can be ended."""

import gc
import io
import os
import pickle
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import dmlib.datasets
from dmlib.datasets import TableError
from dmlib.datasets.reading import process
from dmlib.datasets.reading.process import FORK_SERVER, Reading

FILES = {
    "read_table": (b"a,b\n1,x\n3,y\n", "table.csv"),
    "read_baskets": (b"tea,milk\ntea\n", "shop.csv"),
    "read_graph": (b"from,to\na,b\nb,c\n", "friends.csv"),
    "read_network": (
        b"variable a { type discrete [ 2 ] { x, y }; } probability ( a ) { table 0.2, 0.8; }",
        "a.bif",
    ),
    "read_patterns": (b"#.\n.#\n\n##\n..\n", "two.txt"),
    "read_series": (b"day,sales\nmo,3\ntu,5\nwe,4\n", "week.csv"),
    "read_strings": (b"GATTACA\nCATTAG\n", "dna.txt"),
}
SLOW = b'a,b\n"' + b"x\ny\n" * 6_000_000 + b'",1\n'
"""One cell of millions of lines: it takes seconds."""


def ends(pid):
    """Whether a process ends; a test that hangs here has found one that does not."""
    while is_running(pid):
        time.sleep(0.01)
    return True


def is_running(pid):
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def process_of(reading):
    """The number of the process of a file that is being read, as soon as there is one."""
    worker = reading._end.peek()[1].__self__
    while not worker._pid:
        time.sleep(0.01)
    return worker._pid


@pytest.fixture(params=["fork", "fresh process"])
def _each_way(request, monkeypatch):
    monkeypatch.setattr(process, "CAN_FORK", request.param == "fork")


@pytest.mark.usefixtures("_each_way")
@pytest.mark.parametrize("reader", FILES)
def test_the_same_is_read(reader):
    data, name = FILES[reader]
    expected = getattr(dmlib.datasets, reader)(data, name)
    assert Reading(reader, data, name).result().digest == expected.digest


def test_images_are_read():
    file = io.BytesIO()
    Image.fromarray(np.arange(12, dtype=np.uint8).reshape(3, 4)).save(file, "png")
    expected = dmlib.datasets.read_image(file.getvalue(), "a.png")
    read = Reading("read_image", file.getvalue(), "a.png").result()
    assert np.array_equal(read.pixels, expected.pixels)


@pytest.mark.usefixtures("_each_way")
def test_refusals_come_back_with_their_reason():
    with pytest.raises(TableError, match="empty") as caught:
        Reading("read_table", b"", "nothing.csv").result()
    assert caught.value.reason == "empty_file"
    with pytest.raises(ValueError, match="There is no option 'odd'"):
        Reading("read_table", b"a\n1\n", "a.csv", {"options": {"odd": 1}}).result()


def test_a_defect_comes_back_with_its_place():
    with pytest.raises(AttributeError) as caught:
        Reading("read_nothing", b"", "a.csv").result()
    assert "program.py" in caught.value.__notes__[0]


def test_errors_of_tables_can_be_pickled():
    error = pickle.loads(pickle.dumps(TableError("ragged", "Line 3 is long.")))
    assert (error.reason, str(error)) == ("ragged", "Line 3 is long.")


def test_time_is_bounded():
    with pytest.raises(TableError, match="more than 1 seconds") as caught:
        Reading("read_table", SLOW, "slow.csv", seconds=1).result()
    assert caught.value.reason == "too_large"


def test_memory_is_bounded():
    data = b"a,b\n" + b"".join(b"%d,word %d\n" % (i, i) for i in range(200_000))
    with pytest.raises(TableError, match="memory") as caught:
        Reading("read_table", data, "large.csv", memory=2**20).result()
    assert caught.value.reason == "too_large"


def test_files_that_are_too_large_are_not_sent():
    class Huge(bytes):
        def __len__(self):
            return 2**30

    with pytest.raises(TableError, match="larger than"):
        Reading("read_table", Huge(), "huge.csv").result()


def test_progress_is_reported():
    data = b"a;b\n" + b"".join(b"%d;'%d'\n" % (i, i) for i in range(100_000))
    reading = Reading("read_table", data, "long.csv", {"options": {"quote": "'"}})
    reading.result()
    assert "rows" in reading.progress or "column" in reading.progress


@pytest.mark.usefixtures("_each_way")
def test_what_nobody_wants_is_ended():
    reading = Reading("read_table", SLOW, "slow.csv")
    pid = process_of(reading)
    assert not reading.wait(0.0)
    reading.end()
    assert ends(pid)
    assert reading.wait(60.0)  # who waits nevertheless hears of it
    with pytest.raises(TableError):
        reading.result()


def test_what_is_forgotten_is_ended():
    reading = Reading("read_table", SLOW, "slow.csv")
    pid = process_of(reading)
    del reading
    gc.collect()
    assert ends(pid)


def test_the_fork_server_is_replaced_when_it_has_died():
    FORK_SERVER.start()
    os.kill(FORK_SERVER._process.pid, signal.SIGKILL)
    FORK_SERVER._process.wait()
    assert Reading("read_strings", b"GATTACA", "dna.txt").result().texts == ("GATTACA",)


def test_all_readers_end_with_the_fork_server():
    reading = Reading("read_table", SLOW, "slow.csv")
    pid = process_of(reading)
    FORK_SERVER.end()
    assert ends(pid)
    with pytest.raises(TableError):
        reading.result()


def test_more_files_than_processors_wait_for_their_turn():
    readings = [Reading("read_strings", b"A%d" % i, "dna.txt") for i in range(8)]
    assert [reading.result().texts for reading in readings] == [(f"A{i}",) for i in range(8)]
