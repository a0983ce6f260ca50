"""Closed vocabularies: roles, states, actions, sources, verdicts, failures."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What kind of thing an accessible is, in AT-SPI's words; the native word stays in the accessible."""

    ALERT = "alert"
    APPLICATION = "application"
    BUTTON = "button"
    CALENDAR = "calendar"
    CANVAS = "canvas"
    CHECK_BOX = "check_box"
    CHECK_MENU_ITEM = "check_menu_item"
    COLOR_CHOOSER = "color_chooser"
    COLUMN_HEADER = "column_header"
    COMBO_BOX = "combo_box"
    DIALOG = "dialog"
    DOCUMENT = "document"
    ENTRY = "entry"
    FILE_CHOOSER = "file_chooser"
    FRAME = "frame"
    GROUPING = "grouping"
    HEADING = "heading"
    ICON = "icon"
    IMAGE = "image"
    INFO_BAR = "info_bar"
    LABEL = "label"
    LEVEL_BAR = "level_bar"
    LINK = "link"
    LIST = "list"
    LIST_ITEM = "list_item"
    MENU = "menu"
    MENU_BAR = "menu_bar"
    MENU_ITEM = "menu_item"
    NOTIFICATION = "notification"
    PAGE_TAB = "page_tab"
    PAGE_TAB_LIST = "page_tab_list"
    PANEL = "panel"
    PARAGRAPH = "paragraph"
    PASSWORD_TEXT = "password_text"
    POPUP_MENU = "popup_menu"
    PROGRESS_BAR = "progress_bar"
    RADIO_BUTTON = "radio_button"
    RADIO_MENU_ITEM = "radio_menu_item"
    ROW_HEADER = "row_header"
    SCROLL_BAR = "scroll_bar"
    SCROLL_PANE = "scroll_pane"
    SEPARATOR = "separator"
    SLIDER = "slider"
    SPIN_BUTTON = "spin_button"
    SPLIT_PANE = "split_pane"
    STATUS_BAR = "status_bar"
    SWITCH = "switch"
    TABLE = "table"
    TABLE_CELL = "table_cell"
    TABLE_ROW = "table_row"
    TERMINAL = "terminal"
    TEXT = "text"
    TITLE_BAR = "title_bar"
    TOGGLE_BUTTON = "toggle_button"
    TOOL_BAR = "tool_bar"
    TOOL_TIP = "tool_tip"
    TREE = "tree"
    TREE_ITEM = "tree_item"
    TREE_TABLE = "tree_table"
    VIEWPORT = "viewport"
    WINDOW = "window"
    UNKNOWN = "unknown"


class State(StrEnum):
    """A flag of an accessible, in AT-SPI's words."""

    ACTIVE = "active"
    BUSY = "busy"
    CHECKABLE = "checkable"
    CHECKED = "checked"
    COLLAPSED = "collapsed"
    DEFAULT = "default"
    DEFUNCT = "defunct"
    EDITABLE = "editable"
    ENABLED = "enabled"
    EXPANDABLE = "expandable"
    EXPANDED = "expanded"
    FOCUSABLE = "focusable"
    FOCUSED = "focused"
    HAS_POPUP = "has_popup"
    ICONIFIED = "iconified"
    INDETERMINATE = "indeterminate"
    INVALID_ENTRY = "invalid_entry"
    MANAGES_DESCENDANTS = "manages_descendants"
    MODAL = "modal"
    MULTI_LINE = "multi_line"
    MULTISELECTABLE = "multiselectable"
    PRESSED = "pressed"
    READ_ONLY = "read_only"
    REQUIRED = "required"
    SELECTABLE = "selectable"
    SELECTED = "selected"
    SENSITIVE = "sensitive"
    SHOWING = "showing"
    SINGLE_LINE = "single_line"
    TRANSIENT = "transient"
    VISIBLE = "visible"
    VISITED = "visited"


class NameSource(StrEnum):
    """Where a name comes from: the thing itself, a label beside it, or what stands in where nobody named it."""

    OWN = "own"
    LABEL = "label"
    CONTENT = "content"
    PLACEHOLDER = "placeholder"
    DESCRIPTION = "description"
    NONE = "none"


