"""The ways to sign in: one file each, a mixin of the config flow with its steps."""
