"""Many things are asked in one test, and each that fails has its name."""

from contextlib import contextmanager

from tests.contract.asking import ask_all


class Subtests:
    """Subtests that note their failures instead of reporting them."""

    def __init__(self):
        self.failures = {}

    @contextmanager
    def test(self, name):
        try:
            yield
        except Exception as error:
            self.failures[name] = error


def test_each_case_that_fails_is_named_and_all_are_checked():
    checked = []

    def check(page, number):
        checked.append(number)
        assert number % 2
        1 / (number - 3)

    subtests = Subtests()
    ask_all(subtests, check, [("kmeans", number) for number in range(5)])
    assert checked == [0, 1, 2, 3, 4]
    assert {name: type(error) for name, error in subtests.failures.items()} == {
        "kmeans 0": AssertionError,
        "kmeans 2": AssertionError,
        "kmeans 3": ZeroDivisionError,
        "kmeans 4": AssertionError,
    }
