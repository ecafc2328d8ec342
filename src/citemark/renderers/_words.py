"""What a reader sees or hears beside the text of an answer, in seven languages.

A pattern has the fields of the English one.  Pages, lines and sentences are told with the first
and the last one if there are several.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LANGUAGES", "WORDS", "words_of"]

_ENGLISH: Final = {
    "heading": "Sources",
    "consulted": "Consulted, not cited",
    "source": "Source {number}: {title}",
    "missing": "source not found",
    "back": "Back to reference {number}-{use}",
    "separator": ", ",
    "page": "page {page}",
    "pages": "pages {first}–{last}",
    "line": "line {line}",
    "lines": "lines {first}–{last}",
    "sentence": "sentence {sentence}",
    "sentences": "sentences {first}–{last}",
    "score": "score {score}",
    "web": "Web page",
    "pdf": "PDF",
    "row": "Database record",
    "api": "API response",
    "document": "Document",
    "more": "More",
    "open": "Open the source",
    "close": "Close",
    "done": "done",
    "todo": "to do",
}
_GERMAN: Final = {
    "heading": "Quellen",
    "consulted": "Herangezogen, nicht zitiert",
    "source": "Quelle {number}: {title}",
    "missing": "Quelle nicht gefunden",
    "back": "Zurück zum Verweis {number}-{use}",
    "separator": ", ",
    "page": "Seite {page}",
    "pages": "Seiten {first}–{last}",
    "line": "Zeile {line}",
    "lines": "Zeilen {first}–{last}",
    "sentence": "Satz {sentence}",
    "sentences": "Sätze {first}–{last}",
    "score": "Relevanz {score}",
    "web": "Webseite",
    "pdf": "PDF",
    "row": "Datensatz",
    "api": "API-Antwort",
    "document": "Dokument",
    "more": "Mehr",
    "open": "Quelle öffnen",
    "close": "Schließen",
    "done": "erledigt",
    "todo": "offen",
}
_FRENCH: Final = {
    "heading": "Sources",
    "consulted": "Consultées, non citées",
    "source": "Source {number}\u00a0: {title}",
    "missing": "source introuvable",
    "back": "Retour à la référence {number}-{use}",
    "separator": ", ",
    "page": "page {page}",
    "pages": "pages {first}–{last}",
    "line": "ligne {line}",
    "lines": "lignes {first}–{last}",
    "sentence": "phrase {sentence}",
    "sentences": "phrases {first}–{last}",
    "score": "pertinence {score}",
    "web": "Page web",
    "pdf": "PDF",
    "row": "Enregistrement",
    "api": "Réponse d’API",
    "document": "Document",
    "more": "Lire la suite",
    "open": "Ouvrir la source",
    "close": "Fermer",
    "done": "fait",
    "todo": "à faire",
}
_SPANISH: Final = {
    "heading": "Fuentes",
    "consulted": "Consultadas, no citadas",
    "source": "Fuente {number}: {title}",
    "missing": "fuente no encontrada",
    "back": "Volver a la referencia {number}-{use}",
    "separator": ", ",
    "page": "página {page}",
    "pages": "páginas {first}–{last}",
    "line": "línea {line}",
    "lines": "líneas {first}–{last}",
    "sentence": "oración {sentence}",
    "sentences": "oraciones {first}–{last}",
    "score": "relevancia {score}",
    "web": "Página web",
    "pdf": "PDF",
    "row": "Registro",
    "api": "Respuesta de API",
    "document": "Documento",
    "more": "Ver más",
    "open": "Abrir la fuente",
    "close": "Cerrar",
    "done": "hecho",
    "todo": "pendiente",
}
_CHINESE: Final = {
    "heading": "来源",
    "consulted": "已参考但未引用",
    "source": "来源 {number}：{title}",
    "missing": "未找到来源",
    "back": "返回引用处 {number}-{use}",
    "separator": "，",
    "page": "第 {page} 页",
    "pages": "第 {first}–{last} 页",
    "line": "第 {line} 行",
    "lines": "第 {first}–{last} 行",
    "sentence": "第 {sentence} 句",
    "sentences": "第 {first}–{last} 句",
    "score": "相关度 {score}",
    "web": "网页",
    "pdf": "PDF",
    "row": "数据库记录",
    "api": "API 响应",
    "document": "文档",
    "more": "展开",
    "open": "打开来源",
    "close": "关闭",
    "done": "已完成",
    "todo": "未完成",
}
_JAPANESE: Final = {
    "heading": "出典",
    "consulted": "参照したが引用していない資料",
    "source": "出典 {number}：{title}",
    "missing": "出典が見つかりません",
    "back": "参照 {number}-{use} に戻る",
    "separator": "、",
    "page": "{page} ページ",
    "pages": "{first}～{last} ページ",
    "line": "{line} 行目",
    "lines": "{first}～{last} 行目",
    "sentence": "{sentence} 文目",
    "sentences": "{first}～{last} 文目",
    "score": "関連度 {score}",
    "web": "ウェブページ",
    "pdf": "PDF",
    "row": "データベースのレコード",
    "api": "API の応答",
    "document": "文書",
    "more": "続きを表示",
    "open": "出典を開く",
    "close": "閉じる",
    "done": "完了",
    "todo": "未完了",
}
_ARABIC: Final = {
    "heading": "المصادر",
    "consulted": "مصادر اطُّلع عليها ولم تُذكر في النص",
    "source": "المصدر {number}: {title}",
    "missing": "المصدر غير موجود",
    "back": "العودة إلى الإحالة {number}-{use}",
    "separator": "، ",
    "page": "الصفحة {page}",
    "pages": "الصفحات {first}–{last}",
    "line": "السطر {line}",
    "lines": "الأسطر {first}–{last}",
    "sentence": "الجملة {sentence}",
    "sentences": "الجمل {first}–{last}",
    "score": "درجة الصلة {score}",
    "web": "صفحة ويب",
    "pdf": "ملف PDF",
    "row": "سجل قاعدة بيانات",
    "api": "استجابة واجهة برمجية",
    "document": "مستند",
    "more": "عرض المزيد",
    "open": "فتح المصدر",
    "close": "إغلاق",
    "done": "منجز",
    "todo": "غير منجز",
}
_LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {
    "ar": _ARABIC,
    "de": _GERMAN,
    "en": _ENGLISH,
    "es": _SPANISH,
    "fr": _FRENCH,
    "ja": _JAPANESE,
    "zh": _CHINESE,
}

WORDS: Final[Mapping[str, str]] = MappingProxyType(_ENGLISH)
"""The words in English."""

LANGUAGES: Final = tuple(_LANGUAGES)
"""Languages of the words: their codes (ISO 639-1), sorted."""


def words_of(language: str) -> Mapping[str, str] | None:
    """Return the words of a language; None for one that is not known.

    A region does not count: ``de-AT`` is ``de``.
    """
    return _LANGUAGES.get(language.replace("_", "-").partition("-")[0].lower())