class Action(StrEnum):
    """What can be asked of a candidate."""

    PRESS = "press"
    TOGGLE = "toggle"
    SELECT = "select"
    EXPAND = "expand"
    COLLAPSE = "collapse"
    SHOW_MENU = "show_menu"
    INCREMENT = "increment"
    DECREMENT = "decrement"
    FOCUS = "focus"
    SCROLL_INTO_VIEW = "scroll_into_view"
    SET_VALUE = "set_value"
    TYPE = "type"
    CLICK = "click"
    PRESS_KEY = "press_key"
    SCROLL = "scroll"
    DRAG = "drag"
    OPEN_APP = "open_app"


class Coordinates(StrEnum):
    """What an accessible's raw extents are measured from."""

    SCREEN = "screen"
    WINDOW = "window"


class Geometry(StrEnum):
    """How far a candidate's extents can be trusted; unknown is never clicked by point."""

    EXACT = "exact"
    DERIVED = "derived"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """Where a fact was seen."""

    AX = "ax"
    X11 = "x11"
    OCR = "ocr"
    VISUAL = "visual"
    WEB = "web"
    FILE = "file"


class Verdict(StrEnum):
    """How sure the receipt is that the act had its effect."""

    CONFIRMED = "confirmed"
    WEAK = "weak"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


class Status(StrEnum):
    """What became of the act itself."""

    EXECUTED = "executed"
    REJECTED = "rejected"
    TIMED_OUT = "timed_out"
    OUTCOME_UNKNOWN = "outcome_unknown"


class Failure(StrEnum):
    """Why an act was refused or not confirmed; closed list of the public interface."""

    TARGET_ABSENT = "target_absent"
    TARGET_FILTERED = "target_filtered"
    TARGET_MISRANKED = "target_misranked"
    TARGET_AMBIGUOUS = "target_ambiguous"
    STALE_MOVED = "stale_moved"
    STALE_RENAMED = "stale_renamed"
    STALE_DETACHED = "stale_detached"
    STALE_HIDDEN = "stale_hidden"
    STALE_WINDOW = "stale_window"
    STALE_SESSION = "stale_session"
    DISABLED = "disabled"
    OCCLUDED = "occluded"
    OFF_SCREEN = "off_screen"
    BLOCKED_BY_MODAL = "blocked_by_modal"
    FOCUS_MISMATCH = "focus_mismatch"
    GEOMETRY_UNKNOWN = "geometry_unknown"
    UNSUPPORTED = "unsupported"
    NO_EFFECT = "no_effect"
    WRONG_EFFECT = "wrong_effect"
    PARTIAL_INPUT = "partial_input"
    INTERRUPTED = "interrupted"
    UNVERIFIED = "unverified"
    APP_UNRESPONSIVE = "app_unresponsive"
    APP_GONE = "app_gone"
    PLATFORM_LOST = "platform_lost"
    TIMED_OUT = "timed_out"
    OUTCOME_UNKNOWN = "outcome_unknown"
    NEEDS_RECONCILIATION = "needs_reconciliation"
    APPROVAL_REQUIRED = "approval_required"
    APPROVAL_DENIED = "approval_denied"
    APPROVAL_EXPIRED = "approval_expired"
    POLICY_DENIED = "policy_denied"
    BUDGET_EXHAUSTED = "budget_exhausted"
    HUMAN_ACTIVE = "human_active"
    # Not targets nor effects: the request could not be read, or the machine is not set up.
    BAD_REQUEST = "bad_request"
    SETUP = "setup"


class CueKind(StrEnum):
    """What will show that acting on a candidate worked."""

    RESPONDS = "responds"
    TOGGLES = "toggles"
    BECOMES_SELECTED = "becomes_selected"
    EXPANDS = "expands"
    COLLAPSES = "collapses"
    HOLDS_VALUE = "holds_value"
    HOLDS_TEXT = "holds_text"
    GAINS_TEXT = "gains_text"
    BECOMES_FOCUSED = "becomes_focused"
    VALUE_RISES = "value_rises"
    VALUE_FALLS = "value_falls"
    SCROLLS = "scrolls"
    APPEARS = "appears"
    COMES_INTO_VIEW = "comes_into_view"
