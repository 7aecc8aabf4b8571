"""The English texts of our providers exist twice: in the plugins, and in the web client's translations."""

import json
from typing import Any, Final

from kernel.core.config import PROJECT_ROOT
from kernel.providers import load_plugins
from kernel.spi import settings_fields

TEXTS: Final = json.loads((PROJECT_ROOT / "web/public/locales/en/providers.json").read_text())["provider"]


def test_what_the_browser_translates_is_what_the_plugins_say() -> None:
    said: dict[str, dict[str, Any]] = {}
    for (kind, provider), offer in load_plugins({}).offers.items():
        fields = settings_fields(offer.spec.settings)
        said.setdefault(kind, {})[provider] = {
            "label": offer.spec.label,
            "summary": offer.spec.summary,
            "fields": {
                name: {"title": field["title"], "description": field["description"]} for name, field in fields.items()
            },
        }
    without_choices = {
        kind: {
            provider: {
                **texts,
                "fields": {
                    name: {"title": field["title"], "description": field["description"]}
                    for name, field in texts["fields"].items()
                },
            }
            for provider, texts in providers.items()
        }
        for kind, providers in TEXTS.items()
    }
    assert without_choices == said


def test_every_choice_has_a_name() -> None:
    for (kind, provider), offer in load_plugins({}).offers.items():
        for name, field in settings_fields(offer.spec.settings).items():
            named = TEXTS[kind][provider]["fields"][name].get("choices", {})
            assert set(named) == set(field.get("enum", ())), f"{kind}:{provider} {name}"
