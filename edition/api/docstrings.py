"""Docstrings as HTML: numpydoc's sections, with formulas, references and examples."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from html import escape
from textwrap import indent
from typing import Any

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import roles
from docutils.utils import SystemMessage
from docutils.writers import html5_polyglot
from markupsafe import Markup
from numpydoc.docscrape import NumpyDocString
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer

from edition.lessons import formula

FIELDS = ("Parameters", "Other Parameters", "Attributes")
RESULTS = ("Returns", "Yields", "Raises", "Warns")
NAMES = ("class", "func", "meth", "attr", "mod", "data", "exc", "obj")
"""Roles of names of Python."""
NEXT_REFERENCE = r"\n\s*\n|(?:(?<=[a-z0-9)]\.)|(?<=[A-Z]{2}\.))\s+(?=[A-Z]\.[ -][^()]+\(\d{4})"
"""Between two references: an empty line, or a full stop before initials, names and a year."""
WARNING = 2  # level of messages of docutils

Resolve = Callable[[str], str]
"""A name -> the address of its description; empty where there is none."""


class DocstringError(Exception):
    """A docstring cannot be shown; a sentence says which, and why."""


class Translator(html5_polyglot.HTMLTranslator):  # type: ignore[misc]
    """HTML of docutils, with formulas and examples as elsewhere in the edition."""

    def visit_math(self, node: nodes.math) -> None:
        """Write a formula in a line."""
        self.body.append(f'<span class="inline">{formula(node.astext())}</span>')
        raise nodes.SkipNode

    def visit_math_block(self, node: nodes.math_block) -> None:
        """Write a formula in lines of its own."""
        latex = formula(node.astext(), {"display_mode": True})
        self.body.append(f'<div class="block" tabindex="0">{latex}</div>\n')
        raise nodes.SkipNode

    def visit_literal(self, node: nodes.literal) -> None:
        """Write a name of Python, or code in a line."""
        self.body.append(f"<code>{escape(node.astext())}</code>")
        raise nodes.SkipNode

    def visit_doctest_block(self, node: nodes.doctest_block) -> None:
        """Write an example, highlighted."""
        code = highlight(node.astext(), PythonConsoleLexer(), HtmlFormatter(nowrap=True))
        self.body.append(f'<pre class="code" tabindex="0">{code}</pre>\n')
        raise nodes.SkipNode


def html_of(name: str, value: Any, resolve: Resolve) -> Markup:
    """Return the docstring of a function or class as HTML, with its public methods.

    Parameters
    ----------
    name : str
        From where it is imported.
    value : type or callable
        The function or class.
    resolve : callable
        From names to addresses.

    Raises
    ------
    DocstringError
        If it cannot be parsed.
    """
    writer = html5_polyglot.Writer()
    writer.translator_class = Translator
    settings = {
        "halt_level": WARNING,
        "warning_stream": False,
        "initial_header_level": 3,
        "doctitle_xform": False,
        "raw_enabled": False,
        "file_insertion_enabled": False,
        "id_prefix": f"{name.rpartition('.')[2]}-",
        "resolve": resolve,
    }
    try:
        source = restructured(value.__doc__ or "", "-")
        if methods := _methods(value) if inspect.isclass(value) else "":
            source += f"\n\nMethods\n-------\n\n{methods}"
        parts = publish_parts(source, writer=writer, settings_overrides=settings)
    except (SystemMessage, ValueError, UserWarning) as error:
        reason = " ".join(str(error).removeprefix("<string>:").split())
        raise DocstringError(
            f"The docstring of {name} cannot be parsed; correct it: {reason}"
        ) from None
    return Markup(parts["body"])


def signature(function: Any) -> str:
    """Return the parameters of a function with their defaults.

    Examples
    --------
    >>> signature(html_of), signature(int.to_bytes)
    ('(name, value, resolve)', "(length=1, byteorder='big', *, signed=False)")
    """
    parameters = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in inspect.signature(function).parameters.values()
        if each.name != "self"
    ]
    text = str(inspect.Signature(parameters))
    return re.sub(r"<factory>|<\w[^,]* at 0x\w+>", "...", text)


def restructured(docstring: str, underline: str = "") -> str:
    r"""Return a docstring in numpydoc form as reStructuredText.

    Parameters
    ----------
    docstring : str
        The docstring.
    underline : str
        The character below headings; empty where they are no sections.

    Examples
    --------
    >>> print(restructured("A line.\n\nRaises\n------\nValueError\n    If so."))
    A line.
    <BLANKLINE>
    .. rubric:: Raises
    <BLANKLINE>
    ``ValueError``
        If so.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parsed = NumpyDocString(inspect.cleandoc(docstring))
    parts = ["\n".join(parsed["Summary"]), "\n".join(parsed["Extended Summary"])]
    for title, text in _sections(parsed):
        heading = f"{title}\n{underline * len(title)}" if underline else f".. rubric:: {title}"
        parts += [heading, text]
    return "\n\n".join(filter(None, parts))


