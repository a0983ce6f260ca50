"""Argument types of the tools: flat scalars with short descriptions, lenient about null and numbers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field


def _text(value: Any) -> Any:
    """Take null as not given and numbers as the text they are written as."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _number(value: Any) -> Any:
    return 0 if value is None else value


def _list(value: Any) -> Any:
    return [] if value is None else value


_lenient = BeforeValidator(_text)

TARGET = 'e12 | button "Save" | button "Save" in "Save As" | o7@612,80'
Target = Annotated[str, _lenient, Field(description=TARGET)]
MoreTarget = Annotated[str, _lenient, Field(description="as in click")]
MaybeTarget = Annotated[str, _lenient, Field(description="as in click; default: what has the focus")]
Expect = Annotated[
    str,
    _lenient,
    Field(
        description='what must hold afterwards: e5 is checked | e5 = "x" | e5 gone | text "Saved" | '
        'window "Save As" gone | app "x" gone | file ~/a.txt contains "x"; join with and'
    ),
]
MoreExpect = Annotated[str, _lenient, Field(description="as in click")]
App = Annotated[str, _lenient, Field(description="name, pid or window id; default: the active window's")]
Text = Annotated[str, _lenient]
Count = Annotated[int, Field(ge=0, le=3), BeforeValidator(_number)]
Amount = Annotated[int, Field(ge=0, le=100, description="wheel notches; default 3"), BeforeValidator(_number)]
Limit = Annotated[int, Field(ge=0, le=200, description="most candidates; 0: what fits"), BeforeValidator(_number)]
Words = Annotated[list[str], Field(max_length=50), BeforeValidator(_list)]
Modifiers = Annotated[list[Literal["ctrl", "shift", "alt", "super"]], BeforeValidator(_list)]
ButtonName = Literal["left", "middle", "right"]
DirectionName = Literal["up", "down", "left", "right"]
Mode = Literal["auto", "ax"]
Format = Literal["compact", "records"]
SecondaryAction = Literal[
    "press",
    "toggle",
    "select",
    "expand",
    "collapse",
    "show_menu",
    "increment",
    "decrement",
    "focus",
    "scroll_into_view",
]
