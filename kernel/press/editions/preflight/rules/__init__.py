"""The rules of preflight, in families; each is one function that says pass, warn, fail, or nothing where it is moot."""
