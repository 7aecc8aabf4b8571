"""Wire of the calls of components."""

from typing import Any

from kernel.core.schemas import In, Out


class ComponentCallIn(In, frozen=True, kw_only=True):
    """What a component asks; `argument` is of the type that the plugin declares for the call."""

    argument: dict[str, Any]


class ComponentCallOut(Out, frozen=True, kw_only=True):
    """What the plugin answers, of the type that it declares."""

    answer: Any
