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
    weak_yes="(vale|venga|bien|ok|okay|okey|claro|perfecto)",
    it="""
        (la|lo|eso|esto)
        (la puerta|la cerradura|la alarma)
    """,
    them="(las|los|las puertas|las cerraduras)",
    only="sólo solo solamente únicamente",
    both="(las dos|los dos|ambas|ambos) [puertas|cerraduras]",
    all_of="(todas [las #]|todos [los #]|todo)",
    ordinals="""
        (primer|primero|primera) (segundo|segunda) (tercer|tercero|tercera)
        (cuarto|cuarta) (quinto|quinta) (último|última)
    """,
    choosing="""
        (ese|esa|esos|esas|este|esta|eso|es|uno|sobre|junto|con|usa|elige|coge|toma)
        (quiero|quería|me refiero) [decir|a]
    """,
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
        "do_toggle": "(alterna|alternar) [~]",
        "do_set_position": "(pon|poner|ponla|ponlo|mueve) [~]",
        "do_set_temperature": "(pon|poner|ponla|ponlo) [~]",
        "do_run": """
            (ejecúta~|inícia~) [ya|ahora]
            (ejecuta|ejecutar|inicia|iniciar) [~] [ya|ahora]
        """,
        "do_use": "(usa|usar|utiliza|utilizar) [~]",
    },
    no="""
        (cancela|cancelar|cancélalo|para|detente|alto|stop|espera|basta|negativo)
        (déjalo|déjala|deja|déjelo) [así|estar|cerrada|cerrado]
        en absoluto
    """,
    never_mind="""
        [no|perdón] (olvídalo|olvida eso|olvídate [de eso]|olvídelo)
        (déjalo|déjelo) [estar|así]
        no (es nada|es importante|importa|pasa nada|te preocupes)
        no (hagas|haga) caso
        mejor no
    """,
    nothing_more="""
        [muchas|mil] gracias
        gracias por todo
        [no] [gracias] [eso|esto] (es|sería) todo [por (ahora|hoy)]
        [no] eso era todo
        no (gracias|es necesario|hace falta)
        (ya está gracias|gracias ya está)
        [no] nada [más]
        [no] (no necesito|no quiero) nada más
    """,
    stop="""
        (cancela|cancelar|cancelación) [la] [última] [petición]
        (cállate|silencio)
        (para|pare|alto|stop|detente|basta|suficiente) [ya|eso|ahora]
    """,
    denials="""
        no nop nope nunca jamás nada ni ninguna ningún ninguno tampoco sin stop
        cancela cancelar nein non nee
    """,
    beside_no="""
        gracias mejor ahora todavía aún para de manera modo hablar lo la las los hagas
        haga eso claro por supuesto que desde luego hace falta quiero hoy ya loco en
        absoluto caso necesario es abras desbloquees mismo seguro he dicho dije mucho
        muchas ay dos
    """,
    unclear="""
        un segundo
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
    exceptions="excepto salvo menos",
    timers="temporizador timer cronómetro",
    pronouns=re.compile(
        # "Apágala", "apagarla", "ponla"; not "pantalla", "regalo" or "película".
        r"\b(?:\w*[áéíóú]\w*[aei]|\w{2,}[aei]r|ap[aá]ga|enci[eé]nde|pr[eé]nde|[aá]bre"
        r"|ci[eé]rra|s[uú]be|b[aá]ja|p[aá]ra|p[aá]usa|qu[ií]ta|pon|haz|det[eé]n)"
        r"l[ao]s?\b",
        re.IGNORECASE,
    ),
    tools="herramienta función sintaxis json tool",
    leaning=re.compile(
        r"^(?:y|e|también|pero|o|luego|entonces|qué tal|lo mismo)\b"
        r"|\b(?:también|tampoco|en su lugar|lo mismo|igual|l[ao]s? otr[ao]s?"
        r"|el resto)\W*$",
        re.IGNORECASE,
    ),
    unfinished="los las un de del al y en con",
    undo=re.compile(
        r"\b(?:deshaz(?:lo)?|deshacer|revierte|anula (?:eso|esto|lo último))\b"
        r"|\bcomo (?:estaba|antes)\b",
        re.IGNORECASE,
    ),
    claims=re.compile(
        r"^\W*(?:hecho|listo|ya está(?: hecho)?)\W*$|^\W*(?:ya )?(?:l[ao]s? )?he (?:"
        r"abierto|activado|ajustado|añadido|apagado|bajado|bloqueado|cancelado|cerrado|"
        r"desactivado|desbloqueado|detenido|encendido|iniciado|puesto|subido)\b",
        re.IGNORECASE,
    ),
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
    closings=re.compile(
        r"(?:(?:y|bueno|bien),? )?(?:(?:hay|necesitas?|quieres?|deseas?"
        r"|(?:te|le) gustaría|puedo \w+(?: en| con)?) )?(?:que \w+ )?"
        r"(?:algo|alguna cosa) más\b|(?:en|con) qué (?:más )?(?:te |le )?puedo\b"
        r"|qué más (?:quieres?|deseas?|puedo|necesitas?)\b|puedo ayudar\w* (?:en|con) \w+ más\b",
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
        "music": "música canción radio volumen altavoz álbum pista playlist sonido",
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
    cues={
        "history": """cuándo cuánto cuánta cuántos cuántas tiempo frecuencia último
            última desde hace ayer anteayer hoy semana mes meses año hora minuto
            días día noche quién alguna ya era fue estaba estuvo estado ha han había
            media promedio máxim* mínim* consum* gast* energía electricidad costa*
            coste* costó kwh solar* histori* cambi* antes entre registr* veces vez""",
        "why": """razón motivo qué hiciste hecho has pasó pasado sucedi* ocurri*
            salió salido enviaste enviado mandado dicho datos privad* proton
            internet nube tu tus oíste por-qué porque""",
        "forecast": """tiempo pronóstico previsión clima lluvia* llov* lluev* llueve
            niev* nevar* nevará sol soleado nube* nublado viento* tormenta* paraguas
            chaqueta abrigo mañana hoy finde frío fría calor caluroso hel* hielo
            seco mojado fuera grado lunes martes miércoles jueves viernes sábado
            domingo""",
        "events": """calendario cita evento reunión reuniones cumpleaños agenda
            cuándo libre ocupad* hoy mañana semana mes finde vacaciones viaje
            dentista médico lunes martes miércoles jueves viernes sábado domingo
            plan planes""",
        "set": """modo pon poner ajust* configur* eco auto automátic* calefacción
            calor frío enfriar calentar seco boost ausente oscil* gir* dirección
            sentido invers* revés humed* opción elig* elegir selecc* fuente entrada
            hdmi canal repet* repit* bucle aleatori* succión potencia desarma*
            alarma* sirena número valor nivel cambi* program* vacacion* arma armar""",
        "change_list": """lista muev* mover pasa renombr* borr* vací* vaciar
            elemento artículo sustitu* reemplaz* cambi* corrig* correg* tarea
            compra* nota lugar vez pendiente completad* quita* vence* hecho""",
        "create_event": """calendario cita evento reunión reuniones cumpleaños
            agenda* apunta* recuérd* recuerd* recordator* program* planific* reserv*
            invit* mañana hoy semana lunes martes miércoles jueves viernes sábado
            domingo""",
        "compose": """acogedor* ambiente ambient* atmósfera escena película peli
            cine fiesta romántic* relaj* cena cenar desayun* haz prepar* listo cama
            dorm* sueño leer lectura trabaj* jugar juego invitad* visita voy vamos
            noche tarde agradable bonit* cómod*""",
    },
    doors="""
        puerta portón garaje cochera cerradura pestillo cerrojo apertura abrir abrepuertas
        cancela verja portal
    """,
    said={
        "code": "El código está en el chat.",
        "done": "Hecho.",
        "yes": "sí",
        "no": "no",
        "items": "{count} puntos:",
        "time": "{h} y {m}",
        "hour": "{h} en punto",
        "clock": "h horas",
        "date": "{d} de {m} de {y}",
    },
    signs="""
        −=menos; +=más; ~=unos; ±=más o menos; ×=por; –=a; ==igual a; &=y; <=menos de;
        >=más de; ≤=como máximo; ≥=como mínimo; ÷=dividido por; #=número; →=a;
        ²=al cuadrado; ³=al cubo; ^=elevado a; √=la raíz de
    """,
    units="""
        °C=grado Celsius|grados Celsius; °F=grado Fahrenheit|grados Fahrenheit;
        °=grado|grados; K=kelvin; %=por ciento; ‰=por mil; W=vatio|vatios;
        kW=kilovatio|kilovatios; Wh=vatio hora|vatios hora;
        kWh=kilovatio hora|kilovatios hora; V=voltio|voltios; A=amperio|amperios;
        mA=miliamperio|miliamperios; Hz=hercio|hercios; MHz=megahercio|megahercios;
        GHz=gigahercio|gigahercios; mm=milímetro|milímetros; cm=centímetro|centímetros;
        m=metro|metros; km=kilómetro|kilómetros;
        km/h=kilómetro por hora|kilómetros por hora;
        m/s=metro por segundo|metros por segundo;
        mm/h=milímetro por hora|milímetros por hora;
        l/m²=litro por metro cuadrado|litros por metro cuadrado;
        mg=miligramo|miligramos; g=gramo|gramos; kg=kilogramo|kilogramos;
        ml=mililitro|mililitros; mL=mililitro|mililitros; dl=decilitro|decilitros;
        cl=centilitro|centilitros;
        l=litro|litros; L=litro|litros; m²=metro cuadrado|metros cuadrados;
        km²=kilómetro cuadrado|kilómetros cuadrados; m³=metro cúbico|metros cúbicos;
        m³/h=metro cúbico por hora|metros cúbicos por hora;
        W/m²=vatio por metro cuadrado|vatios por metro cuadrado;
        µg/m³=microgramo por metro cúbico|microgramos por metro cúbico;
        hPa=hectopascal|hectopascales; mbar=milibar|milibares; lx=lux; lm=lumen|lúmenes;
        dB=decibelio|decibelios; ppm=partes por millón; kcal=kilocaloría|kilocalorías;
        ms=milisegundo|milisegundos; s=segundo|segundos; min=minuto|minutos;
        h=hora|horas; MB=megabyte|megabytes; GB=gigabyte|gigabytes;
        Mbit/s=megabit por segundo|megabits por segundo;
        €/kWh=euro por kilovatio hora|euros por kilovatio hora;
        ct/kWh=céntimo por kilovatio hora|céntimos por kilovatio hora
    """,
    singular=re.compile(r"-?1"),
    decimal=",",
    months="""
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
        diciembre
    """,
    states="""
        abierta=open; cerrada=closed; encendida=on; apagada=off; casa=home; ausente=not home;
        cerrado con llave=locked; movimiento=detected
    """,
    weekdays="lunes martes miércoles jueves viernes sábado domingo",
    periods="""
        ahora=now; hoy=today; ayer=yesterday; mañana=tomorrow;
        (antes de ayer|anteayer)=day_before_yesterday; pasado mañana=day_after_tomorrow;
        (esta|por la) mañana=morning; (esta|por la) tarde=afternoon;
        (esta|por la) tarde noche=evening; (esta|por la) noche=night; anoche=last_night;
        esta semana=this_week; [la] semana pasada=last_week;
        [la] (próxima semana|semana que viene)=next_week; (este|el) fin de semana=this_weekend;
        [el] fin de semana pasado=last_weekend;
        [el] (próximo fin de semana|fin de semana que viene)=next_weekend; este mes=this_month;
        [el] mes pasado=last_month; [el] (próximo mes|mes que viene)=next_month;
        este año=this_year; [el] año pasado=last_year;
        [el] (próximo año|año que viene)=next_year;
        [los] últimos # minutos=last_minutes; [las] últimas # horas=last_hours;
        [la] última hora=last_hours; [los] últimos # días=last_days;
        [las] últimas # semanas=last_weeks; [los] últimos # meses=last_months;
        [la] próxima hora=next_hours; [las] próximas # horas=next_hours;
        [los] próximos # días=next_days;
        [las] próximas # semanas=next_weeks; [el|este] *=weekday;
        [el] * pasado=last_weekday; [el] (próximo *|* que viene)=next_weekday;
        [en] @=month; [en] @ [de] #=year_month
    """,
    before_days="el del al",
    sources="fuente fuentes referencia referencias",
)
