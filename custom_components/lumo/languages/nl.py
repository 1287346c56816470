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
    weak_yes="(prima|goed|in orde|ok|oké|okay|oke) [hoor]",
    it="""
        (hem|haar|het|dat|'m|'t)
        (de deur|het slot|het alarm)
    """,
    them="(ze|die|de deuren|de sloten)",
    only="alleen enkel",
    both="(allebei|beide|alle twee|ze allebei) [deuren|sloten]",
    all_of="(allemaal|alle [#]|alles)",
    ordinals="eerste tweede derde vierde vijfde laatste",
    choosing="""
        (dat|die|deze|neem|kies|pak|daar|hier|bij|naast|boven|onder)
        (ik|die) (bedoel|bedoelde|wil|neem|kies|zei) [ik]
        dat is
    """,
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
        [ach|nee|sorry] vergeet (het|dat|'t) [maar]
        [ach|nee|sorry] laat [het] maar [zitten|hoor]
        [nee] [het|dat] hoeft [al] niet [meer|hoor]
        (toch|doe) maar niet
        geeft niet
        niet (belangrijk|zo belangrijk)
    """,
    nothing_more="""
        (dank je|dank u|dankje|dankjewel|bedankt) [wel|hoor]
        hartelijk (dank|bedankt)
        [nee] dat (is|was) (alles|het) [voor (nu|vandaag)]
        [nee] (da's|dat was) (alles|'t)
        nee (dank je|dank u|dankje|dankjewel|bedankt) [wel|hoor]
        [nee] [verder] (niets|niks) [meer|anders|verder]
    """,
    stop="""
        (stop|ophouden|annuleer|annuleren|genoeg) [maar|nu|ermee]
        (hou|houd) (op|maar op)
        breek af
        [zo is het] (genoeg|wel genoeg)
    """,
    denials="""
        nee neen nah nope niet nooit geen niks niets nergens zonder noch stop
        annuleer annuleren afbreken no nein non
    """,
    beside_no="""
        dank je wel u nu nog liever beter doe doen maar dat het hoeft mag moet moeten wil
        ik absoluut zeker echt helemaal vandaag bedankt hoor nou toch voor nodig even in
        elk geval zo natuurlijk ach open openen is was zei bij van beide
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
    exceptions="behalve uitgezonderd zonder",
    timers="*timer *wekker kookwekker countdown stopwatch",
    pronouns=re.compile(
        r"\b(?:zet|doe|maak|dim|start|stop|pauzeer|sluit|open) (?:hem|haar|ze|['’][mt])\b"
        r"|\b(?:hem|haar|ze|het|die|dat) (?:(?:maar|nu|weer|even|ook|nog|iets|wat) )*(?:aan"
        r"|uit|af|open|dicht|hoger|lager|harder|zachter|feller|donkerder)\b",
        re.IGNORECASE,
    ),
    tools="tool *functie functieaanroep gereedschap syntaxis json",
    leaning=re.compile(
        r"^(?:en|ook|maar|of|dan|hoe zit het met|hetzelfde)\b"
        r"|\b(?:ook|eveneens|in plaats daarvan|hetzelfde|de anderen?|de rest)\W*$",
        re.IGNORECASE,
    ),
    unfinished="de mijn en omdat",
    undo=re.compile(
        r"\bongedaan\b|\b(?:draai|zet) (?:dat|het|dit)(?: weer)? terug\b"
        r"|\bterugdraaien\b|\bzoals (?:het|ze) (?:was|waren)\b",
        re.IGNORECASE,
    ),
    claims=re.compile(
        r"^\W*(?:klaar|gedaan|het is gedaan)\W*$|^\W*ik heb (?!.*\b(?:niet|geen)\b).*\b(?:"
        r"aangedaan|aangezet|dichtgedaan|gedimd|gesloten|geopend|gestart|gestopt|gezet|"
        r"geannuleerd|ingeschakeld|ingesteld|ontgrendeld|opengedaan|toegevoegd|"
        r"uitgedaan|uitgeschakeld|uitgezet|vergrendeld)\b",
        re.IGNORECASE,
    ),
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
    closings=re.compile(
        r"(?:(?:en|dus|oké|ok),? )?(?:(?:is er|heb je|heeft u|wil je|wilt u"
        r"|(?:kan|zal|moet) ik(?: \w+)?) )?(?:verder |anders )?(?:nog iets|iets anders)\b"
        r"|(?:kan|mag) ik (?:je|u) (?:\w+ ){0,5}(?:helpen|van dienst)\b"
        r"|(?:waarmee|waar|hoe|wat) kan ik\b",
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
    cues={
        "history": """wanneer hoe vaak lang laatst* sinds geleden gisteren
            eergisteren vandaag week weken maand* jaar uur minuut minuten dag dagen
            nacht wie ooit al was waren werd werden heeft hebben had gemiddeld*
            hoogst* laagst* maxim* minim* meest* minst* verbruik* gebruikt stroom*
            energie* kost* kwh zon* geschiedenis verloop veranderd gewijzigd vroeger
            eerder tussen vergelijk*""",
        "why": """waarom reden omdat hoezo heb had gedaan deed gebeurd was je jouw
            verstuurd gestuurd gezegd gehoord verlaten gegevens data priv* proton
            internet cloud gedeeld""",
        "forecast": """weer weerbericht weersverwachting voorspelling* regen* regent
            regenen sneeuw* zon zonnig wolk* bewolkt wind* waai* storm* onweer*
            paraplu jas morgen overmorgen vandaag vanavond weekend koud warm heet
            vries* vriest vorst glad droog nat buiten grad* graden maandag dinsdag
            woensdag donderdag vrijdag zaterdag zondag""",
        "events": """agenda kalender *afspraak *afspraken *vergadering evenement*
            verjaardag* gepland wanneer vrij druk vandaag vanavond morgen overmorgen
            week weken weekend maand* vakantie* reis tandarts* dokter* huisarts*
            vuilnis* container maandag dinsdag woensdag donderdag vrijdag zaterdag
            zondag plan plannen planning""",
        "set": """*modus *stand stel* instel* ingesteld eco auto automatisch
            verwarm* droog boost afwezig* oscill* zwenk* draai* draairichting
            richting achteruit vooruit *vochtig* ontvocht* optie kies keuze bron
            ingang hdmi kanaal herhaal* herhal* willekeurig zuigkracht scherp
            *alarm* sirene getal waarde niveau verander* wijzig* wissel* programma*
            vakantie* koel koelen""",
        "change_list": """*lijst* verplaats* hernoem* leeg* leegmaken wis* *item
            vervang* verander* wijzig* corrigeer* *taak *taken boodschap* notitie*
            plaats afgevinkt* vink* voltooid* haal schrap* klaar""",
        "create_event": """agenda kalender *afspraak *afspraken *vergadering
            evenement* verjaardag* herinner* plan plannen inplannen noteer
            reserveer* uitnod* morgen overmorgen vandaag week maandag dinsdag
            woensdag donderdag vrijdag zaterdag zondag""",
        "compose": """gezellig* knus* sfeer* stemming scène film* bioscoop feest*
            romant* ontspan* relax* diner eten ontbijt maak voorbereid* klaar bed
            slapen lezen lees spel* gamen gasten bezoek ga weg nacht avond fijn
            comfortabel* werk werken slaap""",
    },
    doors="""
        *deur *poort garage* *slot grendel klink opener *opener openen open hek slagboom
    """,
    said={
        "code": "De code staat in de chat.",
        "done": "Klaar.",
        "yes": "ja",
        "no": "nee",
        "items": "{count} punten:",
        "time": "{h} uur {m}",
        "hour": "{h} uur",
        "clock": "uur u",
        "date": "{d} {m} {y}",
    },
    signs="""
        −=min; +=plus; ~=ongeveer; ±=plus of min; ×=keer; –=tot; ==is; &=en;
        <=minder dan; >=meer dan; ≤=hoogstens; ≥=minstens; ÷=gedeeld door; #=nummer;
        →=naar; ²=kwadraat; ³=tot de derde; ^=tot de macht; √=de wortel uit
    """,
    units="""
        °C=graad Celsius|graden Celsius; °F=graad Fahrenheit|graden Fahrenheit;
        °=graad|graden; K=kelvin; %=procent; ‰=promille; W=watt; kW=kilowatt;
        Wh=wattuur; kWh=kilowattuur; V=volt; A=ampère; mA=milliampère; Hz=hertz;
        MHz=megahertz; GHz=gigahertz; mm=millimeter; cm=centimeter; m=meter;
        km=kilometer; km/h=kilometer per uur; km/u=kilometer per uur;
        m/s=meter per seconde; mm/h=millimeter per uur; mg=milligram; g=gram;
        kg=kilogram; el=eetlepel|eetlepels; tl=theelepel|theelepels; ml=milliliter;
        mL=milliliter; dl=deciliter; cl=centiliter; l=liter; L=liter; m²=vierkante meter;
        km²=vierkante kilometer; m³=kubieke meter; m³/h=kubieke meter per uur;
        W/m²=watt per vierkante meter; µg/m³=microgram per kubieke meter;
        hPa=hectopascal; mbar=millibar; lx=lux; lm=lumen; dB=decibel;
        ppm=deeltjes per miljoen; kcal=kilocalorie|kilocalorieën;
        ms=milliseconde|milliseconden; s=seconde|seconden; min=minuut|minuten; h=uur;
        MB=megabyte; GB=gigabyte; Mbit/s=megabit per seconde;
        €/kWh=euro per kilowattuur; ct/kWh=cent per kilowattuur
    """,
    singular=re.compile(r"-?1"),
    decimal=",",
    months="""
        januari februari maart april mei juni juli augustus september oktober november
        december
    """,
    states="""
        geopend=open; gesloten=closed; dicht=closed; thuis=home; ingeschakeld=on; uitgeschakeld=off; weg=not home;
        op slot=locked; van het slot=unlocked; beweging=detected
    """,
    weekdays="maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    periods="""
        nu=now; vandaag=today; gisteren=yesterday; morgen=tomorrow;
        eergisteren=day_before_yesterday; overmorgen=day_after_tomorrow;
        (vanmorgen|vanochtend|[in de] ochtend)=morning; (vanmiddag|middag)=afternoon;
        (vanavond|avond)=evening; (vannacht|nacht)=night; (afgelopen|gisteren) nacht=last_night;
        deze week=this_week; (vorige|afgelopen) week=last_week; volgende week=next_week;
        (dit|het) weekend=this_weekend; komende week=next_week; (vorig|afgelopen) weekend=last_weekend;
        volgend weekend=next_weekend;
        deze maand=this_month; (vorige|afgelopen) maand=last_month;
        volgende maand=next_month; dit jaar=this_year; (vorig|afgelopen) jaar=last_year;
        volgend jaar=next_year; [de] (laatste|afgelopen) [#] (minuut|minuten)=last_minutes;
        [het|de] (laatste|afgelopen) [#] (uur|uren)=last_hours;
        [de] (laatste|afgelopen) # dagen=last_days;
        [de] (laatste|afgelopen) # weken=last_weeks;
        [de] (laatste|afgelopen) # maanden=last_months;
        [het|de] (komende|volgende) [#] (uur|uren)=next_hours;
        [de] (komende|volgende) # dagen=next_days;
        [de] (komende|volgende) # weken=next_weeks; [op|deze] *=weekday;
        (vorige|afgelopen) *=last_weekday; volgende *=next_weekday; [in] @=month;
        [in] @ #=year_month
    """,
    before_days="op",
    sources="bron bronnen referenties bronvermelding",
)
