"""A password field stays secret when the application shows its text."""

from __future__ import annotations

from tactile.compile import compile_observation
from tactile.records import Role
from tactile.runtime.secrets_seen import SECRETS_MAX, SecretsSeen
from tests.unit.building import accessible, observation


def test_a_password_that_is_made_visible_stays_secret() -> None:
    """An attacker's finding: "show password" had brought its text into replies and the trace."""
    seen = SecretsSeen()
    seen.mask(observation(accessible("/pw", Role.PASSWORD_TEXT, "Password", is_secure=True)))

    shown = seen.mask(observation(accessible("/pw", Role.ENTRY, "Password", text="hunter2", text_length=7)))

    assert "hunter2" not in str(shown)
    assert next(item for item in compile_observation(shown).candidates if item.name == "Password").is_secure


def test_a_plain_field_is_left_as_it_is() -> None:
    """The positive control."""
    plain = observation(accessible("/name", Role.ENTRY, "Name", text="Ada", text_length=3))

    assert SecretsSeen().mask(plain) == plain


def test_the_memory_is_bounded() -> None:
    """House rule: no unbounded cache."""
    seen = SecretsSeen()
    for number in range(SECRETS_MAX + 50):
        seen.mask(observation(accessible(f"/{number}", Role.PASSWORD_TEXT, "Password", is_secure=True)))

    assert len(seen._fields) == SECRETS_MAX
