"""Recordings of a vendor's traffic: written without secrets, and played back as the vendor of the tests."""

from .cassettes import Cassette, read_cassette
from .recorder import Recorder
from .replay import Replay, UnknownRequest
from .secrets import Secrets, SecretSurvived

__all__ = ["Cassette", "Recorder", "Replay", "SecretSurvived", "Secrets", "UnknownRequest", "read_cassette"]
