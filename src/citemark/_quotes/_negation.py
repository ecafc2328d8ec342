"""Words that deny: what a quote may neither hide nor add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from citemark._lazy import lazy_re
from citemark._quotes._characters import WORDY

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ends_denied", "is_negation", "negation_in", "negations_in", "weakening_in"]

_WORDS: Final = {
    "en": "not no never none nor neither nobody nothing nowhere without cannot hardly barely"
    " scarcely seldom",
    "de": "nicht kein keine keinen keiner keinem keines nie niemals niemand niemandem niemanden"
    " nichts ohne weder nirgends kaum keinesfalls keineswegs mitnichten",
    "nl": "niet geen nooit niemand niets zonder nergens nauwelijks geenszins nimmer",
    "af": "nie geen nooit sonder",
    "sv": "inte ej icke aldrig utan ingen inget inga ingenting varken",
    "da": "ikke aldrig intet uden ingen hverken",
    "nb": "ikke ikkje aldri intet uten ingen verken",
    "is": "ekki aldrei enginn án",
    "fi": "ei eivät emme ette eikä eivätkä älä älkää älköön koskaan ilman",
    "et": "ei kunagi ilma",
    "fr": "ne n pas jamais rien aucun aucune aucunement sans ni nul nulle nullement guère non",
    "es": "no nunca jamás sin ni ningún ninguno ninguna nada nadie tampoco apenas",
    "ca": "no mai sense ningú",
    "it": "non mai senza né nessun nessuno nessuna niente nulla neanche",
    "pt": "não nunca jamais sem nem nenhum nenhuma ninguém tampouco",
    "ro": "niciodată nimeni nimic niciun nicio fără nicidecum",
    "pl": "nie nigdy bez ani nikt nic żaden żadna żadne",
    "cs": "ne nikdy není nejsou nebyl nebyla nebylo nebyli nebude nesmí nesmějí nelze nemá"
    " nemají nemusí nemůže nemohou bez žádný žádná žádné nikdo",
    "sk": "nie nikdy nesmie nesmú nemá nemajú nemusí nemôže nemôžu nebude nebol nebola nikto",
    "sl": "ne nikoli ni niso nikdar brez nihče",
    "hr": "ne nije nisu nikad nikada nema neće nitko niko bez ništa",
    "hu": "nem sem soha senki semmi nélkül nincs nincsenek",
    "lt": "ne niekada niekas nėra",
    "lv": "ne nekad nav neviens bez",
    "sq": "nuk mos kurrë",
    "el": "δεν δε μη μην ποτέ ούτε όχι χωρίς δίχως κανείς κανένας καμία κανένα τίποτα ουδέποτε",
    "ru": "не нет ни никогда без никто ничего никак нельзя нигде никакой",
    "uk": "не ні ніколи без ніхто нічого немає",
    "bg": "не никога нищо никой без няма",
    "sr": "не није нису никад никада нема неће нико без",
    "hy": "չէ չի ոչ երբեք առանց",
    "ka": "არ არა ვერ არასოდეს გარეშე",
    "tr": "değil yok hiç hiçbir asla",
    "ar": "لا لم لن ليس ليست غير دون بدون عدم ولا ولم ولن وليس وليست",
    "fa": "نه نیست نیستند هرگز بدون هیچ نباید",
    "ur": "نہیں نہ مت بغیر",
    "he": "לא אין בלי ללא מבלי לעולם אינו אינה אינם אינן ולא שלא ואין",
    "hi": "नहीं न मत ना बिना",
    "mr": "नाही नाहीत नको",
    "bn": "না নয় নেই নি কখনো বিনা",
    "pa": "ਨਹੀਂ ਨਾ ਬਿਨਾਂ",
    "gu": "નથી નહીં ન વિના",
    "ta": "இல்லை அல்ல இல்லாமல் வேண்டாம்",
    "te": "కాదు లేదు లేకుండా",
    "kn": "ಇಲ್ಲ ಅಲ್ಲ ಬೇಡ",
    "ml": "ഇല്ല അല്ല അരുത്",
    "vi": "không chưa chẳng chả đừng",
    "id": "tidak bukan jangan tanpa belum",
    "sw": "hapana kamwe",
}
"""By language; words that mostly say something else ("personne", "point") are left out."""

_PARTS: Final = (
    "不 没 沒 無 无 非 未 别 勿 莫 否 毋 ない なかっ ません ませぬ なく ずに ぬ"
    " 않 아니 안 못 없 ไม่ ห้าม อย่า มิได้ มิใช่ ปราศจาก ບໍ່ មិន គ្មាន ពុំ ဘူး မရှိ မဟုတ်"
)
"""Without blanks a part of a word denies, or is taken to: in doubt nothing is quoted."""

_LATE_WORDS: Final = (
    "nicht kein keine keinesfalls keineswegs mitnichten niet geen geenszins inte ej ikke aldrig"
    " aldri değil yok नहीं नाही نہیں না নয় নেই இல்லை அல்ல కాదు లేదు ಇಲ್ಲ ಅಲ್ಲ ഇല്ല അല്ല نیست"
)
"""Words that deny what stands before them."""


def _folded(words: str) -> list[str]:
    return normalize("NFC", normalize("NFKC", words.casefold())).split()


_ALL: Final = frozenset(_folded(" ".join(_WORDS.values())))
_LATE: Final = frozenset(_folded(_LATE_WORDS))
_PART: Final = lazy_re("|".join(_folded(_PARTS)))
_LATE_PART: Final = lazy_re("ない|なかっ|ません|なく|ず|않|없|아니|못|ไม่|ບໍ່")
_TOKEN: Final = lazy_re(rf"[{WORDY}]+(?:'t(?![{WORDY}]))?")
_JOINED: Final = lazy_re(r"-[^\W\d_]")
_PHRASE: Final = lazy_re(
    r"אל(?= [תינ]|\s*\Z)"
    r"|nu(?= (?:am?|ai|au|ar|e|este|se|vor|va|poate|pot|trebuie|sunt|mai|era)\b)"
)
"""Denies before a verb; is "to" and "now" elsewhere."""

_AND_NOT: Final = lazy_re("ول")
"""Arabic "and not", which denies what comes next."""

_AS_GOOD: Final = lazy_re(
    r"(?<!\w)(?:(?:far from|anything (?:but|other than)|unlikely|improbabl[ey]|rarely"
    r"|impossible"
    r"|(?:fail(?:s|ed|ing)?|refus(?:es?|ed|ing)|declin(?:es?|ed)|ceas(?:es?|ed)) to"
    r"|(?:prohibit|prevent|preclud|exclud|exempt|oppos|den[iy]|refut|reject)(?:e?s|e?d|ing)?"
    r"|forbid(?:s|den)?|forbade|barred|banned|false(?:ly)?|untrue|wrong(?:ly)?|doubt(?:ful|ed|s)?"
    r"|(?:instead|in place|in lieu) of|rather than|other than|except(?:ing)?|unless"
    r"|selten|unwahrscheinlich|unmöglich|alles andere als|weit (?:davon )?entfernt|verboten"
    r"|untersagt|statt|außer|ausser|fälschlich|loin d(?:e|'\w{1,15})|tout sauf|rarement"
    r"|improbable"
    r"|interdite?s?|refuse(?:nt)? de|sauf|au lieu de|plutôt que|lejos de|todo menos|rara vez"
    r"|raramente|imposible|prohibid[oa]s?|excepto|salvo|en vez de|lontan[oa] da\w{0,2}"
    r"|tutt'altro che|impossibile|vietat[oaie]|tranne|eccetto|invece di|longe de|tudo menos"
    r"|impossível|improvável|proibid[oa]s?|exceto|em vez de|verre van|allesbehalve|zelden"
    r"|onwaarschijnlijk|onmogelijk|behalve|in plaats van|sällan|långt ifrån|omöjligt"
    r"|förbjud\w{1,3}"
    r"|sjældent?|langt fra|usandsynligt|umuligt|forbudt|rzadko|daleko od|niemożliw\w{1,2}"
    r"|zabronion\w{1,2}|редко|вряд ли|едва ли|далеко|невозможно|запрещ\w{2,5}|кроме|вместо"
    r"|nadiren|imkansız|yasak|hariç|نادرا|نادرًا|مستحيل|ممنوع|शायद ही|असंभव)(?!\w)"
    r"(?=(?:[ ][^\W_]{1,20}){0,3}[ ]?\Z)"
    r"|(?:很少|难以|難以|远非|遠非|拒绝|拒絕|禁止|まれに|稀に)\w{0,4}\Z)"
)
"""Denies what stands next though it is no word of negation: what is far from safe is not."""

_WEAKER: Final = lazy_re(
    r"(?<!\w)(?:less(?: than)?|short of|opposite of|almost|too \w{1,20} to(?: be)?"
    r"|(?:insufficient|inadequate|alleged|supposed|purported|ostensib|near|presumab)ly"
    r"|angeblich|beinahe|prétendument|presque|supuestamente|casi|quasi|supostamente|quase|bijna"
    r"|якобы|почти)[ ]?\Z"
)
"""Takes back a part of what comes right behind it."""

_NOT_ONLY: Final = lazy_re(
    r"(?<!\w)(?:not (?:only|just|merely|least|to mention)|no less than|no sooner"
    r"|nicht (?:nur|zuletzt|bloß)"
    r"|non seulement|non sol[oa]|non soltanto|no s[oó]lo|no solamente|não s[óo]|não apenas"
    r"|niet alleen|inte bara|ikke (?:bare|kun)|не только|nie tylko|nejen|不仅|不僅|不但)(?!\w)"
)
"""Denies nothing: who is not only permitted is."""

_NOWISE: Final = lazy_re(r"(?<!\w)(?:in|by|under|at|on|to) no \w{1,20}")
_PORTUGUESE: Final = lazy_re(r"(?<!\w)(?:não|uma?|em|pelo|pela)(?!\w)|ção|ões")
"""Says that "no" is no negation but "in the"."""


def negation_in(words: str) -> str:
    """Return the first word in a folded text that denies, or is as good; "" if none does."""
    words = _NOT_ONLY.sub(" ", words)
    found = (word for word, _ in _negations(words))
    word = next((word for word in found if word != "no" or not _PORTUGUESE.search(words)), "")
    return word or ((match := _AS_GOOD.search(words)) and match[0]) or ""


def weakening_in(words: str) -> str:
    """Return the end of folded words that takes back what comes next; "" if it does not."""
    match = _WEAKER.search(words)
    return match[0].strip() if match else ""


def negations_in(words: str) -> list[str]:
    """Return all words in a folded text that deny, in order."""
    return [word for word, _ in _negations(words)]


def ends_denied(words: str) -> str:
    """Return the word by which the folded rest of a clause denies what stands before it."""
    words = words.lstrip()
    for word, start in _negations(words):
        if (start == 0 and not _AND_NOT.match(word)) or word in _LATE or _LATE_PART.match(word):
            return word
    match = _NOWISE.search(words) or (None if words.isascii() else _LATE_PART.search(words))
    return match[0] if match else ""


def is_negation(word: str) -> bool:
    """Whether a folded word, or character of a script without blanks, denies."""
    return word in _ALL or word.endswith("n't") or _PART.match(word) is not None


def _negations(words: str) -> Iterator[tuple[str, int]]:
    """Yield the words that deny, and where they start."""
    for match in _TOKEN.finditer(words):
        word, start = match[0], match.start()
        if word in _ALL or word.endswith("n't") or word.startswith("نمی"):
            yield word, start
        elif word in {"non", "un"} and _JOINED.match(words, match.end()):
            yield f"{word}-", start
        elif word in {"nu", "אל"} and _PHRASE.match(words, start):
            yield word, start
        elif not word.isascii():
            for part in _PART.finditer(word):
                yield part[0], start + part.start()
