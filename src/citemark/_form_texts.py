"""Texts that ask a model to cite in the fields of a form, in the languages of the others."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORM_TEXTS", "FormWording"]


class FormWording(NamedTuple):
    """What is said in one language.

    ``{name}`` is the word for number or id, ``{field}`` the field of the citations, ``{shown}``
    what it may hold.
    """

    claims: str
    """Sentences for a form of statements, in place of those that ask for markers."""

    listed: str
    """Sentences for a text with markers whose sources are listed too."""

    quoted: str
    """Sentences for a text with markers whose sources are listed with quotes."""

    json: str
    """Sentence before the schema."""


FORM_TEXTS: Final[Mapping[str, FormWording]] = MappingProxyType(
    {
        "ar": FormWording(
            "لكل عبارة تدعمها مصادر، اذكر {name} كل مصدر منها في الحقل {field}: {shown}. لا "
            "تكتب أي استشهاد داخل نص العبارة. ",
            "اذكر أيضًا {name} كل مصدر تستشهد به في الحقل {field}: {shown}. لا تكتب قائمة "
            "مصادر داخل النص نفسه. ",
            "أضف أيضًا إلى الحقل {field}، لكل استشهاد وبالترتيب نفسه، {name} المصدر وكلمات "
            "منه تثبت العبارة، منقولة حرفيًا: {shown}. لا تكتب قائمة مصادر داخل النص نفسه. ",
            "أجب بكائن JSON واحد يطابق مخطط JSON هذا، وبلا أي شيء آخر:",
        ),
        "de": FormWording(
            "Nenne für jede Aussage, die Quellen belegen, die {name} jeder dieser Quellen "
            "in ihrem Feld {field}: {shown}. Schreibe keinen Beleg in den Text der Aussage. ",
            "Nenne außerdem die {name} jeder zitierten Quelle im Feld {field}: {shown}. "
            "Schreibe keine Quellenliste in den Text selbst. ",
            "Nenne außerdem für jeden Beleg, in derselben Reihenfolge, im Feld {field} die "
            "{name} der Quelle und wörtlich kopierte Worte von ihr, die ihn beweisen: "
            "{shown}. Schreibe keine Quellenliste in den Text selbst. ",
            "Antworte mit einem einzigen JSON-Objekt, das zu diesem JSON-Schema passt, und "
            "mit nichts sonst:",
        ),
        "en": FormWording(
            "For each statement that sources support, list the {name} of each of them in "
            "its field {field}: {shown}. Write no citation into the text of a statement. ",
            "List the {name} of each source that you cite in the field {field} too: "
            "{shown}. Write no list of sources into the text itself. ",
            "For each citation, in the same order, put the {name} of the source and words "
            "of it that prove the statement, copied exactly, into the field {field} too: "
            "{shown}. Write no list of sources into the text itself. ",
            "Reply with one JSON object that fits this JSON Schema, and with nothing else:",
        ),
        "es": FormWording(
            "Para cada afirmación respaldada por fuentes, indica el {name} de cada una de "
            "ellas en su campo {field}: {shown}. No escribas ninguna cita en el texto de la "
            "afirmación. ",
            "Indica también el {name} de cada fuente que cites en el campo {field}: "
            "{shown}. No escribas una lista de fuentes en el propio texto. ",
            "Para cada cita, en el mismo orden, indica también en el campo {field} el "
            "{name} de la fuente y palabras de ella que lo demuestren, copiadas "
            "exactamente: {shown}. No escribas una lista de fuentes en el propio texto. ",
            "Responde con un solo objeto JSON que se ajuste a este esquema JSON, y con nada "
            "más:",
        ),
        "fr": FormWording(
            "Pour chaque affirmation appuyée par des sources, indique {name} de chacune "
            "d’elles dans son champ {field} : {shown}. N’écris aucune citation dans le "
            "texte de l’affirmation. ",
            "Indique aussi {name} de chaque source citée dans le champ {field} : {shown}. "
            "N’écris pas de liste de sources dans le texte lui-même. ",
            "Pour chaque citation, dans le même ordre, indique aussi dans le champ {field} "
            "{name} de la source et des mots de celle-ci qui la prouvent, copiés exactement "
            ": {shown}. N’écris pas de liste de sources dans le texte lui-même. ",
            "Réponds par un seul objet JSON conforme à ce schéma JSON, et par rien d’autre :",
        ),
        "ja": FormWording(
            "情報源が裏付ける文ごとに、それぞれの情報源の{name}をその文のフィールド {field} "
            "に列挙してください：{shown}。文の本文には引用を書かないでください。",
            "引用した情報源の{name}をフィールド {field} にも列挙してください：{shown}。本文"
            "自体には情報源の一覧を書かないでください。",
            "引用ごとに、同じ順序で、情報源の{name}と、裏付けとなる言葉を正確に書き写したも"
            "のをフィールド {field} にも入れてください：{shown}。本文自体には情報源の一覧を"
            "書かないでください。",
            "次の JSON Schema に合う JSON "
            "オブジェクトを一つだけ返し、ほかには何も書かないでください：",
        ),
        "zh": FormWording(
            "对每句有来源支持的陈述，在其字段 {field} "
            "中列出每个来源的{name}：{shown}。不要在陈述的文本中写引用。",
            "同时在字段 {field} 中列出所引用的每个来源的{name}：{shown}。不要在正文中列出来"
            "源清单。",
            "对每处引用，按相同顺序，同时在字段 {field} 中给出来源的{name}以及来源中能证明该"
            "陈述的原文，逐字照抄：{shown}。不要在正文中列出来源清单。",
            "只回复一个符合以下 JSON Schema 的 JSON 对象，不要写其他任何内容：",
        ),
    }
)
"""By language (ISO 639-1), sorted."""
