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
    ordinals="""
        erst(e|en|er|es) zweit(e|en|er|es) dritt(e|en|er|es) viert(e|en|er|es)
        fünft(e|en|er|es) letzt(e|en|er|es)
    """,
    choosing="""
        (da|dort|mal|nimm|nehme|ich nehme|neben|bei|auf (der|dem)|es ist|das ist)
        ich (meine|meinte|will|möchte|sagte|habe gesagt)
        (meine|meinte|nehme) ich
    """,
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
        [ach|nein|nee|ne|sorry|entschuldigung] vergiss (es|das|mal) [einfach|wieder]
        [nein|nee|ne] lass (mal|gut sein|es [gut] sein)
        ach (egal|nichts|nix)
        (hat|das hat|es hat) sich erledigt
        [ist] schon erledigt
        [ist] nicht [so] wichtig
        [ist] schon gut
        [ach|nein] doch (nicht|nichts|nix)
    """,
    nothing_more="""
        danke [schön|sehr|dir|euch|nochmal]
        (dankeschön|vielen dank|besten dank)
        [nein] das (war|wars|war's|ist|wäre|wär|wär's) [dann] (alles|es) [für (heute|jetzt)]
        [nein] das (war's|wars|wär's) [dann|schon] [für (heute|jetzt)]
        (nein|nee|ne|nö) danke
        [nein|nee|ne] [sonst] (nichts|nix) [mehr|weiter|sonst]
        (nein|nee|ne) passt schon
        (passt schon|das reicht) danke
        danke (passt schon|das reicht)
        alles (gut|okay|ok)
        mehr [brauche|brauch|will|wollte|möchte] (ich|wir) nicht
    """,
    stop="""
        (stopp|stop|halt|abbrechen|abbruch|aufhören|genug) [jetzt|sofort]
        (hör|hört) auf
        brich ab
        [das] reicht [jetzt]
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
        überhaupt so gut ist war habe gesagt einfach sofort öffnen aufmachen von beiden
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
    exceptions="außer ausgenommen ohne",
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
    leaning=re.compile(
        r"^(?:und|auch|aber|oder|dann|was ist mit|wie wäre es mit|ebenso)\b"
        r"|\b(?:auch|ebenfalls|ebenso|stattdessen|das gleiche|dasselbe|die anderen?"
        r"|den rest)\W*$",
        re.IGNORECASE,
    ),
    unfinished="des und im zum zur vom beim ins weil dass wenn",
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
    closings=re.compile(
        r"(?:(?:und|so|okay|ok),? )?(?:(?:gibt es|(?:brauchst|möchtest|willst|hast) du"
        r"|(?:brauchen|möchten|wollen|haben) sie|(?:kann|darf|soll) ich(?: \w+)?) )?"
        r"(?:(?:sonst|darüber hinaus) )?noch (?:et)?was\b"
        r"(?! (?:mehr|weniger|heller|dunkler|wärmer|kälter|lauter|leiser)\b)"
        r"|(?:kann|darf) ich (?:\w+ ){0,4}(?:behilflich|(?:weiter)?helfen)\b"
        r"|(?:wie|womit|wobei|was) kann ich\b",
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
            *raffstore *plissee *rollläden *rolläden *vorhänge
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
    cues={
        "history": """wann wie oft lange letzte letzten letzter letztes zuletzt seit
            gestern vorgestern heute woche* monat* jahr stunde minute tag tagen
            nachts wer wem jemals schon war waren wurde wurden hat haben hatte*
            durchschnitt* schnitt mittel höchst* tiefst* niedrigst* maxim* minim*
            meist* wenigst* verbrauch* strom* energie* kost* kwh solar* verlauf*
            geändert gelaufen vorhin früher zwischen wärmst* kältest* vergleich* als""",
        "why": """warum wieso weshalb weswegen grund weil hast hattest getan gemacht
            passiert geschehen warst dir deine gesendet geschickt gesagt gehört
            verlassen daten privat* proton internet cloud weitergegeben""",
        "forecast": """wetter* vorhersage regen* regnet regnen schnee* schneit
            schneien sonne sonnig wolke* bewölkt wind* sturm* stürm* gewitter*
            schirm* regenschirm jacke morgen übermorgen heute wochenende kalt warm
            heiß kälte frier* friert frost* glatt* trocken nass draußen grad montag
            dienstag mittwoch donnerstag freitag samstag sonnabend sonntag""",
        "events": """*kalender *termin *treffen veranstaltung* geburtstag* plan*
            geplant wann frei heute morgen übermorgen woche* wochenende monat*
            urlaub* ferien reise zahnarzt* arzt* müll* ansteht steht montag dienstag
            mittwoch donnerstag freitag samstag sonnabend sonntag""",
        "set": """*modus stell* einstell* eingestellt eco auto automatik heizen
            kühlen entfeucht* befeucht* *feuchte *feuchtigkeit boost abwesen*
            schwenk* oszill* dreh* drehrichtung richtung rückwärts vorwärts option
            wähl* auswahl quelle eingang hdmi kanal wiederhol* zufall* saugkraft
            saugstufe stufe scharf unscharf *alarm* sirene zahl wert ändere ändern
            wechsel* *programm urlaub*""",
        "change_list": """*liste verschieb* umbenenn* benenn* leer* lösch* *eintrag
            *einträge ersetz* tausch* ändere ändern korrigier* *aufgabe einkauf*
            besorg* notiz* statt erledigt* abgehakt* fällig* streich*""",
        "create_event": """*kalender *termin *treffen veranstaltung* geburtstag*
            erinner* plane planen eintrag* trag trage verabred* einlad* morgen
            übermorgen heute woche montag dienstag mittwoch donnerstag freitag
            samstag sonnabend sonntag uhr""",
        "compose": """gemütlich* stimmung* atmosphäre ambiente szene film* kino*
            party* feier* romant* entspann* abendessen essen frühstück bereite
            bereit vorbereit* bett schlaf schlafen gäste besuch gehe gehen weg nacht
            abend schön* wohnlich* arbeite arbeiten spielen spielabend spieleabend
            lese lesen""",
    },
    doors="""
        *tür tor *garagentor *hoftor *gartentor *einfahrtstor *rolltor *schiebetor *haustor
        garage* *pforte *schranke *öffner öffnen *riegel *schloss türöffner*
    """,
    said={
        "code": "Der Code steht im Chat.",
        "done": "Erledigt.",
        "yes": "ja",
        "no": "nein",
        "items": "{count} Punkte:",
        "time": "{h} Uhr {m}",
        "hour": "{h} Uhr",
        "clock": "Uhr h",
        "date": "{d}. {m} {y}",
    },
    signs="""
        −=minus; +=plus; ~=etwa; ±=plus minus; ×=mal; –=bis; ==gleich; &=und;
        <=weniger als; >=mehr als; ≤=höchstens; ≥=mindestens; ÷=geteilt durch; #=Nummer;
        →=zu; ²=hoch zwei; ³=hoch drei; ^=hoch; √=Wurzel aus
    """,
    units="""
        °C=Grad Celsius; °F=Grad Fahrenheit; °=Grad; K=Kelvin; %=Prozent; ‰=Promille;
        W=Watt; kW=Kilowatt; Wh=Wattstunde|Wattstunden;
        kWh=Kilowattstunde|Kilowattstunden; V=Volt; A=Ampere; mA=Milliampere; Hz=Hertz;
        MHz=Megahertz; GHz=Gigahertz; mm=Millimeter; cm=Zentimeter; m=Meter;
        km=Kilometer; km/h=Kilometer pro Stunde; m/s=Meter pro Sekunde;
        mm/h=Millimeter pro Stunde; mg=Milligramm; g=Gramm; kg=Kilogramm; EL=Esslöffel;
        TL=Teelöffel; ml=Milliliter; mL=Milliliter; dl=Deziliter; cl=Zentiliter; l=Liter;
        L=Liter;
        m²=Quadratmeter; km²=Quadratkilometer; m³=Kubikmeter;
        m³/h=Kubikmeter pro Stunde; W/m²=Watt pro Quadratmeter;
        µg/m³=Mikrogramm pro Kubikmeter; hPa=Hektopascal; mbar=Millibar; lx=Lux;
        lm=Lumen; dB=Dezibel; ppm=Teile pro Million; kcal=Kilokalorie|Kilokalorien;
        ms=Millisekunde|Millisekunden; s=Sekunde|Sekunden; min=Minute|Minuten;
        Min=Minute|Minuten; h=Stunde|Stunden; Std=Stunde|Stunden; MB=Megabyte;
        GB=Gigabyte; Mbit/s=Megabit pro Sekunde; €/kWh=Euro pro Kilowattstunde;
        ct/kWh=Cent pro Kilowattstunde
    """,
    singular=re.compile(r"-?1"),
    decimal=",",
    months="""
        Januar Februar März April Mai Juni Juli August September Oktober November
        Dezember
    """,
    states="""
        offen=open; auf=open; zu=closed; an=on; eingeschaltet=on; ausgeschaltet=off; da=home;
        daheim=home; weg=not home; abgeschlossen=locked; zugesperrt=locked;
        aufgeschlossen=unlocked; bewegung=detected; nass=wet
    """,
    weekdays="Montag Dienstag Mittwoch Donnerstag Freitag Samstag|Sonnabend Sonntag",
    periods="""
        jetzt=now; heute=today; gestern=yesterday; morgen=tomorrow;
        vorgestern=day_before_yesterday; übermorgen=day_after_tomorrow;
        heute morgen=morning; [heute] (früh|vormittag)=morning;
        [heute] nachmittag=afternoon; [heute] abend=evening; [heute] nacht=night; (letzte|gestern) nacht=last_night;
        diese woche=this_week; (letzte|vorige|vergangene) woche=last_week;
        (nächste|kommende) woche=next_week;
        (dieses|am) wochenende=this_weekend; [am] letzten wochenende=last_weekend;
        letztes wochenende=last_weekend; nächstes wochenende=next_weekend;
        [am] nächsten wochenende=next_weekend; diesen monat=this_month; dieser monat=this_month;
        (letzten|letzter|vorigen|vergangenen) monat=last_month;
        (nächsten|nächster) monat=next_month;
        dieses jahr=this_year; letztes jahr=last_year; nächstes jahr=next_year;
        [in|die] [der|den] (letzte|letzten) [#] (minute|minuten)=last_minutes;
        [in|die] [der|den] (letzte|letzten) [#] (stunde|stunden)=last_hours;
        [in|die] [den] (letzte|letzten) # (tage|tagen)=last_days;
        [in|die] [den] (letzte|letzten) # wochen=last_weeks;
        [in|die] [den] (letzte|letzten) # (monate|monaten)=last_months;
        [in|die] [der|den] (nächste|nächsten) [#] (stunde|stunden)=next_hours;
        [in|die] [den] (nächste|nächsten) # (tage|tagen)=next_days;
        [in|die] [den] (nächste|nächsten) # wochen=next_weeks; [am|diesen] *=weekday;
        (letzter|letzten) *=last_weekday; (nächster|nächsten) *=next_weekday;
        [im] @=month; [im] @ #=year_month
    """,
    before_days="am vom zum den dem",
    sources="quelle quellen quellenangaben einzelnachweise referenzen",
)
