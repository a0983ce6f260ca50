"""How property tests run here: as many examples as a commit can wait for, and none of them timed."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine is no defect: the time of one example says nothing, and neither does a slow generator.
settings.register_profile("tactile", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tactile")
