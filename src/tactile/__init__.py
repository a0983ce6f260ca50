"""Tactile: hands and feet for computer-using agents.

Observe a real desktop as a short list of candidates, act on exactly one, and get a receipt with evidence.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tactile.errors import (
    EffectError,
    PlatformError,
    PolicyError,
    RequestError,
    ResolveError,
    SetupError,
    TactileError,
    TraceError,
)
from tactile.records import (
    Action,
    ActionRequest,
    Candidate,
    CandidateSet,
    Extents,
    Failure,
    Locator,
    Observation,
    Point,
    PointTarget,
    Receipt,
    RefTarget,
    Role,
    Status,
    Verdict,
)

if TYPE_CHECKING:
    from tactile.connect import Options, open_session
    from tactile.runtime.session import AppState, Session, View
    from tactile.verify.expect import parse_expectation
    from tactile.verify.target import parse_target

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionRequest",
    "AppState",
    "Candidate",
    "CandidateSet",
    "EffectError",
    "Extents",
    "Failure",
    "Locator",
    "Observation",
    "Options",
    "PlatformError",
    "Point",
    "PointTarget",
    "PolicyError",
    "Receipt",
    "RefTarget",
    "RequestError",
    "ResolveError",
    "Role",
    "Session",
    "SetupError",
    "Status",
    "TactileError",
    "TraceError",
    "Verdict",
    "View",
    "__version__",
    "open_session",
    "parse_expectation",
    "parse_target",
]

# These bring asyncio and the runtime with them, which a program that only reads records does not need.
_LATE = {
    "AppState": "tactile.runtime.session",
    "Options": "tactile.connect",
    "Session": "tactile.runtime.session",
    "View": "tactile.runtime.session",
    "open_session": "tactile.connect",
    "parse_expectation": "tactile.verify.expect",
    "parse_target": "tactile.verify.target",
}


def __getattr__(name: str) -> Any:
    """Import what is exported late on its first use.

    Raises:
        AttributeError: It is not exported at all.
    """
    if name not in _LATE:
        raise AttributeError(f"module 'tactile' has no attribute {name!r}")
    return getattr(importlib.import_module(_LATE[name]), name)
