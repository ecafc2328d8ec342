"""The words that stand over a list of sources, in the languages that models write most.

Only a line made of nothing but these is a heading: the same words in a sentence are prose.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from citemark._lazy import lazy_re

__all__ = ["first_letters", "is_heading", "is_singular", "may_be_heading"]

_BY_LANGUAGE: Final = {
    "ar": "المصادر/مصادر/المصدر/المراجع/مراجع/المصادر والمراجع/المراجع والمصادر/قائمة المصادر/"
    "قائمة المراجع/الاقتباسات/الاستشهادات/الإحالات/الهوامش/الحواشي/ببليوغرافيا",
    "bn": "উৎস/উৎসসমূহ/উৎস তালিকা/সূত্র/সূত্রসমূহ/তথ্যসূত্র/তথ্যের উৎস/তথ্যসূত্রসমূহ/রেফারেন্স/"
    "গ্রন্থপঞ্জি/উদ্ধৃতি/পাদটীকা",
    "cs": "zdroje/zdroj/použité zdroje/seznam zdrojů/literatura/odkazy/citace",
    "da": "kilder/kilde/kildeliste/kildehenvisninger/referencer/litteratur/litteraturliste",
    "de": "quellen/quelle/quellenangabe/quellenangaben/quellenverzeichnis/quellenliste/"
    "quellennachweis/quellennachweise/verwendete quellen/zitierte quellen/genutzte quellen/"
    "referenzen/belege/nachweise/einzelnachweise/zitate/literatur/literaturverzeichnis/"
    "literaturangaben/zitierte literatur/bibliographie/bibliografie/fußnoten",
    "el": "πηγές/πηγή/αναφορές/παραπομπές/βιβλιογραφία",
    "en": "source/sources/source list/list of sources/sources list/sources used/"
    "sources cited/sources consulted/sources referenced/cited sources/used sources/"
    "source documents/source links/source material/reference/references/"
    "reference list/list of references/references list/references cited/references used/"
    "cited references/citation/citations/citation list/list of citations/"
    "citations list/cited documents/documents cited/works cited/works consulted/cited works/"
    "bibliography/footnotes/endnotes/literature cited",
    "es": "fuentes/fuente/fuentes consultadas/fuentes utilizadas/fuentes citadas/"
    "fuentes de información/lista de fuentes/referencias/referencia/"
    "referencias bibliográficas/lista de referencias/bibliografía/citas/obras citadas/"
    "trabajos citados/notas al pie/notas al pie de página",
    "fa": "منابع/منبع/مراجع/فهرست منابع/ارجاعات/پانویس‌ها",
    "fi": "lähteet/lähde/lähdeluettelo/viitteet",
    "fr": "sources/source/sources citées/sources utilisées/sources consultées/"
    "liste des sources/références/référence/références bibliographiques/liste des références/"
    "citations/bibliographie/ouvrages cités/œuvres citées/notes de bas de page",
    "he": "מקורות/מקור/רשימת מקורות/ביבליוגרפיה/הפניות/הערות שוליים",
    "hi": "स्रोत/स्रोत सूची/स्रोतों की सूची/संदर्भ/सन्दर्भ/संदर्भ सूची/सन्दर्भ सूची/ग्रंथसूची/ग्रन्थसूची/"
    "ग्रंथ सूची/उद्धरण/उद्धरण सूची/फुटनोट/पाद टिप्पणियाँ/पादटिप्पणियाँ",
    "hu": "források/forrás/hivatkozások/irodalomjegyzék/felhasznált források",
    "id": "sumber/sumber-sumber/sumber referensi/sumber rujukan/daftar sumber/referensi/"
    "daftar referensi/rujukan/daftar rujukan/daftar pustaka/bibliografi/kutipan/catatan kaki",
    "it": "fonti/fonte/fonti consultate/fonti utilizzate/fonti citate/elenco delle fonti/"
    "riferimenti/riferimenti bibliografici/bibliografia/citazioni/opere citate/"
    "note a piè di pagina",
    "ja": "出典/出典一覧/出典リスト/参考文献/参考資料/参考リンク/参考サイト/"
    "参考/参照/参照元/参照文献/情報源/ソース/引用/引用元/引用文献/引用リスト/典拠/脚注",
    "ko": "출처/출처 목록/자료 출처/인용 출처/참고/참고 자료/참고자료/참고 문헌/참고문헌/"
    "참고 출처/참조/참조 문서/인용/인용 목록/인용 문헌/각주",
    "nl": "bronnen/bron/bronnenlijst/bronvermelding/gebruikte bronnen/geraadpleegde bronnen/"
    "geciteerde bronnen/referenties/referentielijst/citaten/literatuur/literatuurlijst/"
    "geciteerde werken/bibliografie/voetnoten",
    "no": "kilder/kilde/kildeliste/referanser/litteraturliste",
    "pl": "źródła/źródło/lista źródeł/wykaz źródeł/wykorzystane źródła/odniesienia/referencje/"
    "cytaty/cytowania/cytowane prace/przypisy/literatura/bibliografia/odwołania",
    "pt": "fontes/fonte/fontes consultadas/fontes utilizadas/fontes citadas/lista de fontes/"
    "referências/referência/referências bibliográficas/lista de referências/bibliografia/"
    "citações/obras citadas/trabalhos citados/notas de rodapé",
    "ro": "surse/sursă/referințe/bibliografie/citări",
    "ru": "источники/источник/список источников/использованные источники/источники информации/"
    "ссылки/ссылки на источники/литература/список литературы/использованная литература/"
    "библиография/библиографический список/цитаты/цитируемые источники/сноски",
    "sv": "källor/källa/källförteckning/källhänvisningar/referenser/referenslista/litteratur/"
    "fotnoter",
    "th": "แหล่งที่มา/แหล่งอ้างอิง/แหล่งข้อมูล/อ้างอิง/เอกสารอ้างอิง/บรรณานุกรม/เชิงอรรถ",
    "tr": "kaynaklar/kaynak/kaynakça/kaynak listesi/kullanılan kaynaklar/"
    "yararlanılan kaynaklar/referanslar/alıntılar/atıflar/bibliyografya/dipnotlar",
    "uk": "джерела/джерело/список джерел/використані джерела/посилання/література/"
    "список літератури/бібліографія/виноски",
    "ur": "ذرائع/ذریعہ/فہرست ذرائع/حوالہ جات/حوالے/حوالہ/مآخذ/ماخذ/مصادر/مراجع/کتابیات/حواشی",
    "vi": "nguồn/nguồn tham khảo/nguồn trích dẫn/danh sách nguồn/tài liệu tham khảo/"
    "trích dẫn/chú thích",
    "zh": "来源/來源/来源列表/來源列表/信息来源/資訊來源/数据来源/资料来源/資料來源/"
    "参考/參考/参考来源/參考來源/参考资料/參考資料/参考文献/參考文獻/参考链接/參考連結/参考列表/引用/引用来源/引用來源/引用文献/"
    "引用文獻/引用资料/引用列表/引文/引文列表/文献/文獻/出处/出處/脚注/腳註",
}

_AND: Final = "and und y e et en i og och ve и та dan và और এবং ও و اور"
_MARKS: Final = "&+,/、·和与與及と"


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


_WRITTEN: Final = frozenset("/".join(_BY_LANGUAGE.values()).split("/"))
_PHRASES: Final = frozenset(map(_folded, _WRITTEN))
_SORTED: Final = sorted(_PHRASES)

_SINGULAR: Final = (
    "source/reference/citation/quelle/fuente/referencia/fonte/référence/referência/المصدر/"
    "источник/kaynak/bron/źródło/kilde/källa/zdroj/джерело/منبع/ذریعہ/lähde/forrás/sursă/πηγή/"
    "מקור"
)
"""Headings that name one source: with a marker after them they are a way to cite it."""

_BETWEEN: Final = lazy_re(rf"[ ]?[{_MARKS}][ ]?|[ ](?:{'|'.join(_AND.split())})[ ]")
"""Between two headings in one: "Sources & references"."""

_FIRST: Final = 4
"""Letters by which a pattern tells a line that may be a heading from others."""


def is_heading(words: str) -> bool:
    """Whether words say that sources follow, and nothing else.

    >>> is_heading("Sources & References"), is_heading("Sources of income")
    (True, False)
    """
    folded = _folded(words)
    return folded in _PHRASES or _PHRASES.issuperset(_BETWEEN.split(folded, maxsplit=2))


def may_be_heading(words: str) -> bool:
    """Whether the start of a line may become a heading.

    >>> may_be_heading("Refer"), may_be_heading("Referees"), may_be_heading("Sources an")
    (True, False, True)
    """
    folded = _folded(words) + " " * words[-1:].isspace()
    *before, last = _BETWEEN.split(folded, maxsplit=2)
    if _begins(folded) or (_PHRASES.issuperset(before) and _begins(last)):
        return True
    # A word that joins two headings may be on its way.
    head, _, tail = last.rpartition(" ")
    return head in _PHRASES and any(word.startswith(tail) for word in (*_MARKS, *_AND.split()))


def is_singular(words: str) -> bool:
    """Whether a heading is about one source."""
    return _folded(words) in _SINGULAR.split("/")


_RANGES: Final = ("af", "gq", "rz", "\x80\u07ff", "\u0800\U0010ffff")
"""First and last letter of each part of the headings, which are in lower case."""


def first_letters() -> str:
    """Return a verbose pattern for the first letters of every heading, in either case.

    It is asked at each line, so the many letters are parted into a few ranges first.
    """
    firsts = {phrase[:_FIRST] for phrase in (*_WRITTEN, *_PHRASES)}
    return "|".join(
        f"(?= [{low.upper()}-{high.upper()}{low}-{high}] ) (?: {_either(letters)} )"
        for low, high in _RANGES
        if (letters := {first for first in firsts if low <= first[0] <= high})
    )


def _either(firsts: set[str]) -> str:
    """Return a pattern for any of some beginnings."""
    rests: dict[str, set[str]] = {}
    for first in firsts:
        rests.setdefault(first[0], set()).add(first[1:])
    return "|".join(
        _either_case(letter) + ("" if "" in rest else f"(?: {_either(rest)} )")
        for letter, rest in sorted(rests.items())
    )


def _begins(words: str) -> bool:
    at = bisect_left(_SORTED, words)
    return at < len(_SORTED) and _SORTED[at].startswith(words)


def _either_case(letter: str) -> str:
    cases = {letter, letter.upper()}
    if len(cases) == 1:
        return "[ ]" if letter == " " else re.escape(letter)
    return f"[{''.join(sorted(case for case in cases if len(case) == 1))}]"
