"""AT-SPI's numbers for roles and states, in our words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from tactile.records.vocabulary import Role, State

# Native words by role number. Numbers are the stable part: "push button" became "button" in at-spi2-core 2.5x.
# Source: the AtspiRole enumeration of at-spi2-core 2.46 and 2.56.
NATIVE_ROLES: tuple[str, ...] = (
    *("invalid", "accelerator label", "alert", "animation", "arrow", "calendar", "canvas", "check box"),
    *("check menu item", "color chooser", "column header", "combo box", "date editor", "desktop icon"),
    *("desktop frame", "dial", "dialog", "directory pane", "drawing area", "file chooser", "filler"),
    *("focus traversable", "font chooser", "frame", "glass pane", "html container", "icon", "image"),
    *("internal frame", "label", "layered pane", "list", "list item", "menu", "menu bar", "menu item"),
    *("option pane", "page tab", "page tab list", "panel", "password text", "popup menu", "progress bar"),
    *("push button", "radio button", "radio menu item", "root pane", "row header", "scroll bar", "scroll pane"),
    *("separator", "slider", "spin button", "split pane", "status bar", "table", "table cell"),
    *("table column header", "table row header", "tearoff menu item", "terminal", "text", "toggle button"),
    *("tool bar", "tool tip", "tree", "tree table", "unknown", "viewport", "window", "extended", "header"),
    *("footer", "paragraph", "ruler", "application", "autocomplete", "editbar", "embedded", "entry", "chart"),
    *("caption", "document frame", "heading", "page", "section", "redundant object", "form", "link"),
    *("input method window", "table row", "tree item", "document spreadsheet", "document presentation"),
    *("document text", "document web", "document email", "comment", "list box", "grouping", "image map"),
    *("notification", "info bar", "level bar", "title bar", "block quote", "audio", "video", "definition"),
    *("article", "landmark", "log", "marquee", "math", "rating", "timer", "static", "math fraction"),
    *("math root", "subscript", "superscript", "description list", "description term", "description value"),
    *("footnote", "content deletion", "content insertion", "mark", "suggestion", "push button menu", "switch"),
)

PASSWORD_ROLE = 40
TEXT_ROLE = 61
ENTRY_ROLE = 79

_ROLES: dict[int, Role] = {
    2: Role.ALERT,
    5: Role.CALENDAR,
    6: Role.CANVAS,
    7: Role.CHECK_BOX,
    8: Role.CHECK_MENU_ITEM,
    9: Role.COLOR_CHOOSER,
    10: Role.COLUMN_HEADER,
    11: Role.COMBO_BOX,
    12: Role.GROUPING,
    13: Role.ICON,
    17: Role.PANEL,
    15: Role.SLIDER,
    16: Role.DIALOG,
    18: Role.CANVAS,
    19: Role.FILE_CHOOSER,
    20: Role.PANEL,
    22: Role.DIALOG,
    23: Role.FRAME,
    26: Role.ICON,
    27: Role.IMAGE,
    28: Role.FRAME,
    29: Role.LABEL,
    30: Role.PANEL,
    31: Role.LIST,
    32: Role.LIST_ITEM,
    33: Role.MENU,
    34: Role.MENU_BAR,
    35: Role.MENU_ITEM,
    37: Role.PAGE_TAB,
    38: Role.PAGE_TAB_LIST,
    39: Role.PANEL,
    40: Role.PASSWORD_TEXT,
    41: Role.POPUP_MENU,
    42: Role.PROGRESS_BAR,
    43: Role.BUTTON,
    44: Role.RADIO_BUTTON,
    45: Role.RADIO_MENU_ITEM,
    46: Role.PANEL,
    47: Role.ROW_HEADER,
    48: Role.SCROLL_BAR,
    49: Role.SCROLL_PANE,
    50: Role.SEPARATOR,
    51: Role.SLIDER,
    52: Role.SPIN_BUTTON,
    53: Role.SPLIT_PANE,
    54: Role.STATUS_BAR,
    55: Role.TABLE,
    56: Role.TABLE_CELL,
    57: Role.COLUMN_HEADER,
    58: Role.ROW_HEADER,
    59: Role.MENU_ITEM,
    60: Role.TERMINAL,
    61: Role.TEXT,
    62: Role.TOGGLE_BUTTON,
    63: Role.TOOL_BAR,
    64: Role.TOOL_TIP,
    65: Role.TREE,
    66: Role.TREE_TABLE,
    68: Role.VIEWPORT,
    69: Role.WINDOW,
    71: Role.PANEL,
    72: Role.PANEL,
    73: Role.PARAGRAPH,
    75: Role.APPLICATION,
    76: Role.ENTRY,
    79: Role.ENTRY,
    81: Role.LABEL,
    82: Role.DOCUMENT,
    83: Role.HEADING,
    84: Role.PANEL,
    85: Role.PANEL,
    87: Role.PANEL,
    88: Role.LINK,
    90: Role.TABLE_ROW,
    91: Role.TREE_ITEM,
    92: Role.DOCUMENT,
    93: Role.DOCUMENT,
    94: Role.DOCUMENT,
    95: Role.DOCUMENT,
    96: Role.DOCUMENT,
    98: Role.LIST,
    99: Role.GROUPING,
    101: Role.NOTIFICATION,
    102: Role.INFO_BAR,
    103: Role.LEVEL_BAR,
    104: Role.TITLE_BAR,
    105: Role.PANEL,
    109: Role.PANEL,
    110: Role.PANEL,
    116: Role.LABEL,
    129: Role.BUTTON,
    130: Role.SWITCH,
}

_FIELD = frozenset({State.EDITABLE, State.SINGLE_LINE, State.READ_ONLY})  # any of them: a field, not running text

STATE_BITS: dict[int, State] = {
    1: State.ACTIVE,
    3: State.BUSY,
    4: State.CHECKED,
    5: State.COLLAPSED,
    6: State.DEFUNCT,
    7: State.EDITABLE,
    8: State.ENABLED,
    9: State.EXPANDABLE,
    10: State.EXPANDED,
    11: State.FOCUSABLE,
    12: State.FOCUSED,
    15: State.ICONIFIED,
    16: State.MODAL,
    17: State.MULTI_LINE,
    18: State.MULTISELECTABLE,
    20: State.PRESSED,
    22: State.SELECTABLE,
    23: State.SELECTED,
    24: State.SENSITIVE,
    25: State.SHOWING,
    26: State.SINGLE_LINE,
    28: State.TRANSIENT,
    30: State.VISIBLE,
    31: State.MANAGES_DESCENDANTS,
    32: State.INDETERMINATE,
    33: State.REQUIRED,
    36: State.INVALID_ENTRY,
    39: State.DEFAULT,
    40: State.VISITED,
    41: State.CHECKABLE,
    42: State.HAS_POPUP,
    43: State.READ_ONLY,
}


class Toolkit(StrEnum):
    """What speaks on the other side, as far as reading and acting must differ."""

    GTK3 = "gtk3"  # also LibreOffice and GTK 2: they share the ATK bridge
    GTK4 = "gtk4"
    QT = "qt"
    CHROMIUM = "chromium"
    GECKO = "gecko"
    OTHER = "other"


_GTK = frozenset({Toolkit.GTK3, Toolkit.GTK4})
_WEB = frozenset({Toolkit.CHROMIUM, Toolkit.GECKO})
# Actions by which a button that folds its content away is told from one that opens a menu.
_FOLDS = {Toolkit.GTK4: frozenset({"activate"}), Toolkit.GECKO: frozenset({"expand", "collapse"})}


def toolkit_of(name: str) -> Toolkit:
    """Classify by the ToolkitName property; case matters, GTK 3 says "gtk" and GTK 4 says "GTK"."""
    known = {
        "gtk": Toolkit.GTK3,
        "gail": Toolkit.GTK3,
        "GAIL": Toolkit.GTK3,  # GTK 2.24
        "GTK": Toolkit.GTK4,
        "Qt": Toolkit.QT,
        "Chromium": Toolkit.CHROMIUM,
        "Gecko": Toolkit.GECKO,
    }
    return known.get(name, Toolkit.OTHER)


def native_role(number: int) -> str:
    """Return AT-SPI's word for a role number; "role 200" for a number newer than this table."""
    return NATIVE_ROLES[number] if 0 <= number < len(NATIVE_ROLES) else f"role {number}"


