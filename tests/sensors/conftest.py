"""Settings of the tests of this package."""

from hypothesis import settings

# A busy machine is slow now and then; no test here judges the wall clock.
settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")
