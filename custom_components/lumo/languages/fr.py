"""French."""

import re
from typing import Final

from .form import Language

FR: Final = Language(
    code="fr",
    yes="""
        (oui|ouais|ouaip|ouep|si)
        (ben|bah|mais|eh) oui
        (ben|bah) si
        oui (allez-y|allez|parfait|vas-y|maintenant|tout de suite|tu peux|vous pouvez|je veux bien|je le veux)
        [oui] bien sûr [que oui|que si]
        (évidemment|certainement|absolument|exactement|effectivement|assurément)
        (tout à fait|volontiers|avec plaisir|carrément|affirmatif)
        (d'accord|c'est d'accord)
        (vas-y|allez-y) [maintenant|alors]
        allez vas-y
        (fais|faites)-le [maintenant|donc|tout de suite]
        (fais|faites) (ça|cela|donc|donc ça) [maintenant]
        (je confirme|confirmé|je veux bien|je le veux|j'ai dit oui)
        (tu peux|vous pouvez) [y aller|le faire]
        (tu dois|vous devez) [le faire]
    """,
    weak_yes="(ok|okay|bien|très bien|entendu|parfait|ça marche|ça roule)",
    it="""
        (la|le|ça|cela|celle-là|celui-là)
        (la porte|la serrure|l'alarme)
    """,
    them="(les|les portes|les serrures)",
    only="seulement juste uniquement",
    both="[toutes|tous] les deux [portes|serrures]",
    all_of="(toutes [les #]|tous [les #]|tout)",
    ordinals="""
        (premier|première) (deuxième|second|seconde) troisième quatrième cinquième
        (dernier|dernière)
    """,
    choosing="""
        (celui|celle|ceux|celles|ça|ce|c'est|là|ci|sur|près|sous|prends|choisis|utilise)
        je (veux|voulais|parle|voudrais|prends|choisis) [dire|de]
    """,
    echo={
        "do_unlock": """
            (déverrouille|déverrouillez|déverrouiller|ouvre|ouvrez|ouvrir) [~] [maintenant]
        """,
        "do_lock": "(verrouille|verrouillez|verrouiller) [~] [maintenant]",
        "do_open": "(ouvre|ouvrez|ouvrir) [~] [maintenant]",
        "do_close": "(ferme|fermez|fermer) [~] [maintenant]",
        "do_disarm": """
            (désarme|désarmez|désarmer|désactive|désactivez) [~] [maintenant]
        """,
        "do_turn_on": "(allume|allumez|allumer) [~] [maintenant]",
        "do_turn_off": "(éteins|éteignez|éteindre) [~] [maintenant]",
        "do_toggle": "(bascule|basculez|basculer) [~]",
        "do_set_position": "(règle|réglez|régler|mets|mettez) [~]",
        "do_set_temperature": "(règle|réglez|régler|mets|mettez) [~]",
        "do_run": "(lance|lancez|exécute|exécutez|démarre|démarrez) [~] [maintenant]",
        "do_use": "(utilise|utilisez|utiliser) [~]",
    },
    no="""
        (arrête|arrêtez|stop|annule|annulez|annuler|attends|attendez|négatif)
        (laisse|laissez) [ça|comme ça|fermé|la porte fermée]
        hors de question
    """,
    never_mind="""
        [non|pardon|finalement] (laisse|laissez) (tomber|béton)
        [non|pardon|finalement] (oublie|oubliez) [ça|cela|ce que j'ai dit]
        [non] [ce n'est|c'est] (pas grave|pas important)
        [non] (ce n'est|c'est) rien
        tant pis
        finalement (non|rien)
    """,
    nothing_more="""
        merci [beaucoup|bien|à (toi|vous)]
        [non] [merci] (c'est|ce sera|ça sera|c'était) tout [pour (le moment|l'instant|aujourd'hui)]
        non merci [ça va]
        (non c'est bon|c'est bon merci|merci c'est bon)
        [non] (rien|plus rien) [d'autre|de plus|du tout]
        (je n'ai|j'ai) [plus] besoin de rien [d'autre]
    """,
    stop="""
        (stop|arrête|arrêtez|annule|annulez|annuler|assez|ça suffit) [ça|maintenant]
        (chut|silence|tais-toi|taisez-vous)
    """,
    denials="""
        non nan pas ne n jamais rien aucun aucune ni sans nullement surtout stop
        annule annulez annuler no nein nee nope
    """,
    beside_no="""
        merci maintenant tout du de suite mieux vaut il plutôt fais faites le la les ça
        cela c ce est peine encore bien sûr que certainement absolument je j veux voudrais
        préfère faut vraiment y pense tu vous dois devez moi ici question en sorte ouvre
        ouvrez ouvrir déverrouille ai dit ben bah mais oh ah vie des deux
    """,
    unclear="""
        une seconde
        tout (bien|parfait|ok)
        (pas|vraiment) [si|tout à fait|vraiment|très|trop] sûr
        ah oui
        mais bien sûr
        pourquoi pas
        (oui|ouais) c'est ça
        (ok|okay|bien|très bien|parfait) merci
        merci bien
        (oui|ouais|d'accord|ok|okay) si
        si oui
    """,
    polite="""
        s'il (te|vous) plaît
        (stp|svp)
        merci [beaucoup]
    """,
    hesitations="euh heu hum hm hmm ben bah oh alors bon donc hé",
    questions=re.compile(
        r"(?:et )?(?:est[- ]ce|qu['’]|quel(?:le)?s?\b|qui\b|quoi\b|où\b|quand\b"
        r"|pourquoi\b|comment\b|combien\b|y a[- ]t[- ]il|est[- ](?:il|elle)"
        r"|sont[- ](?:ils|elles))",
        re.IGNORECASE,
    ),
    joints="et puis ensuite aussi",
    exceptions="sauf excepté hormis",
    timers="minuteur minuterie timer chrono chronomètre compte-à-rebours",
    pronouns=re.compile(
        r"-(?:la|le|les)\b|\b(?:éteins|allume|baisse|monte|arrête|ferme|ouvre|mets) ça\b"
        r"|\b(?:l['’]|(?:la|le|les) )(?:allumer|éteindre|baisser|monter|arrêter|fermer"
        r"|ouvrir|mettre|tamiser)\b",
        re.IGNORECASE,
    ),
    tools="outil fonction syntaxe json tool",
    leaning=re.compile(
        r"^(?:et|aussi|mais|ou|puis|alors|ensuite|pareil)\b"
        r"|\b(?:aussi|également|non plus|à la place|la même chose|pareil|les autres"
        r"|l['’]autre|le reste)\W*$",
        re.IGNORECASE,
    ),
    unfinished="des du mon ma mes notre nos au aux et dans",
    undo=re.compile(
        r"\bannule(?:r|z)? (?:ça|ca|cela|tout|la dernière)\b|\bd(?:é|e)fai(?:s|re|tes)\b"
        r"|\bcomme avant\b|\breviens en arri(?:è|e)re\b",
        re.IGNORECASE,
    ),
    claims=re.compile(
        r"^\W*(?:c['’]est (?:fait|bon)|fait|voilà)\W*$|^\W*(?:j['’]|je l['’]|je les )ai "
        r"(?:bien )?(?:activé|ajouté|allumé|annulé|arrêté|baissé|désactivé|déverrouillé|"
        r"éteint|fermé|lancé|mis|monté|ouvert|réglé|verrouillé)e?s?\b",
        re.IGNORECASE,
    ),
    claims_states=None,
    claims_nothing=None,
    excuses=re.compile(
        r"\b(?:ne|n['’]|pas|aucune?|sans)\b[^.!?]{0,60}\b(?:outils?|fonctions?"
        r"|fonctionnalités?|accès (?:à (?:la|votre|vos|tes|ta|cette?)|aux|au) (?:\w+ )?(?:maison"
        r"|domotique|appareils?|lumières?|système)|(?:contrôler|commander|piloter)\b"
        r"[^.!?]{0,30}\b(?:appareils?|maison|lumières?))\b"
        r"|\b(?:outil|fonction)\b[^.!?]{0,30}\b(?:pas (?:disponible|accessible)"
        r"|indisponible|inaccessible)\b"
        r"|\ben tant qu['’](?:ia|assistant|modèle)\b[^.!?]{0,50}\b(?:ne|n['’]|pas)",
        re.IGNORECASE,
    ),
    closings=re.compile(
        r"(?:(?:et|alors|bon),? )?(?:(?:(?:avez|voulez|souhaitez|désirez)-vous"
        r"|(?:as|veux|souhaites|désires)-tu|y a-t-il|(?:puis|dois)-je(?: \w+){0,2}) )?"
        r"(?:besoin d')?(?:autre chose|quelque chose d'autre)\b"
        r"|(?:comment|que|en quoi) puis-je\b|puis-je (?:encore )?(?:vous |t')aider\b",
        re.IGNORECASE,
    ),
    articles={
        "la": """
            porte serrure lampe lumière télé télévision vanne clim climatisation prise
            machine fenêtre barrière chaudière
        """,
        "le": """
            portail portillon garage verrou volet store rideau radiateur chauffage
            thermostat téléviseur ventilateur four plafonnier
        """,
        "l'": "alarme aspirateur éclairage ampoule",
    },
    generic="le la les l un une du de d des au aux et dans mon ma mes notre nos en à",
    before_number="numéro no et ou",
    numbers="zéro - deux trois quatre cinq six sept huit neuf dix",
    endings="s es e x",
    short_endings="s es e",
    cases="",
    links="",
    kinds={
        "light": "lumière lampe éclairage ampoule plafonnier spot lampadaire",
        "blind": "volet store rideau persienne",
        "music": """
            musique chanson morceau radio titre piste album playlist volume enceinte
        """,
        "tv": "tv télé télévision téléviseur",
        "fan": "ventilateur ventilo",
        "vacuum": "aspirateur aspi",
        "climate": """
            chauffage radiateur thermostat clim climatisation climatiseur température
        """,
        "door": "porte portail garage serrure verrou portillon",
        "valve": "vanne eau gaz",
        "alarm": "alarme",
    },
    changes={
        "light": """
            plus (clair|lumineux|sombre)
            moins (clair|lumineux|sombre)
            trop (clair|lumineux|sombre)
            (tamise|tamisez|tamiser)
        """,
        "blind": "",
        "music": """
            (plus|moins) fort
            le son
            (pause|reprends|joue|jouez|jouer)
        """,
        "tv": "",
        "fan": "",
        "vacuum": "(aspire|aspirer|nettoie|nettoyez|nettoyer)",
        "climate": """
            plus (chaud|froid|frais)
            moins (chaud|froid)
            trop (chaud|froid)
            j'ai (chaud|froid)
            (degré|degrés|chauffe|chauffez|réchauffe)
        """,
        "door": "",
        "valve": "",
        "alarm": "",
    },
    cues={
        "history": """quand combien longtemps souvent dernier dernière derniers
            dernières depuis hier avant-hier aujourd'hui aujourd* semaine mois an
            année heure minute jour nuit qui déjà était étaient été ont avait moyen*
            maxim* minim* consomm* énergie électricité courant coût* coûte* kwh
            solaire* histori* chang* avant entre record* fois""",
        "why": """pourquoi raison cause as fait passé arrivé quitté sorti parti
            envoyé transmis partagé dit entendu donnée* priv* proton internet cloud
            tes ton étais""",
        "forecast": """météo prévision* temps pluie* pleuv* pleut pleuvra neig*
            soleil ensoleill* nuage* nuageux vent* orage* tempête* parapluie veste
            manteau demain ce weekend week-end froid froide chaud chaude gel* geler*
            verglas sec mouillé dehors degré aujourd* lundi mardi mercredi jeudi
            vendredi samedi dimanche""",
        "events": """calendrier agenda rendez-vous rendez* rdv événement évènement
            réunion anniversaire* prévu* prévoi* planning quand libre occup*
            aujourd* demain semaine mois weekend week-end vacances voyage dentiste
            médecin poubelle* lundi mardi mercredi jeudi vendredi samedi dimanche""",
        "set": """mode mets mettre règl* régl* eco éco auto automatique chauffage
            chauffer refroid* climatis* sec boost absent oscill* tourn* sens
            direction invers* humid* déshumid* option choisi* sélection* source
            entrée hdmi chaîne répét* répèt* boucle aléatoire aspiration puissance
            arme armer désarm* alarme* sirène nombre valeur niveau chang* programm*
            passe vacances""",
        "change_list": """liste déplac* renomm* vid* efface* supprim* élément
            article remplac* chang* corrig* modifi* tâche course achat* note place
            coch* décoch* terminé* enlève* échéance*""",
        "create_event": """calendrier agenda rendez-vous rendez* rdv événement
            évènement réunion anniversaire* rappel* planifi* programm* réserv*
            invit* note* demain aujourd* semaine lundi mardi mercredi jeudi vendredi
            samedi dimanche""",
        "compose": """ambiance atmosphère cosy douillet* chaleureu* scène film ciné*
            fête* romantique* détend* détente relax* dîner repas déjeuner fais
            prépar* prêt lit dormir dort coucher lire lecture travail* jouer jeu
            invité* visite pars partons nuit soir soirée agréable confortable""",
    },
    doors="""
        porte portail garage* portillon loquet gâche serrure verrou ouverture ouvrir ouvre
        barrière
    """,
    said={
        "code": "Le code est dans le chat.",
        "done": "C'est fait.",
        "yes": "oui",
        "no": "non",
        "items": "{count} points :",
        "time": "{h} heures {m}",
        "hour": "{h} heures",
        "clock": "",
        "date": "{d} {m} {y}",
    },
    signs="""
        −=moins; +=plus; ~=environ; ±=plus ou moins; ×=fois; –=à; ==égale; &=et;
        <=moins de; >=plus de; ≤=au plus; ≥=au moins; ÷=divisé par; #=numéro; →=vers;
        ²=au carré; ³=au cube; ^=puissance; √=racine de
    """,
    units="""
        °C=degré Celsius|degrés Celsius; °F=degré Fahrenheit|degrés Fahrenheit;
        °=degré|degrés; K=kelvin|kelvins; %=pour cent; ‰=pour mille; W=watt|watts;
        kW=kilowatt|kilowatts; Wh=wattheure|wattheures;
        kWh=kilowattheure|kilowattheures; V=volt|volts; A=ampère|ampères;
        mA=milliampère|milliampères; Hz=hertz; MHz=mégahertz; GHz=gigahertz;
        mm=millimètre|millimètres; cm=centimètre|centimètres; m=mètre|mètres;
        km=kilomètre|kilomètres; km/h=kilomètre par heure|kilomètres par heure;
        m/s=mètre par seconde|mètres par seconde;
        mm/h=millimètre par heure|millimètres par heure; mg=milligramme|milligrammes;
        g=gramme|grammes; kg=kilogramme|kilogrammes; ml=millilitre|millilitres;
        mL=millilitre|millilitres; dl=décilitre|décilitres; l=litre|litres;
        L=litre|litres; cl=centilitre|centilitres; cL=centilitre|centilitres;
        m²=mètre carré|mètres carrés;
        km²=kilomètre carré|kilomètres carrés; m³=mètre cube|mètres cubes;
        m³/h=mètre cube par heure|mètres cubes par heure;
        W/m²=watt par mètre carré|watts par mètre carré;
        µg/m³=microgramme par mètre cube|microgrammes par mètre cube;
        hPa=hectopascal|hectopascals; mbar=millibar|millibars; lx=lux; lm=lumen|lumens;
        dB=décibel|décibels; ppm=parties par million; kcal=kilocalorie|kilocalories;
        ms=milliseconde|millisecondes; s=seconde|secondes; min=minute|minutes;
        h=heure|heures; Mo=mégaoctet|mégaoctets; Go=gigaoctet|gigaoctets;
        MB=mégaoctet|mégaoctets; GB=gigaoctet|gigaoctets;
        Mbit/s=mégabit par seconde|mégabits par seconde;
        €/kWh=euro par kilowattheure|euros par kilowattheure;
        ct/kWh=centime par kilowattheure|centimes par kilowattheure
    """,
    singular=re.compile(r"-?[01](?:[.,]\d+)?"),
    decimal=",",
    months="""
        janvier février mars avril mai juin juillet août septembre octobre novembre
        décembre
    """,
    states="""
        ouverte=open; fermée=closed; allumée=on; éteinte=off; activée=on; désactivée=off;
        présent=home; présente=home; absente=not home; verrouillée=locked; déverrouillée=unlocked;
        mouvement=detected
    """,
    weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
    periods="""
        maintenant=now; aujourd'hui=today; hier=yesterday; demain=tomorrow;
        avant-hier=day_before_yesterday; après-demain=day_after_tomorrow;
        [ce] matin=morning; [cet] après-midi=afternoon; [ce] soir=evening;
        [cette|dans la] nuit=night; la nuit dernière=last_night; cette semaine=this_week;
        [la] semaine (dernière|passée)=last_week; [la] semaine prochaine=next_week;
        [ce|le] (week-end|weekend)=this_weekend;
        [le] (week-end|weekend) dernier=last_weekend;
        [le] (week-end|weekend) prochain=next_weekend; ce mois[-ci]=this_month;
        [le] mois (dernier|passé)=last_month; [le] mois prochain=next_month;
        cette année=this_year; [l'] (année dernière|an dernier)=last_year;
        [l'] (année prochaine|an prochain)=next_year;
        [les] [#] dernières minutes=last_minutes; [les] [#] dernières heures=last_hours;
        la dernière heure=last_hours; [les] # derniers jours=last_days;
        [les] # dernières semaines=last_weeks; [les] # derniers mois=last_months;
        la prochaine heure=next_hours; [les] # prochaines heures=next_hours;
        [les] # prochains jours=next_days;
        [les] # prochaines semaines=next_weeks; [le|ce] *=weekday; [le] * dernier=last_weekday;
        [le] * prochain=next_weekday; [en] @=month; [en] @ #=year_month
    """,
    before_days="le du au",
    sources="source sources référence références",
)
