"""Dutch."""

import re
from typing import Final

from .form import Language

NL: Final = Language(
    code="nl",
    yes="""
        (ja|jawel|jazeker|jep|jup|jups)
        ja (doe|doe maar|hoor|nu|graag|zeker|dat mag|je mag|doe dat|dat wil ik)
        (zeker|zeker weten|natuurlijk|tuurlijk|uiteraard|absoluut|inderdaad|precies)
        (graag|heel graag|akkoord|ja prima|ja goed|ja oké|ja is goed)
        [dat|ja|ja dat] is (goed|prima|akkoord|in orde) [hoor]
        (klopt|dat klopt|correct|bevestigd|ik bevestig|ik bevestig het)
        doe [het|dat|'t] maar [even|nu]
        doe (het|dat|'t) [nu|even]
        (ga je gang|ga uw gang|toe maar|dat mag|je mag|dat mag je|dat mag hoor)
        (dat wil ik|ik wil dat|ik zei ja|ik zeg ja)
        (ik ben|ben) [er] zeker van
    """,
    weak_yes="""
        (prima|goed|in orde|ok|oké|okay|oke) [hoor]
    """,
    it="""
        (hem|haar|het|dat|'m|'t)
        (de deur|het slot|het alarm)
    """,
    them="(ze|die|de deuren|de sloten)",
    only="alleen enkel",
    both="(allebei|beide|alle twee|ze allebei) [deuren|sloten]",
    all_of="(allemaal|alle [#]|alles)",
    echo={
        "do_unlock": """
            (ontgrendel|ontgrendelen|open) [~] [maar|nu|even]
            [~] (ontgrendelen|openen|openmaken|opendoen)
            (doe|maak|haal|zet) [~] [maar|nu|even] van het slot
            (doe|maak) [~] [maar|nu|even] open
        """,
        "do_lock": """
            vergrendel [~] [maar|nu|even]
            [~] (vergrendelen|afsluiten)
            (doe|zet|sluit) [~] [maar|nu|even] (op slot|af)
        """,
        "do_open": """
            open [~] [maar|nu|even]
            [~] (openen|openmaken|opendoen)
            (doe|maak) [~] [maar|nu|even] open
        """,
        "do_close": """
            sluit [~] [maar|nu|even]
            [~] sluiten
            (doe|maak) [~] [maar|nu|even] (dicht|toe)
        """,
        "do_disarm": """
            (schakel|zet) [~] [maar|nu|even] uit
            [~] uitschakelen
        """,
        "do_turn_on": """
            (doe|zet|schakel) [~] [maar|nu|even] (aan|in)
            [~] (aanzetten|aandoen|inschakelen)
        """,
        "do_turn_off": """
            (doe|zet|schakel) [~] [maar|nu|even] (uit|af)
            [~] (uitzetten|uitdoen|uitschakelen)
        """,
        "do_toggle": """
            schakel [~] om
            [~] omschakelen
        """,
        "do_set_position": """
            zet [~]
            [~] zetten
        """,
        "do_set_temperature": """
            zet [~]
            [~] zetten
        """,
        "do_run": """
            start [~] [maar|nu|even]
            [~] (starten|uitvoeren)
            voer [~] [maar|nu|even] uit
        """,
        "do_use": """
            gebruik [~]
            [~] gebruiken
        """,
    },
    no="""
        (stop|annuleer|annuleren|afbreken|wacht|wacht even|hou op|ho)
        (laat|laat het|laat dat|laat hem) [maar|maar zitten|zitten|zo|maar zo|dicht]
    """,
    never_mind="""
        vergeet (het|dat|'t) [maar]
        laat maar [zitten]
    """,
    denials="""
        nee neen nah nope niet nooit geen niks niets nergens zonder noch stop
        annuleer annuleren afbreken no nein non
    """,
    beside_no="""
        dank je wel u nu nog liever beter doe doen maar dat het hoeft mag moet moeten wil
        ik absoluut zeker echt helemaal vandaag bedankt hoor nou toch voor nodig even in
        elk geval zo natuurlijk ach open openen is was zei bij
    """,
    unclear="""
        alles (goed|prima|ok|oké|okay|in orde)
        ja (ja|nee|nou|maar|toch)
        nou ja
        ach ja
        (ok|oké|okay|prima|goed) (dank|dankje|dankjewel|bedankt)
        (niet|nooit) [zo|helemaal|echt] zeker
    """,
    polite="""
        (alsjeblieft|alstublieft|aub|alsjeblief)
        (dank je|dank u|dankje|dankjewel|bedankt) [wel|hoor]
    """,
    hesitations="eh uh ehm uhm euh hm hmm mm mmm oh dus",
    questions=re.compile(
        r"(?:en )?(?:wat|welke?|wie|waar|wanneer|waarom|hoe|hoeveel|is|zijn|was|waren|ben"
        r"|bent|staan|heeft|heb|hebt|hebben|had|hadden|branden|doen|werken|draaien|lopen"
        r"|spelen|zitten|liggen|hangen|gaan|komen|worden|moeten|mogen|mag|gaat|doet|ga ik"
        r"|kan (?:ik|het|er|de)|klopt het|weet (?:je|u)|zie je|hoor je"
        r"|(?:kun|kan|wil|zou) (?:je|u) (?:me|mij|ons) (?:zeggen|vertellen)"
        # Third person: "brandt het licht". A command that ends in t has the same form.
        r"|(?!\w*(?:zet|set|sluit|start|laat|test|print|cast|richt|wacht|stuit|vergeet|schat"
        r"|meet|zoek)\b)\w{2,}t (?:de|het|er|een|ik|we|mijn|onze?|die|dat|deze|dit|iemand"
        r"|iets|alles|ergens))\b",
        re.IGNORECASE,
    ),
    joints="en dan daarna ook vervolgens",
    timers="*timer *wekker kookwekker countdown stopwatch",
    pronouns=re.compile(
        r"\b(?:zet|doe|maak|dim|start|stop|pauzeer|sluit|open) (?:hem|haar|ze|['’][mt])\b"
        r"|\b(?:hem|haar|ze|het|die|dat) (?:(?:maar|nu|weer|even|ook|nog|iets|wat) )*(?:aan"
        r"|uit|af|open|dicht|hoger|lager|harder|zachter|feller|donkerder)\b",
        re.IGNORECASE,
    ),
    tools="tool *functie functieaanroep gereedschap syntaxis json",
    undo=re.compile(
        r"\bongedaan\b|\b(?:draai|zet) (?:dat|het|dit)(?: weer)? terug\b"
        r"|\bterugdraaien\b|\bzoals (?:het|ze) (?:was|waren)\b",
        re.IGNORECASE,
    ),
    claims=None,
    claims_states=None,
    claims_nothing=None,
    excuses=re.compile(
        r"\b(?:geen|niet|zonder)\b[^.!?]{0,60}\b(?:tools?|hulpmiddel(?:en)?|functies?"
        r"|gereedschap|toegang tot (?:de|het|je|uw|dit|dat) (?:\w+ )?(?:huis|apparat(?:en)?"
        r"|apparaat|lampen?|lichten|systeem|smart ?home)"
        r"|(?:apparaten|lampen|huis) (?:te )?(?:bedienen|besturen))\b"
        r"|\b(?:tool|functie|hulpmiddel)\b[^.!?]{0,40}\b(?:niet (?:beschikbaar"
        r"|toegankelijk|gebruiken)|ontbreekt)\b"
        r"|\bals (?:een )?(?:ai|taalmodel|tekst\w*)\b[^.!?]{0,50}\b(?:niet|geen)\b",
        re.IGNORECASE,
    ),
    articles={
        "de": """
            *deur *poort *garage *lamp *verlichting *verwarming *thermostaat *tv *televisie
            *ventilator *stofzuiger *speaker *radio *kraan *airco *oven *schakelaar
        """,
        "het": "*licht *slot *gordijn *rolluik *alarm *raam *stopcontact *hek",
    },
    generic="de het een van mijn onze ons en in op",
    before_number="nummer nr en of",
    numbers="nul - twee drie vier vijf zes zeven acht negen tien",
    endings="s es e en n",
    short_endings="s e en",
    cases="",
    links="s en n e er",
    kinds={
        "light": "*licht *lamp *verlichting *spot",
        "blind": "*gordijn *rolluik *jaloezie luxaflex zonwering zonnescherm",
        "music": "*muziek nummer liedje lied radio *speaker volume geluid playlist album",
        "tv": "tv *televisie teevee",
        "fan": "*ventilator *afzuiging",
        "vacuum": "*stofzuiger *robotstofzuiger",
        "climate": "*verwarming *thermostaat airco *temperatuur kachel",
        "door": "*deur *poort garage* *slot",
        "valve": "*klep *kraan water gas",
        "alarm": "alarm alarm*",
    },
    changes={
        "light": """
            (feller|lichter|helderder|donkerder|dim|dimmen)
            te (donker|licht|fel)
        """,
        "blind": "",
        "music": """
            (harder|zachter|luider|stiller|pauze|pauzeer|speel|afspelen|dempen)
            (volgende|vorige) (track|song)
        """,
        "tv": "",
        "fan": "",
        "vacuum": "(stofzuig|stofzuigen|zuigen|schoonmaken)",
        "climate": """
            (graden|warmer|kouder|koeler)
            te (warm|koud|heet)
            ik heb het (warm|koud)
        """,
        "door": "",
        "valve": "",
        "alarm": "",
    },
    doors="""
        *deur *poort garage* *slot grendel klink opener *opener openen open hek slagboom
    """,
)
