"""What a provider shows administrators, found by its id, and what is wrong with it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from .admin_pages import SETTINGS_COMPONENT, AdminCall, AdminPage, SettingsComponent
from .packaged import packaged_files
from .provider import ProviderSpec
from .settings import settings_fields

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,38}")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_ELEMENT: Final = re.compile(r"[a-z][a-z0-9-]{2,79}")
_CALL: Final = re.compile(r"[a-z][A-Za-z0-9]{0,39}")
_IMPORT: Final = re.compile(r"^\s*(?:import\s*[\w{*\"']|export\s[^;]*\sfrom\s)", re.MULTILINE)
_MOST: Final = 16
_TITLE_CHARS: Final = 60

Component = AdminPage | SettingsComponent
"""What runs in a frame of its own."""


def admin_components(spec: ProviderSpec[Any, Any]) -> dict[str, Component]:
    """Return the components of a provider by their ids, its pages in their order."""
    found: dict[str, Component] = {page.id: page for page in spec.pages}
    if spec.settings_component is not None:
        found[SETTINGS_COMPONENT] = spec.settings_component
    return found


def component_module(spec: ProviderSpec[Any, Any], component: Component) -> str:
    """Return the text of a component's module as a page can contain it. Raises KeyError and ValueError."""
    body = packaged_files(spec.static).files[component.module].body
    return body.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def component_words(spec: ProviderSpec[Any, Any], language: str) -> dict[str, Any]:
    """Return the words that the components of a provider have in a language, else the English ones; none where it has
    none. Raises ValueError for a file that is no JSON object.
    """
    found = packaged_files(spec.static).files
    file = found.get(f"words.{language}.json") or found.get("words.en.json")
    if file is None:
        return {}
    try:
        return msgspec.json.decode(file.body, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ValueError(f"`words.{language}.json` is no JSON object: {error}") from error


def component_faults(spec: ProviderSpec[Any, Any]) -> list[str]:
    """Return what is wrong with the pages and the settings component of a provider, a sentence each."""
    pages, component = spec.pages, spec.settings_component
    if not isinstance(pages, tuple) or not all(isinstance(page, AdminPage) for page in pages):
        return ["`pages` is no tuple of AdminPage"]
    if component is not None and not isinstance(component, SettingsComponent):
        return ["`settings_component` is no SettingsComponent"]
    found = [] if len(pages) <= _MOST else [f"there are more than {_MOST} pages"]
    seen: set[Any] = {SETTINGS_COMPONENT}
    for page in pages:
        if not isinstance(page.id, str) or not _ID.fullmatch(page.id) or page.id in seen:
            found.append(f"the page id {page.id!r} is no name, is there twice, or is `{SETTINGS_COMPONENT}`")
        seen.add(page.id)
        found += [f"page `{page.id}`: {fault}" for fault in (*_title_faults(page.title), *_faults(spec, page))]
    if component is not None:
        found += [
            f"settings component: {fault}" for fault in (*_field_faults(spec, component), *_faults(spec, component))
        ]
    return found


def _title_faults(title: Any) -> Iterator[str]:
    if not isinstance(title, Mapping) or "en" not in title:
        yield "the title has no text for `en`"
        return
    for language, text in title.items():
        if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
            yield f"the title names the language {language!r}, which is no code such as `de`"
        elif not isinstance(text, str) or not text.strip() or len(text) > _TITLE_CHARS or "\n" in text:
            yield f"the title in `{language}` is no text of a line of at most {_TITLE_CHARS} characters"


def _field_faults(spec: ProviderSpec[Any, Any], component: SettingsComponent) -> Iterator[str]:
    known = settings_fields(spec.settings)
    if not isinstance(component.fields, tuple) or not component.fields:
        yield "it names no fields"
        return
    if odd := [str(name) for name in component.fields if name not in known]:
        yield f"there is no setting {', '.join(odd)}"


def _faults(spec: ProviderSpec[Any, Any], component: Component) -> Iterator[str]:
    """Yield what is wrong with what both have: element, module and calls."""
    element, module, calls = component.element, component.module, component.calls
    if not isinstance(element, str) or not _ELEMENT.fullmatch(element) or not element.startswith(f"{spec.id}-"):
        yield f"the element {element!r} does not begin with `{spec.id}-`, or is no name of an element"
    try:
        names = packaged_files(spec.static).files
    except ValueError as error:
        yield str(error)
        return
    if module not in names or not str(module).endswith(".js"):
        yield f"the module {module!r} is no .js among the packaged files: {', '.join(names) or 'none'}"
    else:
        yield from _module_faults(spec, component)
    for name in names:
        if name.startswith("words.") and name.endswith(".json"):
            try:
                component_words(spec, name.split(".")[1])
            except ValueError as error:
                yield str(error)
    if not isinstance(calls, tuple) or not all(isinstance(call, AdminCall) for call in calls):
        yield "`calls` is no tuple of AdminCall"
        return
    if len({call.name for call in calls}) < len(calls) or len(calls) > _MOST:
        yield f"two calls have the same name, or there are more than {_MOST}"
    for call in calls:
        yield from _call_faults(call)


def _module_faults(spec: ProviderSpec[Any, Any], component: Component) -> Iterator[str]:
    try:
        text = component_module(spec, component)
    except ValueError:
        yield f"the module `{component.module}` is not UTF-8"
        return
    lowered = text.lower()
    if "</script" in lowered or "<!--" in text or "\0" in text:
        yield f"the module `{component.module}` has `</script` or `<!--` in it: write them in two parts"
    if _IMPORT.search(text):
        yield f"the module `{component.module}` imports another: it has to be one file"
    if "customElements.define" not in text or not re.search(
        rf"""["'`]{re.escape(str(component.element))}["'`]""", text
    ):
        yield f"the module `{component.module}` does not define the element `{component.element}`"


def _call_faults(call: AdminCall) -> Iterator[str]:
    if not isinstance(call.name, str) or not _CALL.fullmatch(call.name):
        yield f"a call is named like `recentItems`, and not {call.name!r}"
    if not callable(call.run):
        yield f"`run` of the call `{call.name}` cannot be called"
    for side, kind in (("argument", call.argument), ("answer", call.answer)):
        if not isinstance(kind, type) or not issubclass(kind, msgspec.Struct):
            yield f"the {side} of the call `{call.name}` is no Struct"
            continue
        try:
            msgspec.json.schema(kind)
        except TypeError as error:
            yield f"the {side} of the call `{call.name}` cannot be JSON: {error}"
