"""Pages and settings components: what a plugin shows administrators with a web component of its own.

A component is a custom element that one module of the plugin's static files defines. It is not put into the
administrators' page: there it could do whatever the administrator may, with a click of its own or a request. It runs in
a frame instead, whose origin is opaque (`sandbox="allow-scripts"`) and whose policy allows this one module, by its
hash, and no connection to anywhere. Page and frame talk through one message channel, and the component has only what
that passes:

`element.view`: what to show, set before the element is connected, and as a new object with every change: `instance` as
`{id, label}` or null, `values`, `secrets` (name → whether it is set), `locked` (names that the environment decides),
`errors` (name → sentence), `language`, `direction`, `scheme`, and `words`: what stands in the static file
`words.{language}.json`, or in `words.en.json` where there is none for the reader's language.

`element.call(name, argument)`: a promise of what the `AdminCall` of this name answers. It rejects with an Error whose
message is for people.

The event `coverwright-change`, with `detail` as `{name: value}`: what a settings component gives its fields. Text,
number, boolean, list of texts, or null; of a secret the new text, or null to remove it.

The colours of the site are properties such as `--ink`, `--accent` and `--surface`, and follow its scheme. The frame
is as high as its content. A module may not import another: it is one file.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

SETTINGS_COMPONENT: Final = "settings"
"""The id of a settings component among the components of a provider; no page may have it."""

ARGUMENT_BYTES: Final = 256 * 1024
"""The largest argument of an `AdminCall`, as JSON."""
ANSWER_BYTES: Final = 1024 * 1024
"""The largest answer of an `AdminCall`, as JSON."""
CALL_SECONDS: Final = 20.0
"""The time limit of an `AdminCall`."""


class AdminCall(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a component asks of the server, for administrators only.

    `name` is written like `recentWorkflows`. `run` is a method of the provider such as `ComfyUI.recent`: called with
    the provider of a saved instance and one argument of the type `argument`, it returns one of the type `answer`. Both
    types are Structs, so that fields can be added. It raises the errors of every method of a provider. `changes` says
    that it changes something anywhere: then it is audited, and needs a recent sign-in.
    """

    name: str
    run: Callable[[Any, Any], Awaitable[Any]]
    argument: type[msgspec.Struct]
    answer: type[msgspec.Struct]
    changes: bool = False


class AdminPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a provider below `/admin/plugins`; it shows one saved instance of it at a time.

    `id` is unique in the provider and matches `[a-z][a-z0-9-]{0,38}`. `title` has a text for `en`, and for other
    languages by their codes. `element` begins with the provider's id and a hyphen. `module` is a `.js` of the static
    files. `calls` are those that the component may make.
    """

    id: str
    title: Mapping[str, str]
    element: str
    module: str
    calls: tuple[AdminCall, ...] = ()


class SettingsComponent(msgspec.Struct, frozen=True, kw_only=True):
    """Takes the place of some fields in the form of a provider's settings; the form has the others below it.

    `fields` names them: only these can it change. It is told the values of all that are not secret. Administrators can
    always go back to the plain form. The rest is as in `AdminPage`; calls need an instance that is saved.
    """

    element: str
    module: str
    fields: tuple[str, ...]
    calls: tuple[AdminCall, ...] = ()
