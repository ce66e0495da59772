"""No regular expression on what a visitor brings takes more than linear time, whatever it is given.

All expressions of the readers are tried with repeated characters of their own, at growing lengths.
Time is that of the thread, and only its growth counts.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import re._constants as codes
import re._parser as parser
from contextlib import suppress
from itertools import product
from time import thread_time
from unittest import mock

import pytest

import dmlib.datasets.reading as package
from dmlib.datasets import TableError, read_table
from dmlib.datasets.reading.cells import MAX_LETTERS, matching

METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
SHORT = (8, 12, 16, 20, 24, 32, 64, 128, 256, 512)
"""Lengths at which exponential time is found out before it stands still."""
LONG = (2048, 16384)
# Seconds that no linear expression needs for a short text, and that can be told from noise
NOTICEABLE = 0.02
MAX_GROWTH = 3.0  # times the growth of the length
MAX_CHARACTERS = 8
CATEGORIES = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "1", codes.CATEGORY_WORD: "a"}
NAMES = [f"{package.__name__}.{each.name}" for each in pkgutil.iter_modules(package.__path__)]
MODULES = [importlib.import_module(name) for name in NAMES]


def uses():
    """All (module, method, pattern, flags) of the readers that are known before they run."""
    for module in MODULES:
        for call in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(call, ast.Call) and call.args:
                yield from ((module.__name__, *use) for use in uses_in(call, vars(module)))


def uses_in(call, names):
    """The expression that a call uses, with its method; none where it depends on what is read."""
    name, function = ast.unparse(call.func), call.func
    try:
        if name == "matching" and len(call.args) > 1:  # the search has a function of this name
            yield "matching", value(call.args[1], names), 0
        elif name.startswith("re.") and function.attr in METHODS:
            flags = next(
                (value(each.value, names) for each in call.keywords if each.arg == "flags"), 0
            )
            flags = (
                value(call.args[2], names)
                if function.attr in METHODS[:3] and len(call.args) > 2
                else flags
            )
            yield function.attr, value(call.args[0], names), flags
        elif isinstance(function, ast.Attribute) and function.attr in METHODS:
            for pattern in compiled(value(function.value, names)):
                yield function.attr, pattern.pattern, pattern.flags
    except NameError:
        return


def value(expression, names):
    return eval(compile(ast.Expression(expression), "", "eval"), dict(names))


def compiled(constant):
    """The compiled expressions in a constant."""
    if isinstance(constant, re.Pattern):
        yield constant
    elif isinstance(constant, dict):
        yield from compiled([*constant, *constant.values()])
    elif isinstance(constant, tuple | list):
        for each in constant:
            yield from compiled(each)


def constants():
    """All compiled constants of the readers, with every method."""
    for module in MODULES:
        for constant in vars(module).values():
            for pattern in compiled(constant):
                yield module.__name__, "match", pattern.pattern, pattern.flags


def uses_while_reading():
    """The expressions that are made of what is read: of separators and quotes."""
    seen = {}

    def spy(pattern, flags=0, _compile=re._compile):
        frame = inspect.currentframe().f_back.f_back
        name = frame.f_globals["__name__"]
        if name.startswith(package.__name__) and isinstance(pattern, str | bytes):
            method = inspect.currentframe().f_back.f_code.co_name
            seen[name, method if method in METHODS else "match", pattern, int(flags)] = None
        return _compile(pattern, flags)

    texts = [
        f"a{mark}b{mark}c\n{quote}x y{quote}{mark}2{mark}3\n{quote}z{quote}{mark}5{mark}6\n"
        for mark, quote in product([",", ";", "\t", "|", " ", "  ", ":", "||"], ["", '"', "'"])
    ]
    with mock.patch.object(re, "_compile", spy):
        for text in texts:
            with suppress(TableError):
                read_table(text.encode(), "sample.csv")
    return list(seen)


def characters(pattern, flags):
    """Characters that an expression tells apart, first those that are no letters."""
    return sorted(dict.fromkeys(kinds(parser.parse(pattern, flags))), key=str.isalpha)[
        :MAX_CHARACTERS
    ]


def kinds(node):
    """One character of each kind in a part of a parsed expression."""
    for code, argument in node:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(argument)
        elif code is codes.RANGE:
            yield chr(argument[0])
        elif code is codes.CATEGORY:
            yield CATEGORIES.get(argument, "~")
        elif code in (codes.ANY, codes.NEGATE):
            yield "~"
        elif code is codes.IN:
            yield from kinds(argument)
        else:
            parts = argument[1] if code is codes.BRANCH else argument
            for part in parts if isinstance(parts, list | tuple) else [parts]:
                yield from kinds(part) if isinstance(part, parser.SubPattern) else ()


def worst_texts(pattern, flags):
    """Functions of a length that return texts on which an expression may stumble."""
    chosen = [*characters(pattern, flags), "\n"]
    for start, middle in product(["", *chosen], chosen):
        yield lambda n, start=start, middle=middle: f"{start}{middle * n}\0"
    for first, second in product(chosen, chosen):
        if first != second:
            yield lambda n, pair=first + second: f"{pair * (n // 2)}\0"


def seconds(call, text):
    """The time that a call takes for a text, the least of three if it can be noticed."""
    times = []
    while len(times) < 3 and min(times, default=1.0) > NOTICEABLE:
        start = thread_time()
        call(text)
        times.append(thread_time() - start)
    return min(times)


def caller(method, pattern, flags):
    """A function of a text that uses an expression."""
    if method == "matching":
        return lambda text: matching([text], pattern)
    expression = re.compile(pattern, flags)
    if method == "sub":
        return lambda text: expression.sub("", text)
    if method == "finditer":
        return lambda text: list(expression.finditer(text))
    return getattr(expression, method)


def slow_text(method, pattern, flags):
    """A text for which an expression takes more than linear time, shortened, or None."""
    call = caller(method, pattern, flags)
    is_bytes = isinstance(pattern, bytes)
    for text_of in worst_texts(pattern, flags):
        encoded = (lambda n, text_of=text_of: text_of(n).encode()) if is_bytes else text_of
        if any(seconds(call, encoded(n)) > NOTICEABLE for n in SHORT):
            return text_of(8)
        before, after = (seconds(call, encoded(n)) for n in LONG)
        if after > NOTICEABLE and after > MAX_GROWTH * LONG[1] / LONG[0] * before:
            return text_of(8)
    return None


USES = list(dict.fromkeys([*uses(), *constants(), *uses_while_reading()]))


def test_expressions_are_found():
    assert len(USES) > 80
    assert {"search", "match", "fullmatch", "matching"} <= {method for _, method, *_ in USES}


@pytest.mark.parametrize("module", sorted({module for module, *_ in USES}))
def test_time_grows_at_most_linearly(module):
    slow = {
        (method, pattern): text
        for name, method, pattern, flags in USES
        if name == module and (text := slow_text(method, pattern, flags)) is not None
    }
    assert slow == {}


def test_the_test_finds_what_is_slow():
    assert slow_text("match", r"(?:<!--.*?-->|\s*)*<graphml", 0) is not None
    assert slow_text("fullmatch", r"[0-9]+[0-9.]*[0-9]*x", 0) is not None
    assert slow_text("search", r"\s+x", 0) is not None
    assert slow_text("match", r"[0-9]+x", 0) is None


@pytest.mark.parametrize(
    "letter", ["1", "9.", "a", "é", "-", ",", "\u202f", '"', "'", "<!---->", "{", "(", "\t", "%"]
)
def test_long_cells_are_no_numbers(letter):
    assert not matching([letter * MAX_LETTERS + "!" * 2], ".*").any()
