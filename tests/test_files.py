"""Files of the first picture are served as Streamlit would serve them, and at once."""

import gzip
import os
import re

import pytest

from dashboard.catalogue import CATALOGUE
from ui.files import FACE, SCRIPT, STAGE, STYLE, serve
from ui.streamlit_private.first_page import FONT, STATIC, TITLE


def get(path, method="GET", status=200, **headers):
    """Ask for a path; return the headers and the content, or None if Streamlit is to answer."""
    sent = []
    header_list = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
    ]

    async def send(message):
        sent.append(message)

    with pytest.raises(StopIteration) as done:
        # It never waits.
        serve({"type": "http", "method": method, "path": path, "headers": header_list}, send).send(
            None
        )
    if not done.value.value:
        assert not sent
        return None
    assert sent[0]["status"] == status
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}, sent[1]["body"]


def index():
    return (STATIC / "index.html").read_text("utf-8")


@pytest.mark.parametrize("slug", ["", "courses", *CATALOGUE])
def test_a_page_is_streamlits_with_more_in_its_head(slug):
    headers, body = get(f"/{slug}")
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["cache-control"] == "no-cache"
    page = body.decode()
    head, page_body = FONT.sub("", index()).replace(TITLE, "").split("</head>", 1)
    assert page.startswith(head)
    assert page.endswith("</head>" + page_body)
    assert re.findall(r'href="([^"]+woff2)"', page) == [f".{STAGE}{FACE}"]
    assert ("BACKEND_BASE_URL" in page) == bool(slug)


def test_all_that_the_head_names_is_there():
    page = get("/kmeans")[1].decode()
    named = re.findall(r'href="\.(/[^"]+\.(?:js|css|woff2))"', page)
    assert len(named) == len(set(named))
    assert STAGE + SCRIPT in named
    for path in named:
        headers, body = get(path)
        assert headers["content-length"] == str(len(body))
        assert body


def test_a_file_of_streamlits_keeps_its_content_compressed_or_not():
    (file,) = (STATIC / "static" / "js").glob("BidiComponent.*.js")
    path = f"/static/js/{file.name}"
    headers, body = get(path)
    assert body == file.read_bytes()
    assert "immutable" in headers["cache-control"]
    packed_headers, packed = get(path, accept_encoding="gzip, br")
    assert packed_headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == body
    assert len(packed) < len(body)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../server.py",
        "/static//etc/passwd",
        "/static/js/none.js",
        "/static/js",
        "/live",
        "/_stcore/health",
        STAGE + "vendor/d3.js",
        STAGE + "../../server.py",
        "/pictures/none.png",
        "/pictures/../server.py",
        "/kmeans/",
        "/kmeans/_stcore/health",
        "/media/none",
        "/none.js",
    ],
)
def test_everything_else_is_left_to_streamlit(path):
    assert get(path) is None


def test_only_whole_files_are_served():
    assert get("/kmeans", method="HEAD") is None
    assert (
        get("/static/css/" + next((STATIC / "static" / "css").iterdir()).name, range="bytes=0-9")
        is None
    )


@pytest.mark.parametrize("name", [SCRIPT, STYLE])
def test_a_changed_file_of_the_stage_is_served_as_it_is_now(monkeypatch, tmp_path, name):
    (tmp_path / name).write_text("1")
    monkeypatch.setattr("ui.files.ASSETS", tmp_path)
    before = get(STAGE + name)[1]
    (tmp_path / name).write_text("22")
    os.utime(tmp_path / name, ns=(1, 1))
    assert before != get(STAGE + name)[1] == b"22"
