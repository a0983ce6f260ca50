"""The names that users rely on."""

from __future__ import annotations

import tactile
from tactile import errors
from tactile.errors import DIAGNOSIS_TEXT_MAX, NEAR_MISSES_MAX, Diagnosis, ResolveError
from tactile.records import Failure

EXPORTED = """
    Action ActionRequest AppState Candidate CandidateSet EffectError Extents Failure Locator Observation Options
    PlatformError Point PointTarget PolicyError Receipt RefTarget RequestError ResolveError Role Session SetupError
    Status TactileError TraceError Verdict View __version__ open_session parse_expectation parse_target
"""
# docs: the closed list of the public interface.
FAILURES = """
    target_absent target_filtered target_misranked target_ambiguous
    stale_moved stale_renamed stale_detached stale_hidden stale_window stale_session
    disabled occluded off_screen blocked_by_modal focus_mismatch geometry_unknown unsupported
    no_effect wrong_effect partial_input interrupted unverified
    app_unresponsive app_gone platform_lost timed_out outcome_unknown needs_reconciliation
    approval_required approval_denied approval_expired policy_denied budget_exhausted human_active
"""


def test_the_public_names_are_exactly_these_and_all_of_them_are_there() -> None:
    """A name is added or taken away on purpose, in this list too."""
    assert sorted(tactile.__all__) == sorted(EXPORTED.split())
    assert all(getattr(tactile, name) is not None for name in tactile.__all__)


def test_the_failure_list_is_the_public_one_and_two_words_of_the_request() -> None:
    """The public interface's closed list; bad_request and setup are no failures of an act."""
    assert {item.value for item in Failure} == {*FAILURES.split(), "bad_request", "setup"}


def test_every_error_speaks_a_word_of_the_failure_list() -> None:
    """A receipt's failure is made from the error's code; the base and the trace have words of their own."""
    kinds = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, errors.TactileError)]
    words = {kind.default_code for kind in kinds}

    assert words - {item.value for item in Failure} == {"error", "trace"}


def test_a_diagnosis_is_bounded_whatever_is_put_in() -> None:
    """House style: what goes to a model is bounded."""
    error = ResolveError("x", diagnosis=Diagnosis(sought="s" * 9999, near_misses=("n" * 9999,) * 99))

    assert len(error.diagnosis.sought) == DIAGNOSIS_TEXT_MAX
    assert len(error.diagnosis.near_misses) == NEAR_MISSES_MAX
    assert all(len(text) == DIAGNOSIS_TEXT_MAX for text in error.diagnosis.near_misses)