def states_of(words: Sequence[int]) -> frozenset[State]:
    """Decode GetState's words of 32 bits; bits without a meaning for us are left out."""
    bits = sum(word << 32 * index for index, word in enumerate(words))
    return frozenset(state for bit, state in STATE_BITS.items() if bits >> bit & 1)


def role_of(number: int, states: frozenset[State], actions: Sequence[str], toolkit: Toolkit) -> Role:
    """Return our role, evening out what toolkits call differently.

    Args:
        number: AT-SPI's.
        states: Ours.
        toolkit: What speaks.
        actions: Machine names, as `offers.plain` writes them.

    Source:
        GTK 3 switches are toggle buttons and GTK 4.8 switches are check boxes, but only switches have an action
        "toggle" there. Single-line fields are "text" on all three toolkits, and only GTK 3 says SINGLE_LINE; browsers
        call fields of many lines entries, too. Their switches are toggle buttons that can be checked, their other
        toggle buttons are pressed. What folds its content away is a toggle button on GTK 3 and Chromium, a push button
        on GTK 4 and Firefox (measured on Debian 12).
    """
    role = _ROLES.get(number, Role.UNKNOWN)
    if number == TEXT_ROLE and State.MULTI_LINE not in states and states & _FIELD:
        return Role.ENTRY
    if number == ENTRY_ROLE and State.MULTI_LINE in states:
        return Role.TEXT
    if toolkit in _GTK and role in {Role.TOGGLE_BUTTON, Role.CHECK_BOX} and "toggle" in actions:
        return Role.SWITCH
    if role is Role.MENU_ITEM and State.CHECKABLE in states:  # Qt 6.8; earlier ones do not tell
        return Role.CHECK_MENU_ITEM
    if toolkit in _WEB and role is Role.TOGGLE_BUTTON and State.CHECKABLE in states:
        return Role.SWITCH
    if role is Role.BUTTON and State.EXPANDABLE in states and _FOLDS.get(toolkit, frozenset()).intersection(actions):
        return Role.TOGGLE_BUTTON
    return role