def _methods(model: type) -> str:
    """Return the public methods and properties of a class as reStructuredText."""
    described, inherited = [], []
    for name, member in inspect.getmembers_static(model):
        getter = getattr(member, "fget", None) or getattr(member, "func", None)
        method = getter or getattr(model, name)
        module, docstring = getattr(method, "__module__", "") or "", inspect.getdoc(method)
        is_public = name[0].islower() and inspect.isroutine(method)
        if not is_public or not docstring:
            continue
        if module == "sklearn.base":
            inherited.append(f"``{name}``")
        elif module.startswith("dmlib"):
            term = f"``{name}``" if getter else f"``{name}{signature(method)}``"
            described.append(f"{term}\n{indent(restructured(docstring), '    ')}")
    if inherited:
        described.append(f"As in scikit-learn: {', '.join(inherited)}.")
    return "\n\n".join(described)


def _sections(parsed: NumpyDocString) -> Iterator[tuple[str, str]]:
    """Yield the sections of a docstring, with what they hold as reStructuredText."""
    for title in (*FIELDS, *RESULTS):
        if parsed[title]:
            yield title, "\n\n".join(map(_field, parsed[title]))
    if parsed["See Also"]:
        yield "See Also", "\n".join(_see_also(*entry) for entry in parsed["See Also"])
    for title in ("Warnings", "Notes"):
        if parsed[title]:
            yield title, "\n".join(parsed[title])
    if parsed["References"]:
        yield "References", _references("\n".join(parsed["References"]))
    if parsed["Examples"]:
        yield "Examples", "\n".join(parsed["Examples"])


def _field(field: Any) -> str:
    """Return a parameter, an attribute, a result or an error as an item of a list."""
    kind = re.sub(r"([\\*`|_<>])", r"\\\1", field.type)
    if not field.name:
        term = f"``{field.type}``" if field.type.isidentifier() else kind
    else:
        term = f"``{field.name}`` : {kind}" if kind else f"``{field.name}``"
    return f"{term}\n{indent(chr(10).join(field.desc) or '..', '    ')}"


def _see_also(names: list[tuple[str, str | None]], description: list[str]) -> str:
    links = ", ".join(f":obj:`{name}`" for name, _ in names)
    return f"- {links}: {' '.join(description)}" if description else f"- {links}"


def _references(text: str) -> str:
    r"""Return references as a numbered list.

    Examples
    --------
    >>> print(_references("E. F. Codd (1970), A model. J. R. Quinlan (1986), Trees."))
    #. \E. F. Codd (1970), A model.
    #. \J. R. Quinlan (1986), Trees.
    """
    entries = re.split(NEXT_REFERENCE, text.strip())
    # A first initial would be the number of a list of its own.
    return "\n".join(f"#. \\{' '.join(entry.split())}" for entry in entries)


def _name_role(
    role: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Any,
    options: Any = None,
    content: Any = None,
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return a name of Python, which leads to its description where that is there."""
    target = text.lstrip("~")
    label = target.rpartition(".")[2] if text.startswith("~") else target
    code = nodes.literal(rawtext, label)
    address = inliner.document.settings.resolve(target)
    return [nodes.reference(rawtext, "", code, refuri=address) if address else code], []


for each in NAMES:
    roles.register_canonical_role(each, _name_role)
