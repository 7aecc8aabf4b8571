"""Prompts in twelve languages."""

import pytest

from plugins.atelier.semantics.languages import LANGUAGES
from plugins.atelier.semantics.reading import read

STORIES = {
    "dragon": {"dragon", "mountain", "castle", "winter"},
    "detective": {"detective", "murder", "rain", "city", "night"},
    "garden": {"love", "garden", "flower", "ocean"},
    "starship": {"space", "star"},
    "bear": {"bear", "moon", "child", "dream"},
}
PROMPTS = {
    "en": (
        "A young dragon rider defends a mountain kingdom in winter",
        "A detective hunts a murderer through the rainy city at night",
        "A love story in a garden of roses by the sea",
        "A spaceship flies between the stars to a distant planet",
        "A little bear cannot sleep under the full moon",
    ),
    "es": (
        "Un joven jinete de dragón defiende un reino de montaña en invierno",
        "Un detective persigue a un asesino por la ciudad lluviosa de noche",
        "Una historia de amor en un jardín de rosas junto al mar",
        "Una nave espacial vuela entre las estrellas hacia un planeta lejano",
        "Un osito no puede dormir bajo la luna llena",
    ),
    "fr": (
        "Un jeune cavalier de dragon défend un royaume de montagne en hiver",
        "Un détective traque un meurtrier dans la ville pluvieuse la nuit",
        "Une histoire d’amour dans un jardin de roses au bord de la mer",
        "Un vaisseau spatial vole entre les étoiles vers une planète lointaine",
        "Un petit ours ne peut pas dormir sous la pleine lune",
    ),
    "de": (
        "Ein junger Drachenreiter verteidigt ein Bergkönigreich im Winter",
        "Ein Detektiv jagt einen Mörder nachts durch die regnerische Stadt",
        "Eine Liebesgeschichte in einem Rosengarten am Meer",
        "Ein Raumschiff fliegt zwischen den Sternen zu einem fernen Planeten",
        "Ein kleiner Bär kann unter dem Vollmond nicht schlafen",
    ),
    "it": (
        "Un giovane cavaliere di draghi difende un regno di montagna in inverno",
        "Un detective insegue un assassino nella città piovosa di notte",
        "Una storia d’amore in un giardino di rose vicino al mare",
        "Un’astronave vola tra le stelle verso un pianeta lontano",
        "Un orsetto non riesce a dormire sotto la luna piena",
    ),
    "pt": (
        "Um jovem cavaleiro de dragão defende um reino de montanha no inverno",
        "Um detetive persegue um assassino pela cidade chuvosa à noite",
        "Uma história de amor num jardim de rosas junto ao mar",
        "Uma nave espacial voa entre as estrelas para um planeta distante",
        "Um ursinho não consegue dormir sob a lua cheia",
    ),
    "ru": (
        "Юный всадник на драконе защищает горное королевство зимой",
        "Сыщик преследует убийцу по дождливому городу ночью",
        "История любви в саду роз у моря",
        "Космический корабль летит между звёздами к далёкой планете",
        "Маленький медвежонок не может уснуть под полной луной",
    ),
    "ja": (
        "若い竜騎士が冬に山の王国を守る",
        "探偵が夜の雨の街で殺人犯を追う",
        "海辺の薔薇の庭での恋物語",
        "宇宙船が星々の間を飛び遠い惑星へ",
        "小さな熊は満月の下で眠れない",
    ),
    "zh": (
        "年轻的龙骑士在冬天保卫山中王国",
        "侦探在雨夜的城市里追捕凶手",
        "海边玫瑰花园里的爱情故事",
        "飞船在群星之间飞向遥远的行星",
        "小熊在满月下睡不着",
    ),
    "ko": (
        "젊은 용 기사가 겨울에 산의 왕국을 지킨다",
        "탐정이 밤에 비 내리는 도시에서 살인자를 쫓는다",
        "바닷가 장미 정원의 사랑 이야기",
        "우주선이 별 사이를 날아 먼 행성으로 간다",
        "아기곰이 보름달 아래에서 잠들지 못한다",
    ),
    "ar": (
        "فارس تنين شاب يدافع عن مملكة جبلية في الشتاء",
        "محقق يطارد قاتلا في المدينة الماطرة ليلا",
        "قصة حب في حديقة ورود بجانب البحر",
        "سفينة فضاء تطير بين النجوم إلى كوكب بعيد",
        "دب صغير لا يستطيع النوم تحت القمر",
    ),
    "hi": (
        "एक युवा ड्रैगन सवार सर्दियों में पहाड़ी राज्य की रक्षा करता है",
        "एक जासूस रात में बारिश वाले शहर में हत्यारे का पीछा करता है",
        "समुद्र के किनारे गुलाब के बगीचे में प्रेम कहानी",
        "एक अंतरिक्षयान तारों के बीच दूर के ग्रह की ओर उड़ता है",
        "एक छोटे भालू को पूर्णिमा के चांद में नींद नहीं आती",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("place", "story"), list(enumerate(STORIES)))
def test_the_same_story_reaches_the_same_concepts_in_every_language(language: str, place: int, story: str) -> None:
    reading = read(PROMPTS[language][place])
    assert reading.language == language
    assert STORIES[story] <= set(reading.tags)


@pytest.mark.parametrize(
    ("text", "genre"),
    [
        ("Science Fiction", "scifi"),
        ("ciencia ficción", "scifi"),
        ("Krimi", "mystery"),
        ("Fantastique", "fantasy"),
        ("恋愛", "romance"),
        ("言情", "romance"),
        ("giallo", "mystery"),
        ("Culinária", "cookbook"),
        ("Ужасы", "horror"),
        ("추리", "mystery"),
        ("رعب", "horror"),
        ("साहित्य", "literary"),
        ("Children's", "children"),
        ("Young Adult", "ya"),
        ("non-fiction", "nonfiction"),
    ],
)
def test_genres_are_known_by_their_names_in_every_language(text: str, genre: str) -> None:
    assert read(text).genre == genre


@pytest.mark.parametrize(
    ("text", "emblem"),
    [
        ("A wolf in the snow", "🐺"),
        ("Ключ от старого дома", "🗝"),
        ("حديقة الورود", "🌿"),
    ],
)
def test_the_first_concept_with_a_picture_becomes_the_emblem(text: str, emblem: str) -> None:
    assert read(text).emblem == emblem


def test_a_story_of_nothing_known_has_no_concepts() -> None:
    reading = read("xyzzy plugh")
    assert reading.tags == {} and reading.emblem == "" and reading.genre == ""


def test_the_german_word_was_is_not_read_as_english() -> None:
    assert "war" not in read("Der Mann, der nicht da war").tags


def test_the_hint_decides_between_two_languages_of_han() -> None:
    assert read("海山夜", "ja").language == "ja"
    assert read("海山夜", "zh").language == "zh"
