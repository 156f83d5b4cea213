"""Settings of the rulebook's tests."""

from hypothesis import settings

# The machine that runs the tests may be busy; how long one example takes proves nothing.
settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
