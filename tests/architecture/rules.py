"""House rules that import-linter cannot see, as functions from source text to findings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

MODULE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60
FORBIDDEN_WORDS = frozenset({"common", "helper", "helpers", "manager", "service", "util", "utils"})
IMPURE_MODULES = frozenset({"asyncio", "io", "os", "random", "secrets", "socket", "subprocess", "threading", "time"})
IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint"})
IMPURE_MEMBERS = frozenset({"now", "today", "utcnow", "read_text", "read_bytes", "write_text", "write_bytes", "uuid4"})
PURE_PACKAGES = frozenset({"codec", "compile", "errors", "pixels", "policy", "records", "render", "verify"})
ENUMS = frozenset({"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"})
RECORD_OPTIONS = {"frozen": True, "slots": True, "kw_only": True}

# Written in pieces, or this file would be the first finding.
_HOSTS = (
    "pypi" + r"\.org",
    "pythonhosted" + r"\.org",
    "npmjs" + r"\.(org|com)",
    "registry" + r"\.yarnpkg",
    "deb" + r"\.debian\.org",
)
_PATHS = ("/work" + r"/(main|shared|\.)", "/tmp/" + "bash_jobs", "/opt/" + "pypi", "/opt/" + "wheels")
_MACHINE = re.compile("|".join(_HOSTS + _PATHS))


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """One place that breaks a rule."""

    line: int
    rule: str


def impurities(source: str) -> tuple[Finding, ...]:
    """Find what a function of its arguments has no business with: clocks, files, processes, chance, async."""
    return tuple(sorted({found for node in ast.walk(ast.parse(source)) for found in _impurities_of(node)}))


def _impurities_of(node: ast.AST) -> Iterator[Finding]:
    match node:
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            yield Finding(line=node.lineno, rule="async")
        case ast.Import(names=names):
            roots = {alias.name.partition(".")[0] for alias in names}
            yield from (Finding(line=node.lineno, rule=f"import {name}") for name in roots & IMPURE_MODULES)
        case ast.ImportFrom(module=str(module), level=0) if module.partition(".")[0] in IMPURE_MODULES:
            yield Finding(line=node.lineno, rule=f"import {module}")
        case ast.Global():
            yield Finding(line=node.lineno, rule="global")
        case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
            yield Finding(line=node.lineno, rule=f"{name}()")
        case ast.Call(func=ast.Attribute(attr=name)) if name in IMPURE_MEMBERS | {"open"}:
            yield Finding(line=node.lineno, rule=f".{name}()")


def prints(source: str) -> tuple[Finding, ...]:
    """Find calls of print and writes to the standard streams."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                found.add(Finding(line=node.lineno, rule="print()"))
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"), attr="write"
                )
            ):
                found.add(Finding(line=node.lineno, rule="sys stream write()"))
    return tuple(sorted(found))


def too_long(source: str) -> tuple[Finding, ...]:
    """Find a module and functions above the limits; a decorator counts as a line of its function."""
    found = set()
    if (lines := len(source.splitlines())) > MODULE_LINES_MAX:
        found.add(Finding(line=1, rule=f"module of {lines} lines"))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if (length := (node.end_lineno or node.lineno) - first + 1) > FUNCTION_LINES_MAX:
                found.add(Finding(line=node.lineno, rule=f"{node.name} of {length} lines"))
    return tuple(sorted(found))


def undocumented(source: str) -> tuple[Finding, ...]:
    """Find a module whose first statement is no docstring; an empty module counts."""
    return () if ast.get_docstring(ast.parse(source)) else (Finding(line=1, rule="no module docstring"),)


def forbidden_names(path: str) -> tuple[str, ...]:
    """Find the words in a module's path that name a drawer and not an idea."""
    words = re.split(r"[/_.]", path.removesuffix(".py"))
    return tuple(word for word in words if word.lower() in FORBIDDEN_WORDS)


def loose_records(source: str) -> tuple[Finding, ...]:
    """Find classes that are neither a frozen, slotted, keyword-only dataclass nor an enumeration nor an exception."""
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return tuple(sorted(Finding(line=node.lineno, rule=node.name) for node in classes if not _is_value(node)))


def _is_value(node: ast.ClassDef) -> bool:
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    if bases & (ENUMS | {"Exception", "Protocol"}) or any(name.endswith("Error") for name in bases):
        return True
    for decorator in node.decorator_list:
        if (
            isinstance(decorator, ast.Call)
            and isinstance(decorator.func, ast.Name)
            and decorator.func.id == "dataclass"
        ):
            given = {word.arg: word.value.value for word in decorator.keywords if isinstance(word.value, ast.Constant)}
            return all(given.get(option) is value for option, value in RECORD_OPTIONS.items())
    return False


def machine_traces(text: str) -> tuple[Finding, ...]:
    """Find names of package registries' hosts and paths of the machine that somebody worked on."""
    return tuple(
        Finding(line=number, rule=match.group())
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := _MACHINE.search(line))
    )
