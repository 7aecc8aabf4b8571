"""Texts of many scripts, for tests of the press."""

from hypothesis import strategies as st

from kernel.press.typesetting import TypeStyle

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "accented": "àéîõüçñßøåşğıİžŁœÆẤỮđĐ",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяЁЖЩ",
    "greek": "αβγδεζηθικλμνξοπρστυφχψωΆΏ",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةأإآؤئ",
    "devanagari": "कखगघचछजटडणतदनपबमयरलवशषसहािीुूेैोौ्ं",
    "japanese": "あいうえおかきくけこさしすせそアイウエオカキクケコ海辺図書館夜月森一人",
    "chinese": "山海之间的孤独与远方灯火月光下狐狸偷走了星",
    "korean": "가나다라마바사별이빛나는밤의도시꽃",
    "common": "0123456789 .,:;!?-–—'’“”&()«»¿¡、。「」！？",
}

words = st.sampled_from(sorted(ALPHABETS)).flatmap(lambda name: st.text(ALPHABETS[name], min_size=1, max_size=14))
titles = st.lists(words, min_size=1, max_size=9).map(" ".join)
anything = st.text(min_size=0, max_size=60)

STYLES = (
    TypeStyle(font="cinzel", case="upper", track=0.03, leading=1.42, mode="small", rules=True),
    TypeStyle(font="bebas", case="upper", leading=1.14, mode="stack", voice="heavy"),
    TypeStyle(font="playfair-i", leading=1.02, mode="small", voice="elegant", small_font="playfair-i"),
    TypeStyle(font="inter-b", track=-0.03, leading=1.0, align="left", voice="sans"),
    TypeStyle(font="vibes", leading=0.92, voice="elegant", align="right"),
    TypeStyle(font="lilita", leading=1.04, voice="round", max_size=40.0),
    TypeStyle(font="unbounded-l", case="upper", track=0.34, voice="tech", max_lines=1),
)
