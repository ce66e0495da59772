"""Two visitors on one server: neither meets the other's data."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def rows(mark, n_rows=40, shift=0.0):
    body = "".join(f"{i * 7 % 31 + shift},{i * i % 29},{mark}-{i % 2}\n" for i in range(n_rows))
    return f"{mark} a,{mark} b,class\n{body}".encode()


def give(stage, content):
    stage.open("kmeans", source="upload")
    stage.upload(content)
    stage.page.get_by_role("button", name="What was read").wait_for()
    return stage.settle()


def everything(stage):
    """Return the content of a visitor's page: its text, its controls and the scene of its stage."""
    dialog = stage.what_was_read()
    text = stage.page.content()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).not_to_be_visible()
    return text + stage.caption + stage.ledger


def test_files_of_equal_shape_stay_apart(visitor):
    first, second = give(visitor(), rows("walnut")), give(visitor(), rows("quince", shift=0.5))
    pictures = [stage.state() for stage in (first, second)]
    for stage in (first, second):
        stage.press("End").settle()
    contents = [everything(stage) for stage in (first, second)]
    assert "walnut" in contents[0]
    assert "quince" not in contents[0]
    assert "quince" in contents[1]
    assert "walnut" not in contents[1]
    assert pictures[0] != pictures[1]


def test_equal_bytes_beneath_another_name_stay_apart(visitor):
    first, second = give(visitor(), rows("walnut")), give(visitor(), rows("quince"))
    assert "quince" not in everything(first)
    assert "walnut" not in everything(second)


def test_a_link_to_a_file_does_not_hand_it_over(visitor):
    first = give(visitor(), rows("walnut"))
    second = visitor()
    second.go(first.page.url)
    expect(second.page.get_by_text("Choose a file").first).to_be_visible()
    assert "walnut" not in second.page.content()


def test_a_file_is_gone_after_the_page_is_left(visitor):
    stage = give(visitor(), rows("walnut"))
    stage.page.goto("about:blank")
    stage.open("kmeans", source="upload")
    assert "walnut" not in stage.page.content()
