"""Every response of a running server has its headers, and no request costs too much."""

import contextlib
import http.client
import json
import socket

import pytest

from server import failed
from tests.browser.running import Server
from ui.headers import VARIABLE, adding, headers
from ui.live import MAX_QUESTION

FRAMES = "https://moodle.example.org"
MAX_BYTES = 50 * 2**20  # more than the system holds for the two ends of a connection
PATHS = (
    "/",
    "/kmeans",
    "/no-such-page",
    "/static/none.js",
    "/favicon.png",
    "/media/none.png",
    "/component/none/file.js",
    "/_stcore/health",
    "/_stcore/metrics",
    "/_stcore/host-config",
    "/_stcore/bidi-components/dmlib.stage/stage.min.js",
    "//elsewhere",
    "/live",
    "/join",
    "/join/ABCDEF",
    "/room/ABCDEF/events",
    "/room/files/none.js",
)


@pytest.fixture(scope="module")
def running():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, FRAMES)
        with Server() as server:
            yield server
            assert "Traceback" not in server.log, server.log


def ask(server, path, method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
@pytest.mark.parametrize("path", PATHS)
def test_every_response_says_who_may_frame_it(running, path, method):
    answer = ask(running, path, method)
    assert answer.headers.get_all("Content-Security-Policy") == [f"frame-ancestors 'self' {FRAMES}"]
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert answer.headers.get_all("Referrer-Policy") == ["no-referrer"]


def test_an_error_says_so_too_and_nothing_else(monkeypatch):
    headers.cache_clear()
    monkeypatch.setenv(VARIABLE, "")
    answer = failed(None, KeyError("secret"))
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
    assert answer.status_code == 500
    assert b"secret" not in answer.body
    headers.cache_clear()


def test_what_streamlit_says_itself_is_said_once():
    sent = []

    async def send(message):
        sent.append(message)

    message = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"x-content-type-options", b"nosniff")],
    }
    with pytest.raises(StopIteration):  # it never waits
        adding(send)(message).send(None)
    assert [name for name, _ in sent[0]["headers"]].count(b"x-content-type-options") == 1


@pytest.mark.parametrize(
    ("templates", "status"),
    [
        ({}, 204),
        ({"Origin": "http://localhost:{port}"}, 204),
        ({"Origin": "http://127.0.0.1:{port}"}, 204),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "elsewhere.example"}, 403),
        ({"Host": "elsewhere.example", "Origin": "http://elsewhere.example"}, 403),
    ],
)
def test_the_stage_is_answered_to_the_hosts_and_origins_of_the_websocket(
    running, templates, status
):
    headers = {name: value.format(port=running.port) for name, value in templates.items()}
    assert (
        ask(running, "/live", "POST", json.dumps({"token": "of nobody"}), **headers).status
        == status
    )


def test_a_long_question_is_refused_before_it_is_sent(running):
    with socket.create_connection(("127.0.0.1", running.port), 60) as connection:
        connection.sendall(
            b"POST /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000000\r\n\r\n"
        )
        answer = connection.makefile("rb").read()  # the server ends the connection
    assert answer.startswith(b"HTTP/1.1 413")


def test_a_question_without_end_is_cut_off(running):
    n_bytes = 0
    with socket.create_connection(("127.0.0.1", running.port), 60) as connection:
        connection.sendall(
            b"POST /live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        with contextlib.suppress(ConnectionError):
            while n_bytes < MAX_BYTES:
                n_bytes += connection.send(b"1000\r\n" + b" " * 4096 + b"\r\n")
    assert n_bytes < MAX_BYTES


@pytest.mark.parametrize("body", [b"[" * 4000, b'{"a":' * 800, b"\xff", b"1" * MAX_QUESTION])
def test_what_is_no_question_gets_no_answer(running, body):
    assert ask(running, "/live", "POST", body).status == 204


def test_questions_that_are_given_up_leave_nothing(running):
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", running.port), 60) as connection:
            connection.sendall(
                b'POST /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{"token"'
            )
    assert ask(running, "/_stcore/health").status == 200
    assert "/live" not in running.log
