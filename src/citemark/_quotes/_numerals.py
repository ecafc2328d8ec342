"""Words for numbers in ten languages: another one is another figure."""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

__all__ = ["is_figure", "is_one_figure"]

_WORDS: Final = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty"
    " sixty seventy eighty ninety hundred thousand million billion trillion dozen half"
    " third quarter double twice first second fourth fifth sixth seventh eighth ninth"
    " tenth",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig"
    " dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million"
    " millionen milliarde milliarden dutzend hälfte drittel viertel doppelt erste zweite"
    " dritte vierte",
    "nl": "nul twee drie vier vijf zes zeven acht negen tien elf twaalf twintig dertig"
    " veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen miljard"
    " helft dubbel",
    "fr": "zéro deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze"
    " seize vingt trente quarante cinquante soixante cent cents mille million millions"
    " milliard milliards douzaine moitié tiers quart double premier première deuxième"
    " troisième",
    "es": "cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce"
    " quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien"
    " ciento mil millón millones mitad tercio cuarto doble primero primera segundo"
    " segunda tercero",
    "it": "zero due tre quattro cinque sei sette otto nove dieci undici dodici tredici venti"
    " trenta quaranta cinquanta sessanta settanta ottanta novanta cento mila milione"
    " milioni miliardo miliardi metà terzo quarto doppio primo prima secondo seconda",
    "pt": "dois duas três quatro cinco sete oito nove dez onze doze treze quinze vinte trinta"
    " quarenta cinquenta sessenta setenta oitenta noventa cem cento milhão milhões"
    " bilhão metade terço dobro primeiro primeira segundo segunda terceiro",
    "pl": "jeden dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto tysiąc"
    " tysiące tysięcy milion miliony milionów miliard połowa",
    "ru": "ноль один два две три четыре пять шесть семь восемь девять десять двадцать"
    " тридцать сорок пятьдесят сто тысяча тысячи тысяч миллион миллиона миллионов"
    " миллиард половина",
    "tr": "sıfır iki üç dört beş altı yedi sekiz dokuz yirmi otuz kırk elli altmış yetmiş"
    " seksen doksan yüz bin milyon milyar yarım",
    "ar": "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة عشرون مئة مائة ألف مليون",
    "hi": "शून्य एक दो तीन चार पांच पाँच छह सात आठ नौ दस बीस पचास सौ हजार हज़ार लाख करोड़",
}
_TENS: Final = (
    "twenty thirty forty fifty sixty seventy eighty ninety vingt vingts trente quarante"
    " cinquante soixante treinta cuarenta cincuenta sesenta setenta ochenta noventa vinte"
    " trinta quarenta cinquenta sessenta oitenta dwadzieścia trzydzieści czterdzieści"
    " pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt двадцать"
    " тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто yirmi otuz kırk elli"
    " altmış yetmiş seksen doksan"
)
"""Words after which a figure may go on with units: "twenty five"."""

_SCALES: Final = (
    "hundred thousand million billion trillion dozen hundert tausend millionen milliarde"
    " milliarden dutzend honderd duizend miljoen miljard cent cents mille millions milliard"
    " milliards cien ciento mil millón millones cento mila milione milioni miliardo miliardi"
    " cem milhão milhões bilhão bilhões sto tysiąc tysiące tysięcy milion miliony milionów"
    " miliard сто тысяча тысячи тысяч миллион миллиона миллионов миллиард yüz bin milyon"
    " milyar مئة مائة ألف آلاف مليون सौ हजार हज़ार लाख करोड़ mio mrd bn mln млн млрд тыс"
)
"""Words that multiply what stands before them, and may go on: "5 million", "hundred five"."""

_AND: Final = frozenset({"and", "und", "y", "e", "et", "en", "och", "og", "i", "и"})
_ON: Final = frozenset({"bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"})
"""Units after Turkish "on", ten."""

_ALL: Final = frozenset(normalize("NFC", " ".join(_WORDS.values())).split())
_FROM_TEN: Final = frozenset(normalize("NFC", f"{_TENS} {_SCALES}").split())
_MULTIPLYING: Final = frozenset(normalize("NFC", _SCALES).split())
_SIGNS: Final = frozenset("%‰°$€£¥₹₽<>=+一二三四五六七八九十百千万億亿兆零〇两半")


def is_one_figure(before: list[str], after: list[str]) -> bool:
    """Whether the last of some folded words and the first of others are parts of one figure.

    >>> is_one_figure(["two", "hundred", "and"], ["fifty"])
    True
    >>> is_one_figure(["five", "and"], ["six"])
    False
    """
    has_and = bool(before and before[-1] in _AND) or bool(after and after[0] in _AND)
    before = before[:-1] if before and before[-1] in _AND else before
    after = after[1:] if after and after[0] in _AND else after
    if not (before and after):
        return False
    one, other = before[-1], after[0]
    if other in _MULTIPLYING and not has_and:
        return one[-1:].isdigit() or one in _ALL or one in _FROM_TEN
    if one == "on":
        return other in _ON
    return one in _FROM_TEN and (other in _ALL or other in _FROM_TEN)


def is_figure(word: str) -> bool:
    """Whether a folded word is a figure, a word for one, a currency or a sign of measure."""
    return word in _SIGNS or word[-1:] == "=" or word in _ALL or any(map(str.isdigit, word))
