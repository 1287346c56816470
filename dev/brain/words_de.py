"""German."""

from typing import Final

from .words import Words, patterns, table, texts, word_set

WORDS: Final = Words(
    code="de",
    hints=word_set(
        "es dir uns mich heute gestern hier dort soll sollen kann konnen habe haben wann warum"
        " woher wohin noch schon musik weiter paus pausiere uberspring regnet wetter abend nach"
        " bei uber unter zimmer lampe gibt sein der die das den dem und ist sind was wie welche"
        " welcher bitte mach mache macht schalte schalt stelle setze licht lichter aus ein an auf"
        " zu im in ich du mir mein meine eine einen nicht alle ob wer wo guten hallo danke"
        " schliess offne heizung grad uhr hast kannst konntest wird brennt lauft fur mit von"
        " spiele timer wieder ins vom zur zum beide beim deine dich starte gute nacht lauter"
        " leiser erzahl streiche weck finde jeden um werktags schick niemand wenn hause wecker sag"
        " bescheid dass sie ja nein lied nachste nachstes song titel halt lass handy bisschen etwas auch genug schlummern ladt fehlt dort tick stuck viel deutlich uberall draussen mussen sollten brauchen ebenfalls genauso eigentlich gleich irgendwo prozent stufe jemand gelassen rest"
    ),
    filler=(
        r"^(ok|okay|hey|hi|hallo|also|na|so|lumo|ja|du)\b(?=.* )"
        r"|^(kannst|konntest|wurdest|kann|konnte|willst) (du|man|ich)\b"
        r"|^ich (mochte|will|hatte gern|wurde gern)( dass du)?\b"
        r"|\b(bitte|mal|doch|danke|gerade|gerne|jetzt|fur mich|kurz|eben|nochmal|dann)\b"
        r"|\bsorg dafur dass\b"
    ),
    joiners=r"und dann|und danach|und auch|und|dann|danach|sowie|außerdem|aber",
    question=(
        r"(ist|sind|war|was|welche[rsmn]?|wer|wo|wann|wie|wieviel|warum|hat|hast|habe|haben"
        r"|gibt|lauft|laufen|brennt|brennen|steht|stehen|sag mir (ob|was|wie|welche)"
        r"|prufe ob|schau ob|bin|wird|werden|ladt|lief|(?:an|auf|bis|in|um|von|seit) (?:welche\w*|wie|wann|was)|leuchtet)\b"
    ),
    actions=patterns(
        r"""
        unlock: \b(entriegel\w*|entsperr\w*|aufgeschlossen|aufschliess\w*|aufsperren)\b|\b(schliess\w*|sperr\w*)\b.*\bauf\b
        lock: \b(verriegel\w*|versperr\w*|abschliess\w*|absperr\w*|zusperr\w*|zuschliess\w*)\b|\b(schliess\w*|sperr\w*)\b.*\b(ab|zu)\b
        pause: \b(paus\w+)\b|\bhalte?\b.*\ban\b
        next: \b(nachste[nrs]?|uberspring\w*)\b
        previous: \b(vorherige[nrs]?|letzte[nrs]?|zuruck) (lied|song|titel)\b|\b(lied|song|titel) zuruck\b
        unmute: \bton (?:wieder )?an\b
        mute: \bstumm\w*|\bton aus\b
        resume: (?<!stuck )(?<!bisschen )(?<!etwas )\bweiter\w*\b|\bsetz\w*\b.*\bfort\b
        open: \b(offne\w*|hochfahren|aufmachen|hochziehen|aufrollen)\b|\blass\w*\b.*\b(offen|auf)\b|\b(mach\w*|fahr\w*|zieh\w*|roll\w*)\b.*\b(auf|hoch|rauf)$
        close: \b(schliess\w*|zumachen|runterfahren|herunterfahren|runterlassen)\b|\b(mach\w*|fahr\w*|zieh\w*|lass\w*|roll\w*)\b.*\b(zu|runter|herunter)$
        on: ^mach\w* (?:mal |hier )*licht\b(?!.*\b(?:an|aus|\w+er)$)
        off: \b(ausschalten|ausmachen|abschalten|deaktivier\w*|abdrehen|ausgeschaltet)\b|\b(mach\w*|schalt\w*|stell\w*|dreh\w*|knips\w*)\b.*\b(aus|ab)\b|\baus$|^aus\b|\blosch\w*\b.*\blicht\w*\b
        on: \b(einschalten|anmachen|anschalten|aktivier\w*|angehen|eingeschaltet|aufdrehen)\b|\b(mach\w*|schalt\w*|stell\w*|dreh\w*|knips\w*)\b.*\b(an|ein)\b|\b(an|ein)$|^(an|ein)\b
        stop: \b(stopp\w*|anhalten|stop)\b|\bhor\w* auf\b|\b(schick\w*|fahr\w*|hol)\b.*\b(zuruck|heim|nach hause|station|basis)\b|\b(zuruck|heim|nach hause|station|basis) (fahr\w*|geh\w*|komm\w*)\b
        run: \bschick\w*\b.*\blos\b|\b(start\w*|fang\w*|fuhr\w*|ausfuhren|abspielen|lass\w*|druck\w*|zeit fur|beginn\w*)\b
        open: ^(?:(?:und|wieder|im|in|der|dann|\w*zimmer|kuche|bad|buro|oben|unten) )*(auf|hoch)$
        close: ^(?:(?:und|wieder|im|in|der|dann|\w*zimmer|kuche|bad|buro|oben|unten) )*(zu|runter)$
        set: \b(stell\w*|dimm\w*|abdunkel\w*|setz\w*|mach\w*|ander\w*|dreh\w*|heiz\w*|regel\w*|fahr\w*|farb\w*|erhoh\w*|senk\w*|verander\w*)\b
        """
    ),
    pronouns=r"\b(sie|es|ihn|das|die|den|wieder|dieses?|diesen|jene)\b",
    here=r"\b(hier|in diesem (raum|zimmer)|im (raum|zimmer))\b",
    floors=tuple(
        table(
            "floor: erdgeschoss, erster stock, obergeschoss, keller, dachboden, unten, oben"
        )
    ),
    domains=table(
        """
        light: licht, lampe, beleuchtung, leuchte; switch: schalter
        switch outlet: steckdose; fan: ventilator, lufter
        cover garage: tor, garagentor, garagentur; cover window: fenster
        cover: rollo, jalousie, rollladen, rolladen, vorhang, gardine, markise
        lock: tur, schloss, schlosser; climate: thermostat, heizung, klimaanlage
        media_player tv: fernseher, tv; media_player speaker: lautsprecher
        media_player: musik; vacuum: staubsauger, saugroboter, roboter, saugen
        lawn_mower: mahroboter, rasenmaher; valve: ventil; scene: szene
        humidifier: luftbefeuchter; binary_sensor: sensor
        """
    ),
    properties=table(
        """
        climate temperature: temperatur, warm, kalt, grad
        sensor humidity: luftfeuchtigkeit, feuchtigkeit, feucht
        binary_sensor,sensor battery: akku, batterie
        binary_sensor battery_charging: geladen; binary_sensor moisture: nass, wasser
        binary_sensor motion: bewegung; binary_sensor smoke: rauch
        sensor power: stromverbrauch
        """
    ),
    states=table(
        """
        on: an, eingeschaltet, ein, lauft, brennt, angelassen, brennen, ausgelost, schwach, leer, geladen, ladt, kalt, heiss, nass, verbunden
        off: aus, ausgeschaltet, fertig; open: offen, geoffnet, auf
        closed: zu, geschlossen
        locked: abgeschlossen, verriegelt, zugesperrt, abgesperrt, verschlossen
        unlocked: entriegelt, aufgeschlossen, unverschlossen; paused: pausiert
        home: zuhause, daheim
        """
    ),
    colors=table(
        """
        red: rot; green: grun; blue: blau; yellow: gelb; orange: orange; purple: lila
        violet: violett; pink: rosa, pink; white: weiss; brown: braun
        turquoise: turkis; black: schwarz
        """
    ),
    levels=table(
        """
        100: maximum, maximal, maximale, voll, ganz, hochste
        1: minimum, minimal, niedrigste; 50: halb, halfte; 20: schwach, gedimmt
        """
    ),
    smalltalk=patterns(
        r"""
        thanks: \b(danke\w*|vielen dank)\b
        nevermind: \b(lass (es|ihn|sie|das)|lieber nicht|vergiss es|schon gut|abbrechen|egal|nichts)$
        who: \bwer (bist du|hat dich)\b|\bwas bist du\b|\bwie heisst du\b|\bdein name\b
        how_are_you: \bwie geht( es|s| s)? (dir|es dir)\b|\bwie gehts\b
        joke: \bwitz\b
        default: ^(ja|nein|ok|okay)$
        help: \bwas kannst du\b|\bwas kann ich\b|^hilfe$
        goodbye: ^(tschuss|auf wiedersehen|bis (spater|bald|morgen)|gute nacht)\b
        greeting: ^(hallo|hi|hey|guten (morgen|abend|tag)|servus|moin|gruss gott)\b
        """
    ),
    state_words=table(
        """
        an: on; aus: off; so eingestellt: set
        offen: open, door:on, window:on, garage_door:on
        geschlossen: closed, door:off, window:off, garage_door:off
        abgeschlossen: locked; nicht abgeschlossen: unlocked; am Öffnen: opening
        am Schließen: closing; am Heizen: heat; am Spielen: playing; pausiert: paused
        in der Ladestation: docked; am Saugen: cleaning; zu Hause: home
        nicht zu Hause: not_home; nicht verfügbar: unavailable; unbekannt: unknown
        sonnig: sunny; klar: clear-night; bewölkt: cloudy
        teilweise bewölkt: partlycloudy; regnerisch: rainy; schwach: battery:on
        in Ordnung: battery:off; in Bewegung: motion:on; ruhig: motion:off, smoke:off
        nass: moisture:on; trocken: moisture:off; ausgelöst: smoke:on
        """
    ),
    domain_words=table(
        """
        die Lichter: light; die Schalter: switch; die Ventilatoren: fan
        die Abdeckungen: cover; die Schlösser: lock; die Heizung: climate
        die Medienwiedergabe: media_player; der Saugroboter: vacuum
        die Jalousien: blind; die Vorhänge: curtain; die Rollläden: shutter
        das Garagentor: garage; die Türen: door; die Fenster: window
        """
    ),
    replies=texts(
        """
        on: Ich habe {target} eingeschaltet. | off: Ich habe {target} ausgeschaltet.
        open: Ich habe {target} geöffnet. | close: Ich habe {target} geschlossen.
        lock: Ich habe {target} abgeschlossen. | unlock: Ich habe {target} aufgeschlossen.
        set: Ich habe {target} auf {value} gestellt. | percent: Prozent | degrees: Grad | done: Erledigt.
        run: Ich habe {target} ausgeführt. | item_added: {item} steht jetzt auf der Liste {list}.
        item_gone: Ich habe {item} von der Liste {list} gestrichen. | failed: Das hat nicht geklappt: {error}
        cannot: Das kann ich hier nicht.
        not_understood: Das habe ich leider nicht verstanden: Hier antworten Regeln, nicht Lumo.
        which_area: In welchem Bereich soll ich das tun?
        which_value: Welchen Wert für {field} möchtest du bei {name}?
        no_home: Ich sehe keine Geräte. Gib sie in Home Assistant zuerst für den Sprachassistenten frei.
        greeting: Hallo! Was kann ich für dich tun? | thanks: Gern geschehen. | goodbye: Bis bald!
        how_are_you: Mir geht es gut, danke. Was kann ich für dich tun?
        who: Hier antworten Regeln, nicht Lumo.
        joke: Warum ist die Glühbirne durchgefallen? Sie war nicht die Hellste.
        help: Du kannst mich bitten, Geräte in deinem Zuhause zu schalten, einzustellen oder abzufragen.
        nevermind: Kein Problem. | default: Ich helfe dir mit deinem Zuhause. Was soll ich tun? | yes: Ja | no: Nein
        and: und | the_area: den Bereich {area} | in_area: {thing} im Bereich {area} | everything: alles
        state: {name} ist {state}. | on_list: Eingeschaltet: {names}. | matching: {names}: {state}.
        none: Es gibt keine. | none_match: Nichts davon ist {state}. | time: Es ist {time} Uhr.
        already: {target} ist schon {state} | all_already: {target} sind schon {state}
        nothing: Es gab nichts zu tun. | speaker: Wer spricht? | whose_phone: Wessen Handy?
        nothing_plays: Es läuft gerade nichts. | no_timer: Timer kann ich hier nicht stellen: Dieses Gerät hat keine.
        items: Auf der Liste {list}: {items}. | no_items: Die Liste {list} ist leer.
        no_events: Im Kalender steht nichts. | unknown_state: Das konnte ich nicht herausfinden.
        """
    ),
)
