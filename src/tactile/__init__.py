"""Tactile: hands and feet for computer-using agents.

Observe a real desktop as a short list of candidates, act on exactly one, and get a receipt with evidence.
"""

from tactile.connect import Options, open_session
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
