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
    weak_yes="""
        (ok|okay|bien|très bien|entendu|parfait|ça marche|ça roule)
    """,
    it="""
        (la|le|ça|cela|celle-là|celui-là)
        (la porte|la serrure|l'alarme)
    """,
    them="(les|les portes|les serrures)",
    only="seulement juste uniquement",
    both="[toutes|tous] les deux [portes|serrures]",
    all_of="(toutes [les #]|tous [les #]|tout)",
    echo={
        "do_unlock": """
            (déverrouille|déverrouillez|déverrouiller|ouvre|ouvrez|ouvrir) [~] [maintenant]
        """,
        "do_lock": """
            (verrouille|verrouillez|verrouiller) [~] [maintenant]
        """,
        "do_open": """
            (ouvre|ouvrez|ouvrir) [~] [maintenant]
        """,
        "do_close": """
            (ferme|fermez|fermer) [~] [maintenant]
        """,
        "do_disarm": """
            (désarme|désarmez|désarmer|désactive|désactivez) [~] [maintenant]
        """,
        "do_turn_on": """
            (allume|allumez|allumer) [~] [maintenant]
        """,
        "do_turn_off": """
            (éteins|éteignez|éteindre) [~] [maintenant]
        """,
        "do_toggle": """
            (bascule|basculez|basculer) [~]
        """,
        "do_set_position": """
            (règle|réglez|régler|mets|mettez) [~]
        """,
        "do_set_temperature": """
            (règle|réglez|régler|mets|mettez) [~]
        """,
        "do_run": """
            (lance|lancez|exécute|exécutez|démarre|démarrez) [~] [maintenant]
        """,
        "do_use": """
            (utilise|utilisez|utiliser) [~]
        """,
    },
    no="""
        (arrête|arrêtez|stop|annule|annulez|annuler|attends|attendez|négatif)
        (laisse|laissez) [ça|comme ça|fermé|la porte fermée]
        hors de question
    """,
    never_mind="""
        (laisse|laissez) tomber
        (oublie|oubliez) [ça|cela]
    """,
    denials="""
        non nan pas ne n jamais rien aucun aucune ni sans nullement surtout stop
        annule annulez annuler no nein nee nope
    """,
    beside_no="""
        merci maintenant tout du de suite mieux vaut il plutôt fais faites le la les ça
        cela c ce est peine encore bien sûr que certainement absolument je j veux voudrais
        préfère faut vraiment y pense tu vous dois devez moi ici question en sorte ouvre
        ouvrez ouvrir déverrouille ai dit ben bah mais oh ah vie
    """,
    unclear="""
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
    timers="minuteur minuterie timer chrono chronomètre compte-à-rebours",
    pronouns=re.compile(
        r"-(?:la|le|les)\b|\b(?:éteins|allume|baisse|monte|arrête|ferme|ouvre|mets) ça\b"
        r"|\b(?:l['’]|(?:la|le|les) )(?:allumer|éteindre|baisser|monter|arrêter|fermer"
        r"|ouvrir|mettre|tamiser)\b",
        re.IGNORECASE,
    ),
    tools="outil fonction syntaxe json tool",
    undo=re.compile(
        r"\bannule(?:r|z)? (?:ça|ca|cela|tout|la dernière)\b|\bd(?:é|e)fai(?:s|re|tes)\b"
        r"|\bcomme avant\b|\breviens en arri(?:è|e)re\b",
        re.IGNORECASE,
    ),
    claims=None,
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
    doors="""
        porte portail garage* portillon loquet gâche serrure verrou ouverture ouvrir ouvre
        barrière
    """,
)
