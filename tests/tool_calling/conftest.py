"""How the properties are searched."""

from hypothesis import settings

# Time is no property: on a busy machine any example may take long.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
