"""German."""

import re
from typing import Final

from .form import Language

_DONE: Final = (
    r"(?:(?:aus|ein|an|ab|um)geschaltet|(?:aus|an|auf|zu)gemacht|\w*gestellt|geöffnet"
    r"|geschlossen|verriegelt|entriegelt|(?:ab|auf|zu)geschlossen|(?:ab|auf)gesperrt"
    r"|gestartet|gestoppt|angehalten|pausiert|fortgesetzt|gedimmt|\w*gesetzt"
    r"|hinzugefügt|entfernt|gelöscht|aktiviert|deaktiviert|geändert|angepasst|erhöht"
    r"|gesenkt|verringert|reduziert|ausgeführt|erledigt|(?:hoch|herunter|runter)gefahren"
    r"|stummgeschaltet|abgespielt|übersprungen|geschärft|entschärft)"
)

DE: Final = Language(
    code="de",
    yes="""
        (ja|jo|jep|jap|jup|jepp|jawohl|jawoll)
        ja (jetzt|sofort|klar|genau|sicher|sollst du|darfst du|kannst du|das will ich)
        (na|aber) klar [doch]
        klar doch
        ja (mach|mach mal|doch|doch bitte|mach ruhig|mach nur)
        [na|aber] (natürlich|sicher|freilich|selbstverständlich|gern|gerne)
        aber ja
        sehr (gern|gerne)
        (unbedingt|definitiv|absolut|genau|richtig|korrekt|einverstanden|bestätigt)
        auf jeden fall
        auf alle fälle
        (mach|mache) (das|es|mal|ruhig) [bitte] [mal|ruhig|einfach|jetzt|sofort]
        mach's [mal|ruhig|einfach|jetzt|sofort]
        (tu|tue) (das|es) [mal|ruhig|jetzt|sofort]
        tu's [mal|ruhig|jetzt|sofort]
        (leg los|nur zu|ich bitte darum|ich bestätige|bestätige)
        [ja] (du sollst|das sollst du|du darfst|das darfst du|das will ich|ich will das)
        ich habe ja gesagt
        (bin|ich bin) [mir] sicher
    """,
    weak_yes="""
        (ok|okay|okey|klar|passt|in ordnung)
        passt so
        geht (klar|in ordnung)
        [das] ist (gut|ok|okay|in ordnung)
    """,
    it="""
        (ihn|es|das|den)
        (die tür|das schloss|den alarm|die alarmanlage)
    """,
    them="(sie|die|die türen|die schlösser)",
    only="nur bloß",
    both="[alle|die] (beide|beides|beiden) [türen|schlösser]",
    all_of="(alle [#]|alles)",
    echo={
        "do_unlock": """
            (schließ|schließe|sperr|sperre|mach|mache) [~] [bitte|mal|ruhig|jetzt|sofort] auf
            (entriegle|entriegel|entsperre|entsperr|öffne) [~] [jetzt|sofort]
            ~ auf
            [~] (aufschließen|aufsperren|entriegeln|entsperren|aufmachen|öffnen)
        """,
        "do_lock": """
            (schließ|schließe|sperr|sperre) [~] [bitte|mal|ruhig|jetzt|sofort] (ab|zu)
            (verriegle|verriegel) [~] [jetzt|sofort]
            [~] (abschließen|zuschließen|absperren|verriegeln)
        """,
        "do_open": """
            öffne [~] [jetzt|sofort]
            [~] (öffnen|aufmachen)
            ~ auf
            (mach|mache) [~] [bitte|mal|ruhig|jetzt|sofort] auf
        """,
        "do_close": """
            (schließ|schließe|mach|mache) [~] [bitte|mal|ruhig|jetzt|sofort] zu
            (schließ|schließe) ~
            [~] (schließen|zumachen)
        """,
        "do_disarm": """
            (schalt|schalte|mach|mache) [~] [bitte|mal|jetzt] (unscharf|aus|ab)
            entschärfe [~]
            [~] (entschärfen|unscharf schalten|ausschalten)
        """,
        "do_turn_on": """
            (schalt|schalte|mach|mache) [~] [bitte|mal|ruhig|jetzt] (an|ein)
            [~] (einschalten|anschalten|anmachen)
        """,
        "do_turn_off": """
            (schalt|schalte|mach|mache) [~] [bitte|mal|ruhig|jetzt] (aus|ab)
            [~] (ausschalten|abschalten|ausmachen)
        """,
        "do_toggle": """
            (schalt|schalte) [~] um
            [~] umschalten
        """,
        "do_set_position": """
            (stell|stelle|fahr|fahre) [~]
            [~] (stellen|fahren)
        """,
        "do_set_temperature": """
            (stell|stelle) [~] [ein]
            [~] (stellen|einstellen)
        """,
        "do_run": """
            (starte|start) [~] [jetzt|sofort]
            (führ|führe) [~] [jetzt|sofort] aus
            [~] (starten|ausführen)
        """,
        "do_use": """
            (benutze|nimm|verwende) [~]
            [~] (benutzen|verwenden)
        """,
    },
    no="""
        (stopp|stop|halt|abbrechen|abbruch|brich ab|warte|moment)
        lass (es|das|mal|gut sein) [sein|bleiben]
        (lass|lass es|lass das) [lieber|besser] (sein|bleiben|zu)
    """,
    never_mind="""
        vergiss (es|das|mal) [sein|bleiben]
    """,
    denials="""
        nein nö nee ne nicht nichts nie niemals kein keine keinen keinem keiner
        keinesfalls keineswegs mitnichten weder ohne garnicht nope stopp stop halt
        abbrechen abbruch no non
    """,
    beside_no="""
        jetzt lieber besser bloß das es sie ihn mach mache tu tue auf fall fällen umständen
        unter noch doch mehr nötig gar ganz sicher natürlich heute danke schon mal
        wirklich sollst du ich will möchte muss musst brauchst brauche ach na mir
        überhaupt so gut ist war habe gesagt einfach sofort öffnen aufmachen
    """,
    unclear="""
        alles (klar|gut|ok|okay|in ordnung)
        na ja
        ja (ja|nein|nee|ne|nö)
        ja (also|so|gut)
        ach ja
        (nicht|nie) [so|ganz|wirklich] sicher
        (ok|okay|okey|klar|passt|gut|in ordnung) danke
        mach's gut
        mach es gut
    """,
    polite="""
        bitte [schön|sehr|bitte]
        danke [schön|sehr|dir]
        (dankeschön|bitteschön|vielen dank|besten dank)
    """,
    hesitations="äh ähm öh öhm uh um oh hm hmm mm mmm also so nun hey",
    questions=re.compile(
        r"(?:und |sag mir |weißt du )?"
        r"(?:was|welche[rsnm]?|wer|wessen|wo|wann|warum|wieso|wie|wie ?viele?|ist|sind"
        r"|war|waren|hat|haben|hast|gibt|läuft|laufen|brennt|brennen|steht|stehen|ob)\b",
        re.IGNORECASE,
    ),
    joints="und dann auch danach anschließend",
    timers="*timer *wecker countdown eieruhr stoppuhr",
    pronouns=re.compile(
        # "Mach sie aus", "sie wieder aus"; not "die Lampe".
        r"\b(?:mach|schalt|stell|dreh|dimm|öffn|schließ|fahr|start|stopp|spiel|pausier"
        r"|setz|lass)e? (?:sie|ihn|es|das)(?! \w+ \w+ \w+)\b"
        r"|\b(?:sie|ihn|es|das|die|den) (?:(?:bitte|wieder|jetzt|mal|doch|auch|noch|etwas"
        r"|ein bisschen|viel) )*(?:an|aus|ein|ab|auf|zu|hoch|runter|lauter|leiser|heller"
        r"|dunkler|wärmer|kälter)\b",
        re.IGNORECASE,
    ),
    tools="tool *werkzeug *funktion funktionsaufruf syntax json",
    undo=re.compile(
        r"\br(?:ü|ue?)ckg(?:ä|ae?)ngig\b|\bnimm (?:das|es) zur(?:ü|ue?)ck\b"
        r"|\bwieder (?:so )?wie (?:vorher|zuvor|eben)\b",
        re.IGNORECASE,
    ),
    claims=re.compile(
        rf"\b(?:ich )?habe? (?:ich )?[^.!?]*\b{_DONE}\b"
        r"|\bich (?:schalte|mache|stelle|setze|öffne|schließe|verriegle|entriegle|starte"
        r"|stoppe|dimme|füge|fahre|aktiviere|deaktiviere|erhöhe|senke|pausiere)\b"
        r"|(?:^|[,;:.!] )(?:schalte|mache|stelle|öffne|schließe|starte|stoppe|dimme)\b"
        r"|\b(?:ist|sind)(?: alle| beide)* (?:jetzt|nun)\b[^.!?]*"
        r"\b(?:aus|an|auf|zu|offen|leise|lauter|leiser|heller|dunkler|\w+t|\w+en)\b"
        r"|^(?:alles |schon )?(?:erledigt|gemacht|fertig|wird gemacht)\b",
        re.IGNORECASE,
    ),
    claims_states=re.compile(
        rf"\b(?:wurden?|worden)\b[^.!?]*\b{_DONE}\b|\b{_DONE} (?:worden|wurden?)\b"
        r"|\b(?:ist|sind)(?: jetzt| nun| alle| beide)+[^.!?]*"
        r"\b(?:aus|an|auf|zu|offen|leise|lauter|leiser|heller|dunkler|\w+t|\w+en)\b"
        rf"|\b(?:ist|sind)\b[^.!?]*\b{_DONE}\b",
        re.IGNORECASE,
    ),
    claims_nothing=re.compile(
        r"\b(?:nichts?|kein\w*|nie|konnte\w*|kann|können|leider|wenn|falls|würde|könnte"
        r"|möchtest|soll|sollte|bereits|schon|vorhin|früher|gestern|fehler|problem"
        r"|bevor|sobald|zuletzt|vor)\b|\?$",
        re.IGNORECASE,
    ),
    excuses=re.compile(
        r"\b(?:kein\w*|nicht|ohne|fehlt)\b[^.!?]{0,60}\b(?:tools?|werkzeuge?\w*"
        r"|funktion(?:en)?|zugriff auf (?:das|dieses|ein|die|diese|deine?|dein|ihre?)"
        r" (?:\w+ )?(?:\w*zuhause|smart ?home|haus|[\w-]*geräte?|lampen?|lichter|system)"
        r"|geräte\b[^.!?]{0,30}\bsteuern|smart-?home (?:zu )?steuern)\b"
        r"|\b(?:tool|werkzeug|funktion)\b[^.!?]{0,40}\b(?:nicht (?:verfügbar|zugreifen"
        r"|nutzen|verwenden|zur verfügung|vorhanden|benutzen)|fehlt)\b"
        r"|\bkeinen (?:direkten )?zugriff (?:darauf|auf (?:das|dieses) (?:tool|werkzeug))"
        r"|\bals (?:ki|sprachmodell|textbasiert\w*)\b[^.!?]{0,50}\b(?:nicht|kein\w*)\b",
        re.IGNORECASE,
    ),
    articles={
        "die": """
            *tür *lampe *leuchte *beleuchtung *heizung *garage *pforte *jalousie *gardine
            *markise *anlage *alarmanlage *klimaanlage *steckdose *maschine *schranke
            *lüftung
        """,
        "das": """
            *licht *tor *garagentor *schloss *rollo *fenster *radio *ventil *thermostat
        """,
        "den": """
            *fernseher *ventilator *lüfter *staubsauger *sauger *rollladen *rolladen
            *vorhang *lautsprecher *ofen *schalter *alarm
        """,
    },
    generic="""
        der die das dem den des ein eine einen einem einer im am vom von zum zur und mein
        meine meinem meinen meiner unser unsere in an
    """,
    before_number="nummer nr und oder",
    numbers="null eins zwei|zwo drei vier fünf sechs sieben acht neun zehn",
    endings="s es e en n er ern em",
    short_endings="s es e en",
    cases="es en er em",
    links="n en s es er e",
    kinds={
        "light": "*licht *lampe *leuchte *beleuchtung *strahler",
        "blind": """
            *rollo *rolllade *rollladen *rolladen *jalousie *vorhang *gardine *markise
            *raffstore *plissee
        """,
        "music": """
            *musik lied song titel *radio *lautsprecher playlist album lautstärke ton
        """,
        "tv": "tv *fernseher fernsehen fernsehgerät glotze",
        "fan": "*ventilator *lüfter *lüftung",
        "vacuum": "*staubsauger *saugroboter *sauger",
        "climate": "*heizung *heizkörper *thermostat *klimaanlage klima *temperatur",
        "door": "*tür *schloss garage* *pforte tor *haustor *hoftor *gartentor",
        "valve": "*ventil wasser gas *hahn",
        "alarm": "alarm alarm*",
    },
    changes={
        "light": """
            (heller|dunkler|dimme|dimm|dimmen|gedimmt|abdunkeln)
            zu (hell|dunkel)
        """,
        "blind": "",
        "music": """
            (lauter|leiser|stumm|pausiere|pause|spiel|spiele|abspielen|überspringe)
            (nächster|nächstes|nächste|voriger|voriges|vorheriges) (track|stück)
        """,
        "tv": "",
        "fan": "",
        "vacuum": "(saug|sauge|saugen|staubsaugen|gesaugt|durchsaugen)",
        "climate": """
            (grad|wärmer|kälter|kühler)
            [zu|so] (kalt|warm|heiß) hier
            zu (kalt|warm|heiß)
            mir ist (kalt|warm|heiß)
        """,
        "door": "",
        "valve": "",
        "alarm": "(scharf|unscharf)",
    },
    doors="""
        *tür tor *garagentor *hoftor *gartentor *einfahrtstor *rolltor *schiebetor *haustor
        garage* *pforte *schranke *öffner öffnen *riegel *schloss türöffner*
    """,
)
