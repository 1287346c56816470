"""The words of yes and no, by language.

Phrases are templates: `(a|b)` is one of them, `[a]` may be missing. They are written
with their accents and apostrophes; gate/consent.py knows that people, keyboards and
speech-to-text leave them out. What is missing here is no answer, so a phrase that
people also use to put off, to doubt or to mock is better left out: "fine", "passt",
"c'est bon", "bueno", "goed".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWords:
    """What answers to "Shall I ...?" are made of in one language."""

    yes: str
    """Phrases, one in a line, each of which is a yes on its own."""
    echo: Mapping[str, str]
    """What may follow a yes: the action once more, by the key of its sentence."""
    no: str
    """Phrases that are a no without having a word of denial."""
    denials: str
    """Words that deny: no text with one of them is a yes."""
    beside_no: str
    """Words that change nothing about a no; beside a yes they are unknown words."""
    unclear: str
    """Phrases that are no answer, although their parts are."""
    polite: str
    """Phrases that change nothing, wherever they stand."""
    hesitations: str
    """Words that change nothing before an answer; at its end more was to come."""


_EN: Final = AnswerWords(
    yes="""
        (yes|yeah|yep|yup|yea|aye)
        (yes|yeah) (now|do|sir|you (may|can|should)|it is|i (do|am|want that))
        (ok|okay|alright|all right)
        (sure|surely|certainly|definitely|absolutely|affirmative|correct|indeed)
        (sure thing|of course|by all means|for sure|you bet|exactly|hell yes)
        (that's|that is) (right|correct|a yes)
        i said yes
        [just] do (it|that|so) [now|then|right now]
        please do [it|that|so] [now]
        go (ahead|for it) [now|then]
        go ahead and do (it|that|so)
        let's do (it|that)
        (proceed|confirm|confirmed|i confirm|make it so)
        you (may|can|should) [do (it|that|so)]
        (i'm|i am) sure
        (that would|that'd) be (great|nice|good|lovely)
        (sounds good|i'd like that|i would like that)
    """,
    echo={
        "do_unlock": """
            unlock [it|that|this|them|the door|the doors|the lock] [now]
        """,
        "do_open": """
            open [up|it|that|this|them|the door|the doors] [up] [now]
        """,
        "do_close": "(close|shut) [it|that|this|them|the door|the doors] [now]",
        "do_disarm": "disarm [it|that|this|them|the alarm] [now]",
        "do_turn_on": """
            (turn|switch) (it|that|this|them) on [now]
            (turn|switch) on [now]
        """,
        "do_turn_off": """
            (turn|switch) (it|that|this|them) off [now]
            (turn|switch) off [now]
        """,
        "do_run": "(run|start) [it|that|this|them] [now]",
    },
    no="""
        (cancel|stop|abort|wait|hold on|negative) [it|that]
        (forget|leave|skip) (it|that)
        leave (it|that|them) [alone|be|closed|locked|shut|as it is]
        let it be
        keep (it|that|them) (closed|locked|shut)
    """,
    denials="""
        no nope nah nay not never nevermind don dont doesn doesnt didn didnt won wont cant
        shouldn shouldnt mustn mustnt wouldn wouldnt cannot t without neither nor none
        nothing nobody nowhere stop cancel abort
    """,
    beside_no="""
        i i'd i'm you we it that this them do does did would should better best rather
        now yet today really actually just thanks thank way at all in on any
        circumstances mind want wanted to please sorry need is must be chance ever said
        sir ll can good idea a under by means
    """,
    unclear="""
        yeah right
        yeah yeah
        sure sure
        oh sure
        (ok|okay) (ok|okay)
        (not|aren't|isn't) [so|really|quite|entirely|that] sure
        why not
        (uh|ah) uh
        (ok|okay|alright|all right) (thanks|thank you|then)
    """,
    polite="""
        [pretty] please
        thanks [a lot|so much|very much]
        thank you [so much|very much]
    """,
    hesitations="uh uhm um erm er oh well so",
)

_DE: Final = AnswerWords(
    yes="""
        (ja|jo|jep|jap|jup|jepp|jawohl|jawoll)
        ja (jetzt|sofort|klar|genau|sicher|sollst du|darfst du|kannst du|das will ich)
        [na|aber] klar
        klar doch
        [na|aber] (natürlich|sicher|freilich|selbstverständlich|gern|gerne)
        aber ja
        sehr (gern|gerne)
        (unbedingt|definitiv|absolut|genau|richtig|korrekt|einverstanden|bestätigt)
        auf jeden fall
        auf alle fälle
        (ok|okay|okey|in ordnung)
        geht (klar|in ordnung)
        (mach|mache) (das|es|mal|ruhig) [bitte] [mal|ruhig|einfach|jetzt|sofort]
        mach's [mal|ruhig|einfach|jetzt|sofort]
        (tu|tue) (das|es) [mal|ruhig|jetzt|sofort]
        tu's [mal|ruhig|jetzt|sofort]
        (leg los|nur zu|ich bitte darum|ich bestätige|bestätige)
        [ja] (du sollst|das sollst du|du darfst|das darfst du|das will ich|ich will das)
        ich habe ja gesagt
        (bin|ich bin) [mir] sicher
    """,
    echo={
        "do_unlock": """
            (schließ|schließe|sperr|sperre|mach|mache) [sie|ihn|es|das|die tür|\
die türen|das schloss] [bitte|mal|ruhig|jetzt|sofort] auf
            (entriegle|entriegel|entsperre|entsperr) [sie|ihn|es|das|die tür|die türen\
|das schloss] [jetzt|sofort]
            (aufschließen|aufsperren|entriegeln|entsperren|aufmachen)
        """,
        "do_open": """
            (öffne|öffnen|aufmachen)
            öffne (sie|ihn|es|das|die tür|die türen|das tor) [jetzt|sofort]
            (mach|mache) [sie|ihn|es|das|die tür|die türen|das tor] \
[bitte|mal|ruhig|jetzt|sofort] auf
        """,
        "do_close": """
            schließen
            (schließ|schließe|mach|mache) [sie|ihn|es|das|die tür|die türen|das tor] \
[bitte|mal|ruhig|jetzt|sofort] zu
            (schließ|schließe) (sie|ihn|es|das|die tür|die türen|das tor)
        """,
        "do_disarm": """
            (schalt|schalte|mach|mache) [sie|ihn|es|den alarm|die alarmanlage] unscharf
            (entschärfe|entschärfen|unscharf schalten)
            entschärfe (sie|ihn|es|den alarm|die alarmanlage)
        """,
        "do_turn_on": """
            (schalt|schalte|mach|mache) [sie|ihn|es|das] [bitte|mal|ruhig|jetzt] (an|ein)
            (einschalten|anschalten|anmachen)
        """,
        "do_turn_off": """
            (schalt|schalte|mach|mache) [sie|ihn|es|das] [bitte|mal|ruhig|jetzt] \
(aus|ab)
            (ausschalten|abschalten|ausmachen)
        """,
        "do_run": """
            (starte|start) [sie|ihn|es|das] [jetzt|sofort]
            (führ|führe) [sie|ihn|es|das] [jetzt|sofort] aus
            (starten|ausführen)
        """,
    },
    no="""
        (stopp|stop|halt|abbrechen|abbruch|brich ab|warte|moment)
        (vergiss|lass) (es|das|mal|gut sein) [sein|bleiben]
        (lass|lass es|lass das) [lieber|besser] (sein|bleiben|zu)
    """,
    denials="""
        nein nö nee ne nicht nichts nie niemals kein keine keinen keinem keiner
        keinesfalls keineswegs mitnichten weder ohne garnicht nope stopp stop halt
        abbrechen abbruch
    """,
    beside_no="""
        jetzt lieber besser bloß das es sie ihn mach mache tu tue auf fall fällen umständen
        unter noch doch mehr nötig gar ganz sicher natürlich heute danke schon mal
        wirklich sollst du ich will möchte muss musst brauchst brauche ach na mir
        überhaupt so gut ist war habe gesagt einfach sofort öffnen aufmachen
    """,
    unclear="""
        na ja
        ja (ja|nein|nee|ne|nö)
        ja (also|so|gut)
        ach ja
        (nicht|nie) [so|ganz|wirklich] sicher
        (ok|okay|okey|in ordnung) danke
        mach's gut
        mach es gut
    """,
    polite="""
        bitte [schön|sehr|bitte]
        danke [schön|sehr|dir]
        (dankeschön|bitteschön|vielen dank|besten dank)
    """,
    hesitations="äh ähm öh öhm uh um oh also so nun",
)

_FR: Final = AnswerWords(
    yes="""
        (oui|ouais|ouaip|ouep|si)
        (ben|bah|mais|eh) oui
        (ben|bah) si
        oui (maintenant|tout de suite|tu peux|vous pouvez|je veux bien|je le veux)
        [oui] bien sûr [que oui|que si]
        (évidemment|certainement|absolument|exactement|effectivement|assurément)
        (tout à fait|volontiers|avec plaisir|carrément|entendu|affirmatif)
        (d'accord|c'est d'accord|ok|okay|ça marche|ça roule)
        (vas-y|allez-y) [maintenant|alors]
        allez vas-y
        (fais|faites)-le [maintenant|donc|tout de suite]
        (fais|faites) (ça|cela|donc|donc ça) [maintenant]
        (je confirme|confirmé|je veux bien|je le veux|j'ai dit oui)
        (tu peux|vous pouvez) [y aller|le faire]
        (tu dois|vous devez) [le faire]
    """,
    echo={
        "do_unlock": """
            (déverrouille|déverrouillez) [la|le|les|ça|la porte|les portes|la serrure] \
[maintenant]
            déverrouiller
        """,
        "do_open": """
            (ouvre|ouvrez) [la|le|les|ça|la porte|les portes|la serrure] [maintenant]
            ouvrir
        """,
        "do_close": """
            (ferme|fermez) [la|le|les|ça|la porte|les portes] [maintenant]
            fermer
        """,
        "do_disarm": """
            (désarme|désarmez) [la|le|les|ça|l'alarme] [maintenant]
            désarmer
        """,
        "do_turn_on": "(allume|allumez|allumer) [la|le|les|ça] [maintenant]",
        "do_turn_off": "(éteins|éteignez|éteindre) [la|le|les|ça] [maintenant]",
        "do_run": "(lance|lancez|exécute|exécutez) [la|le|les|ça] [maintenant]",
    },
    no="""
        (arrête|arrêtez|stop|annule|annulez|annuler|attends|attendez|négatif)
        (laisse|laissez) [tomber|ça|comme ça|fermé|la porte fermée]
        (oublie|oubliez) [ça|cela]
        hors de question
    """,
    denials="""
        non nan pas ne n jamais rien aucun aucune ni sans nullement surtout stop annule
        annulez annuler
    """,
    beside_no="""
        merci maintenant tout du de suite mieux vaut il plutôt fais faites le la les ça
        cela c ce est peine encore bien sûr que certainement absolument je j veux voudrais
        préfère faut vraiment y pense tu vous dois devez moi ici question en sorte ouvre
        ouvrez ouvrir déverrouille ai dit ben bah mais oh ah vie
    """,
    unclear="""
        (pas|vraiment) [si|tout à fait|vraiment|très|trop] sûr
        ah oui
        mais bien sûr
        pourquoi pas
        (oui|ouais) c'est ça
        ok merci
        okay merci
        (oui|ouais|d'accord|ok|okay) si
        si oui
    """,
    polite="""
        s'il (te|vous) plaît
        (stp|svp)
        merci [bien|beaucoup]
    """,
    hesitations="euh heu ben bah oh alors bon donc hé",
)

_NL: Final = AnswerWords(
    yes="""
        (ja|jawel|jazeker|jep|jup|jups)
        ja (hoor|nu|graag|zeker|dat mag|je mag|doe dat|dat wil ik)
        (zeker|zeker weten|natuurlijk|tuurlijk|uiteraard|absoluut|inderdaad|precies)
        (prima|prima hoor|graag|heel graag|akkoord|in orde|ok|oké|okay|oke)
        [dat] is (goed|prima|akkoord|in orde) [hoor]
        (klopt|dat klopt|correct|bevestigd|ik bevestig|ik bevestig het)
        doe [het|dat|'t] maar [even|nu]
        doe (het|dat|'t) [nu|even]
        (ga je gang|ga uw gang|toe maar|dat mag|je mag|dat mag je|dat mag hoor)
        (dat wil ik|ik wil dat|ik zei ja|ik zeg ja)
        (ik ben|ben) [er] zeker van
    """,
    echo={
        "do_unlock": """
            (ontgrendel|ontgrendelen) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren\
|het slot] [maar|nu|even]
            (doe|maak|haal|zet) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren] \
[maar|nu|even] van het slot
            (doe|maak) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren] \
[maar|nu|even] open
        """,
        "do_open": """
            (open|openen|openmaken|opendoen)
            open (hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren|de poort) [maar|nu|even]
            open maar
            (doe|maak) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren|de poort] \
[maar|nu|even] open
        """,
        "do_close": """
            (sluit|sluiten) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren] [maar|nu]
            (doe|maak) [hem|haar|het|die|dat|ze|'m|'t|de deur|de deuren] \
[maar|nu|even] (dicht|toe)
        """,
        "do_disarm": """
            (schakel|zet) [hem|haar|het|die|dat|ze|'m|'t|het alarm] [maar|nu|even] uit
            uitschakelen
        """,
        "do_turn_on": """
            (doe|zet|schakel) [hem|haar|het|die|dat|ze|'m|'t] [maar|nu|even] (aan|in)
            (aanzetten|aandoen|inschakelen)
        """,
        "do_turn_off": """
            (doe|zet|schakel) [hem|haar|het|die|dat|ze|'m|'t] [maar|nu|even] (uit|af)
            (uitzetten|uitdoen|uitschakelen)
        """,
        "do_run": """
            (start|starten|uitvoeren)
            start (hem|haar|het|die|dat|ze|'m|'t) [maar|nu|even]
            voer (hem|haar|het|die|dat|ze|'m|'t) [maar|nu|even] uit
        """,
    },
    no="""
        (stop|annuleer|annuleren|afbreken|wacht|wacht even|hou op|ho)
        (laat|laat het|laat dat|laat hem) [maar|maar zitten|zitten|zo|maar zo|dicht]
        vergeet (het|dat|'t) [maar]
    """,
    denials="""
        nee neen nah nope niet nooit geen niks niets nergens zonder noch stop annuleer
        annuleren afbreken
    """,
    beside_no="""
        dank je wel u nu nog liever beter doe doen maar dat het hoeft mag moet moeten wil
        ik absoluut zeker echt helemaal vandaag bedankt hoor nou toch voor nodig even in
        elk geval zo natuurlijk ach open openen is was zei bij
    """,
    unclear="""
        ja (ja|nee|nou|maar|toch)
        nou ja
        ach ja
        (ok|oké|okay) (dank|dankje|dankjewel|bedankt)
        (niet|nooit) [zo|helemaal|echt] zeker
    """,
    polite="""
        (alsjeblieft|alstublieft|aub|alsjeblief)
        (dank je|dank u|dankje|dankjewel|bedankt) [wel|hoor]
    """,
    hesitations="eh uh ehm uhm euh oh dus",
)

_ES: Final = AnswerWords(
    yes="""
        (sí|sip)
        sí (ahora|puedes|puede|debes|quiero)
        claro [que sí]
        (por supuesto|desde luego|seguro) que sí
        (por supuesto|desde luego|naturalmente|obviamente|efectivamente|ciertamente)
        (vale|dale|de acuerdo|ok|okay|okey|afirmativo)
        (exacto|exactamente|correcto|así es|eso es|confirmado|confirmo|lo confirmo)
        (adelante|hazlo|hágalo|házlo) [ya|ahora|ahora mismo]
        (con gusto|con mucho gusto|me parece bien)
        (puedes|puede|debes|debe) hacerlo
        (he dicho que sí|dije que sí|estoy seguro|estoy segura|absolutamente)
    """,
    echo={
        "do_unlock": """
            (desbloquéala|desbloquéalo|desbloquéalas|desbloquéalos|desbloquea) \
[ya|ahora|la puerta|las puertas|la cerradura]
            (desbloquear|desbloqueala)
            (ábrela|ábrelo|ábrelas|ábrelos) [ya|ahora]
            abre [la puerta|las puertas|la cerradura] [ya|ahora]
        """,
        "do_open": """
            (ábrela|ábrelo|ábrelas|ábrelos|ábrala|ábralo) [ya|ahora]
            abre [la puerta|las puertas] [ya|ahora]
            abrir
        """,
        "do_close": """
            (ciérrala|ciérralo|ciérralas|ciérralos|cerrar) [ya|ahora]
            cierra [la puerta|las puertas] [ya|ahora]
        """,
        "do_disarm": """
            (desármala|desármalo|desarmar|desarma|desarma la alarma) [ya|ahora]
        """,
        "do_turn_on": "(enciéndela|enciéndelo|enciende|enciéndelas|encender) [ya|ahora]",
        "do_turn_off": "(apágala|apágalo|apaga|apágalas|apágalos|apagar) [ya|ahora]",
        "do_run": "(ejecútala|ejecútalo|ejecuta|ejecutar|iníciala|inícialo) [ya|ahora]",
    },
    no="""
        (cancela|cancelar|cancélalo|para|detente|alto|stop|espera|basta|negativo)
        (déjalo|déjala|deja|déjelo) [así|estar|cerrada|cerrado]
        (olvídalo|olvida eso|olvídate|olvídelo)
        en absoluto
    """,
    denials="""
        no nop nope nunca jamás nada ni ninguna ningún ninguno tampoco sin stop cancela
        cancelar
    """,
    beside_no="""
        gracias mejor ahora todavía aún para de manera modo hablar lo la las los hagas
        haga eso claro por supuesto que desde luego hace falta quiero hoy ya loco en
        absoluto caso necesario es abras desbloquees mismo seguro he dicho dije mucho
        muchas ay
    """,
    unclear="""
        no estoy [muy|tan|del todo] (seguro|segura)
        no [muy] (seguro|segura)
        claro claro
        vale vale
        (vale|ok|okay|okey) gracias
        bueno (vale|ok|okay) [gracias]
    """,
    polite="""
        (por favor|porfa|porfavor)
        [muchas|mil] gracias
    """,
    hesitations="eh em pues bueno oh ah",
)

WORDS: Final[Mapping[str, AnswerWords]] = {
    "en": _EN,
    "de": _DE,
    "fr": _FR,
    "nl": _NL,
    "es": _ES,
}

# These deny in every language; of the yes words only okay is everybody's.
SHARED_DENIALS: Final = "no nein non nee nope stop"
