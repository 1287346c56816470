"""Spanish."""

import re
from typing import Final

from .form import Language

ES: Final = Language(
    code="es",
    yes="""
        (sí|sip)
        sí (adelante|vale|venga|dale|señor|señora|ahora|puedes|puede|debes|quiero)
        claro que sí
        sí claro
        (por supuesto|desde luego|seguro) que sí
        (por supuesto|desde luego|naturalmente|obviamente|efectivamente|ciertamente)
        (dale|de acuerdo|afirmativo)
        (exacto|exactamente|correcto|así es|eso es|confirmado|confirmo|lo confirmo)
        (adelante|hazlo|hágalo|házlo) [ya|ahora|ahora mismo]
        (con gusto|con mucho gusto|me parece bien)
        (puedes|puede|debes|debe) hacerlo
        (he dicho que sí|dije que sí|estoy seguro|estoy segura|absolutamente)
    """,
    weak_yes="""
        (vale|venga|bien|ok|okay|okey|claro|perfecto)
    """,
    it="""
        (la|lo|eso|esto)
        (la puerta|la cerradura|la alarma)
    """,
    them="(las|los|las puertas|las cerraduras)",
    only="sólo solo solamente únicamente",
    both="(las dos|los dos|ambas|ambos) [puertas|cerraduras]",
    all_of="(todas [las #]|todos [los #]|todo)",
    echo={
        "do_unlock": """
            (desbloquéa~|ábre~) [ya|ahora]
            (desbloquea|desbloquear|abre|abrir) [~] [ya|ahora]
        """,
        "do_lock": """
            (bloquea|bloquear|cierra) [~] [con llave] [ya|ahora]
            (bloquéa~|ciérra~) [con llave] [ya|ahora]
        """,
        "do_open": """
            (ábre~|ábra~) [ya|ahora]
            (abre|abrir) [~] [ya|ahora]
        """,
        "do_close": """
            ciérra~ [ya|ahora]
            (cierra|cerrar) [~] [ya|ahora]
        """,
        "do_disarm": """
            (desárma~|desactíva~) [ya|ahora]
            (desarma|desarmar|desactiva|desactivar) [~] [ya|ahora]
        """,
        "do_turn_on": """
            enciénde~ [ya|ahora]
            (enciende|encender) [~] [ya|ahora]
        """,
        "do_turn_off": """
            apága~ [ya|ahora]
            (apaga|apagar) [~] [ya|ahora]
        """,
        "do_toggle": """
            (alterna|alternar) [~]
        """,
        "do_set_position": """
            (pon|poner|ponla|ponlo|mueve) [~]
        """,
        "do_set_temperature": """
            (pon|poner|ponla|ponlo) [~]
        """,
        "do_run": """
            (ejecúta~|inícia~) [ya|ahora]
            (ejecuta|ejecutar|inicia|iniciar) [~] [ya|ahora]
        """,
        "do_use": """
            (usa|usar|utiliza|utilizar) [~]
        """,
    },
    no="""
        (cancela|cancelar|cancélalo|para|detente|alto|stop|espera|basta|negativo)
        (déjalo|déjala|deja|déjelo) [así|estar|cerrada|cerrado]
        en absoluto
    """,
    never_mind="""
        (olvídalo|olvida eso|olvídate|olvídelo)
    """,
    denials="""
        no nop nope nunca jamás nada ni ninguna ningún ninguno tampoco sin stop
        cancela cancelar nein non nee
    """,
    beside_no="""
        gracias mejor ahora todavía aún para de manera modo hablar lo la las los hagas
        haga eso claro por supuesto que desde luego hace falta quiero hoy ya loco en
        absoluto caso necesario es abras desbloquees mismo seguro he dicho dije mucho
        muchas ay
    """,
    unclear="""
        todo (bien|claro|perfecto|ok|okay)
        no estoy [muy|tan|del todo] (seguro|segura)
        no [muy] (seguro|segura)
        claro claro
        vale vale
        (vale|ok|okay|okey|bien|muy bien|venga|claro) gracias
        bueno (vale|ok|okay) [gracias]
    """,
    polite="""
        (por favor|porfa|porfavor)
        [muchas|mil] gracias
    """,
    hesitations="eh em hm hmm mm mmm pues bueno oh ah",
    questions=re.compile(
        r"[¿¡]?(?:y )?(?:qué|cuál(?:es)?|quién(?:es)?|dónde|cuándo|por qué|cómo"
        r"|cuánt[oa]s?|está|están|hay|es|son)\b",
        re.IGNORECASE,
    ),
    joints="y e luego además después",
    timers="temporizador timer cronómetro",
    pronouns=re.compile(
        # "Apágala", "apagarla", "ponla"; not "pantalla", "regalo" or "película".
        r"\b(?:\w*[áéíóú]\w*[aei]|\w{2,}[aei]r|ap[aá]ga|enci[eé]nde|pr[eé]nde|[aá]bre"
        r"|ci[eé]rra|s[uú]be|b[aá]ja|p[aá]ra|p[aá]usa|qu[ií]ta|pon|haz|det[eé]n)"
        r"l[ao]s?\b",
        re.IGNORECASE,
    ),
    tools="herramienta función sintaxis json tool",
    undo=re.compile(
        r"\b(?:deshaz(?:lo)?|deshacer|revierte|anula (?:eso|esto|lo último))\b"
        r"|\bcomo (?:estaba|antes)\b",
        re.IGNORECASE,
    ),
    claims=None,
    claims_states=None,
    claims_nothing=None,
    excuses=re.compile(
        r"\b(?:no|sin|ninguna?)\b[^.!?]{0,60}\b(?:herramientas?|funci(?:ón|ones)"
        r"|acceso (?:a (?:la|tu|su|esta|los|las|tus)|al) (?:\w+ )?(?:casa|hogar"
        r"|dispositivos?|luces|sistema)|(?:controlar|manejar)\b[^.!?]{0,30}\b"
        r"(?:dispositivos?|casa|hogar|luces))\b"
        r"|\b(?:herramienta|función)\b[^.!?]{0,30}\bno (?:está|se encuentra)"
        r" (?:disponible|accesible)\b"
        r"|\bcomo (?:una )?(?:ia|asistente|modelo)\b[^.!?]{0,50}\bno\b",
        re.IGNORECASE,
    ),
    articles={
        "la": """
            puerta cerradura cancela verja luz lámpara bombilla persiana cortina tele
            televisión aspiradora calefacción válvula alarma ventana cochera
        """,
        "el": """
            portón garaje toldo estor altavoz televisor ventilador aspirador termostato
            radiador horno enchufe interruptor portal
        """,
    },
    generic="el los la las un una de del al y mi mis nuestra nuestro en",
    before_number="número num y o",
    numbers="cero uno dos tres cuatro cinco seis siete ocho nueve diez",
    endings="s es",
    short_endings="s es",
    cases="",
    links="",
    kinds={
        "light": "luz luces lámpara bombilla iluminación foco",
        "blind": "persiana cortina toldo estor",
        "music": """
            música canción radio volumen altavoz álbum pista playlist sonido
        """,
        "tv": "tv tele televisión televisor",
        "fan": "ventilador",
        "vacuum": "aspiradora aspirador",
        "climate": """
            calefacción termostato temperatura aire climatizador radiador calefactor
        """,
        "door": "puerta portón garaje cochera cerradura cerrojo",
        "valve": "válvula agua gas",
        "alarm": "alarma",
    },
    changes={
        "light": """
            más (luz|claro|brillante|brillo|oscuro)
            menos (luz|brillo)
            (muy|demasiado) (oscuro|claro)
            (atenúa|atenuar)
        """,
        "blind": "",
        "music": """
            (más|menos) (alto|fuerte)
            más bajo
            (pausa|silencia|reproduce|reproducir)
        """,
        "tv": "",
        "fan": "",
        "vacuum": "(aspira|aspirar|limpia|limpiar)",
        "climate": """
            grados
            más (calor|caliente|frío|fresco|cálido)
            (demasiado|mucho|tanto|tengo) (calor|frío)
        """,
        "door": "",
        "valve": "",
        "alarm": "",
    },
    doors="""
        puerta portón garaje cochera cerradura pestillo cerrojo apertura abrir abrepuertas
        cancela verja portal
    """,
)
