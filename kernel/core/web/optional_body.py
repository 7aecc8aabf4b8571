"""Bodies that may be missing: the framework describes every body as required."""

from dataclasses import dataclass

from litestar.openapi.spec import Operation, RequestBody, Schema


@dataclass
class OptionalBody(Operation):
    """The operation of a handler whose body may be missing."""

    def __post_init__(self) -> None:
        """Say that the body may be missing, which is no `null`."""
        if isinstance(self.request_body, RequestBody):
            self.request_body.required = False
            for media in self.request_body.content.values():
                if isinstance(media.schema, Schema) and media.schema.one_of:
                    media.schema = media.schema.one_of[0]
