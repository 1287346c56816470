"""English."""

import re
from typing import Final

from .form import Language

_VERBS: Final = (
    r"(?:turned|switched|set|opened|closed|shut|locked|unlocked|started|stopped|paused"
    r"|resumed|dimmed|brightened|added|removed|deleted|activated|deactivated|enabled"
    r"|disabled|changed|adjusted|updated|increased|decreased|reduced|raised|lowered"
    r"|muted|unmuted|run|ran|executed|triggered|scheduled|cancel+ed|created|armed"
    r"|disarmed|sent|played|skipped|put|made|completed|checked off|done)"
)
_DOING: Final = (
    r"(?:turning|switching|setting|opening|closing|shutting|locking|unlocking|starting"
    r"|stopping|pausing|resuming|dimming|adding|removing|activating|running|playing"
    r"|skipping|raising|lowering|muting|arming|disarming)"
)
_STATES: Final = (
    r"(?:on|off|open(?:ed)?|closed|shut|locked|unlocked|set|playing|paused|running"
    r"|muted|dimmed|armed|disarmed|active|activated|started|stopped|done)"
)

EN: Final = Language(
    code="en",
    yes="""
        (yes|yeah|yep|yup|yea|aye)
        (yes|yeah) (now|do|sir|ma'am|sure|you (may|can|should)|it is|i (do|am|want that))
        (surely|certainly|definitely|absolutely|affirmative|correct|indeed)
        (sure thing|of course|by all means|for sure|you bet|exactly|hell yes)
        (that's|that is) (right|correct|a yes)
        i said yes
        [just] do (it|that|so) [now|then|right now]
        please do [it|that|so] [now]
        go (ahead|for it) [now|then]
        go ahead and do (it|that|so)
        go right ahead
        yes (that's|that is) (right|fine|ok|okay|good)
        let's do (it|that)
        (proceed|confirm|confirmed|i confirm|make it so)
        you (may|can|should) [do (it|that|so)]
        (i'm|i am) sure
        (that would|that'd) be (great|nice|good|lovely)
        (sounds good|i'd like that|i would like that)
    """,
    weak_yes="""
        [that's|that is|that'd be] (ok|okay|alright|all right|fine)
        (sure|right)
        fine by me
    """,
    it="""
        (it|that|this)
        the (door|lock|alarm)
    """,
    them="(them|those|these|the doors|the locks)",
    only="only just",
    both="both [of (them|those)|doors|the doors|locks]",
    all_of="(all [#] [of (them|those)]|everything)",
    ordinals="""
        (first|1st|former) (second|2nd) (third|3rd) (fourth|4th) (fifth|5th)
        (last|latter)
    """,
    choosing="""
        (one|ones|that|this|it|it's|that's|take|use|pick|choose|(by|at|on|from) the)
        i (mean|meant|want|said|choose|would like)
    """,
    echo={
        "do_unlock": "unlock [~] [now]",
        "do_lock": "lock [~] [up] [now]",
        "do_open": "open [up] [~] [up] [now]",
        "do_close": "(close|shut) [~] [now]",
        "do_disarm": """
            (disarm|deactivate) [~] [now]
            turn [~] off
        """,
        "do_turn_on": """
            (turn|switch) ~ on [now]
            (turn|switch) on [~] [now]
        """,
        "do_turn_off": """
            (turn|switch) ~ off [now]
            (turn|switch) off [~] [now]
        """,
        "do_toggle": "toggle [~] [now]",
        "do_set_position": "(move|set) [~] [now]",
        "do_set_temperature": "set [~] [now]",
        "do_run": "(run|start) [~] [now]",
        "do_use": "use [~] [now]",
    },
    no="""
        (cancel|stop|abort|wait|hold on|negative) [it|that]
        (leave|skip) (it|that)
        leave (it|that|them) [alone|be|closed|locked|shut|as it is]
        let it be
        keep (it|that|them) (closed|locked|shut)
    """,
    never_mind="""
        [no|nope|nah|sorry|actually] (never mind|nevermind) [then|that|it|about (it|that)]
        (never mind|nevermind) it's (fine|okay|ok|all right)
        [no|nope|nah|sorry|actually] forget (it|that) [then]
        forget (about it|about that|i (asked|said anything))
        (scratch|drop) (it|that)
        don't (bother|worry about it)
    """,
    nothing_more="""
        (thanks|thank you) [a lot|so much|very much|again]
        [no|nope|nah] (that's|that is|that was|that'll be|that will be) (all|everything)
        [no] (that's|that is) (all|it) for (now|today)
        (no|nope|nah|thanks|thank you) (that's|that is) it
        (that's|that is) it (thanks|thank you)
        [no] (that's|that is) all i (need|needed|want|wanted)
        (no|nope|nah) (thanks|thank you)
        no need [thanks|thank you]
        [no|nope|nah] (nothing|nothing else|nothing more)
        [no|nope|nah] (i'm|i am|we're|we are) (good|all set)
        cheers
    """,
    stop="""
        (stop|cancel|abort|quit|enough) [it|that|now]
        stop (talking|listening)
        (be quiet|shut up)
        that's enough
    """,
    denials="""
        no nope nah nay not never nevermind don dont doesn doesnt didn didnt won
        wont cant shouldn shouldnt mustn mustnt wouldn wouldnt cannot t without
        neither nor none nothing nobody nowhere stop cancel abort nein non nee
    """,
    beside_no="""
        i i'd i'm you we it that this them do does did would should better best rather
        now yet today really actually just thanks thank way at all in on any
        circumstances mind want wanted to please sorry need is must be chance ever said
        sir ll can good idea a under by means of these those
    """,
    unclear="""
        (a|one|half a) second
        all (ok|okay|fine)
        yeah right
        yeah yeah
        sure sure
        oh sure
        (ok|okay) (ok|okay)
        (not|aren't|isn't) [so|really|quite|entirely|that] sure
        why not
        (uh|ah) uh
        (ok|okay|alright|all right|right|fine) (thanks|thank you|then)
    """,
    polite="""
        [pretty] please
        thanks [a lot|so much|very much]
        thank you [so much|very much]
    """,
    hesitations="uh uhm um erm er oh hm hmm mm mmm well so hey",
    questions=re.compile(
        r"(?:and |so |hey |ok(?:ay)? |please tell me |tell me |do you know )?"
        r"(?:what|which|who|whose|where|when|why|how|is|are|was|were|am|does|did|has"
        r"|had|any|(?:do|have) (?:i|we|you|they|the)|tell me (?:if|whether))\b",
        re.IGNORECASE,
    ),
    joints="and then also plus afterwards",
    exceptions="except excluding without",
    timers="timer countdown",
    pronouns=re.compile(
        r"\b(?:it|them)\b|\b(?:turn|switch|shut) (?:on|off|up|down) (?:that|this|those"
        r"|these)$|\b(?:that|this|those|these) (?:back )?(?:on|off|up|down|again)\b",
        re.IGNORECASE,
    ),
    tools="tool function syntax json",
    leaning=re.compile(
        r"^(?:and|also|but|or|then|what about|how about|same)\b"
        r"|\b(?:too|as well|instead|either|the same|the others?|the rest)\W*$",
        re.IGNORECASE,
    ),
    unfinished="the my our your their and because",
    undo=re.compile(
        r"\b(?:undo|revert|take (?:it|that) back|(?:put|turn) (?:it|that|them) back)\b"
        r"|\bback (?:to )?(?:how|(?:the way|as)) (?:it|they) (?:was|were)\b",
        re.IGNORECASE,
    ),
    claims=re.compile(
        rf"\bI(?:'ve|’ve| have)?(?: just| now| also| successfully| already)*"
        rf" {_VERBS}\b"
        rf"|\b(?:I'm|I’m|I am)(?: now| just)* {_DOING}\b"
        rf"|(?:^|[,;:.!] ){_DOING}\b"
        rf"|\b(?:is|are|'s|’s)(?: all| both)* now(?: all| both)* {_STATES}\b"
        r"|^(?:all |it's |it’s |it is |that's |that’s )?done\b|\ball set\b",
        re.IGNORECASE,
    ),
    claims_states=re.compile(
        rf"\b(?:has|have|was|were)(?: now| just| successfully)* been {_VERBS}\b"
        rf"|\b(?:was|were)(?: now| successfully)* {_VERBS}\b"
        r"|\b(?:is|are|'s|’s|should be)(?: now| all| both| currently being)*"
        rf" {_STATES}\b",
        re.IGNORECASE,
    ),
    claims_nothing=re.compile(
        r"n['’]t\b|\b(?:not|no|never|cannot|unable|failed?|sorry|unfortunately|if"
        r"|nothing|nobody|none|would|could|can|want|would you like|shall|should I|let me"
        r"|already|before|earlier|until|once|when|error|problem|last|yesterday|ago)\b|\?$",
        re.IGNORECASE,
    ),
    excuses=re.compile(
        r"\b(?:I|we)(?: currently| actually| simply| also|['’]m)? (?:do not|don['’]t|did not"
        r"|didn['’]t|no longer|lack|have no|can(?:no|['’])t|(?:am )?(?:not able|unable) to"
        r"|was(?: not|n['’]t) (?:given|provided))\b[^.!?]{0,60}\b(?:tools?|functions?"
        r"|capabilit(?:y|ies)|functionality|access to (?:your|the|any|that|this|smart)"
        r" (?:\w+ )?(?:home|house|devices?|lights?|lock|thermostat|system|speakers?)"
        r"|ability to (?:control|turn|switch|operate|open|close|lock|play)"
        r"|(?:control|interact with|operate)\b[^.!?]{0,30}\b(?:home|devices?|lights?))\b"
        r"|\b(?:tool|function)(?: \w+)? (?:is|was)(?: currently)?(?: not|n['’]t| un)"
        r" ?(?:available|accessible)\b"
        r"|\bno (?:such )?(?:tool|function) (?:is |was )?(?:available|for (?:that|this))\b"
        r"|\bas an? (?:AI|language model|text-based)\b[^.!?]{0,40}\b(?:can['’]?t|cannot"
        r"|do not|don['’]t|unable)\b",
        re.IGNORECASE,
    ),
    closings=re.compile(
        r"(?:(?:and|so|now|well|okay|ok),? )?"
        r"(?:(?:is there|do you (?:need|want)|would you like|(?:can|may|shall|should) i"
        r"|want|need) )?(?:me to )?(?:(?:help|assist|do|change|control|turn \w+) )?"
        r"(?:you )?(?:with )?(?:any|some)thing (?:else|more)\b"
        r"|(?:how|what) else (?:can|may|should) i\b|(?:how|what) can i (?:help|do)\b"
        r"|(?:can|may) i (?:help|assist) you\b",
        re.IGNORECASE,
    ),
    articles={
        "the": """
            door gate garage lock latch valve alarm light lamp blind shade curtain shutter
            radio speaker tv television fan vacuum heating heater thermostat oven switch
            socket plug machine window doors gates locks lights lamps blinds
        """,
    },
    generic="the a an of my our your in and s",
    before_number="number no nr and or",
    numbers="zero one two three four five six seven eight nine ten",
    endings="s es",
    short_endings="s es",
    cases="",
    links="s",
    kinds={
        "light": "light lamp bulb lighting",
        "blind": "blind shade curtain shutter awning drape",
        "music": "music song track radio playlist album volume sound speaker",
        "tv": "tv television telly",
        "fan": "fan ventilator",
        "vacuum": "vacuum hoover roomba",
        "climate": "heating heater thermostat temperature heat ac aircon radiator",
        "door": "door gate garage lock latch",
        "valve": "valve water gas",
        "alarm": "alarm",
    },
    changes={
        "light": """
            (brighter|darker|dimmer|dim|brighten)
            too (bright|dark)
        """,
        "blind": "",
        "music": """
            (louder|quieter|softer|mute|unmute|pause|unpause|resume|skip|play)
            (next|previous|last) (one|tune)
            turn (it|that|this) (up|down)
        """,
        "tv": "",
        "fan": "",
        "vacuum": "(clean|hoover|sweep|vacuuming|cleaning)",
        "climate": """
            (degree|degrees|warmer|colder|cooler|hotter)
            [too|so] (cold|hot|warm) in here
            too (cold|hot|warm)
            (i'm|i am) (cold|hot|freezing)
        """,
        "door": "",
        "valve": "",
        "alarm": "(arm|disarm)",
    },
    cues={
        "history": """when how often long last latest ago since yesterday today week
            weekend month year hour minute overnight ever already who whom average
            mean most least highest lowest maximum minimum peak total used consum*
            energy electricity cost* kwh solar histor* changed record* trend*
            earlier before between was were has had did been warmest coldest
            compare* than""",
        "why": """why reason because did done was were been happen* left leave sent
            send shared heard told data private privacy proton internet cloud your""",
        "forecast": """weather forecast* rain* snow* sun sunny sunshine cloud* wind*
            storm* thunder* umbrella jacket coat tomorrow tonight weekend cold warm
            hot freez* frost* icy dry wet outside outdoors degree today monday
            tuesday wednesday thursday friday saturday sunday""",
        "events": """calendar appointment event meeting birthday schedul* agenda
            when free busy today tonight tomorrow week weekend month holiday
            vacation trip dentist doctor monday tuesday wednesday thursday friday
            saturday sunday happening plan planned planning""",
        "set": """set mode preset eco auto heating cooling heat cool dry boost away
            oscillat* swing* rotat* direction revers* forward* humid* dehumid*
            option select* choose source input hdmi channel repeat shuffle loop
            suction arm disarm alarm siren number value level change* program*
            vacation""",
        "change_list": """list move rename clear* empty item entry replace* change*
            correct* task todo to-do shopping grocer* note uncheck* untick* reopen*
            instead completed done due""",
        "create_event": """calendar appointment event meeting birthday schedul*
            remind* book date invit* tomorrow today tonight week monday tuesday
            wednesday thursday friday saturday sunday plan""",
        "compose": """cosy cozy mood atmosphere ambien* scene film movie cinema
            party parties romantic relax* dinner breakfast make prepare* bed sleep*
            sleepy gaming game guest leaving ready comfortable nice night evening
            work working read reading""",
    },
    doors="*door gate garage* latch hatch lock opener opening open unlock",
    said={
        "code": "The code is in the chat.",
        "done": "Done.",
        "yes": "yes",
        "no": "no",
        "items": "{count} items:",
        "time": "",
        "hour": "",
        "clock": "",
        "date": "{d} {m} {y}",
    },
    signs="""
        −=minus; +=plus; ~=about; ±=plus or minus; ×=times; –=to; ==equals; &=and;
        <=less than; >=more than; ≤=at most; ≥=at least; ÷=divided by; #=number; →=to;
        ²=squared; ³=cubed; ^=to the power of; √=the root of
    """,
    units="""
        °C=degree Celsius|degrees Celsius; °F=degree Fahrenheit|degrees Fahrenheit;
        °=degree|degrees; K=kelvin; %=percent; ‰=per mille; W=watt|watts;
        kW=kilowatt|kilowatts; Wh=watt hour|watt hours;
        kWh=kilowatt hour|kilowatt hours; V=volt|volts; A=ampere|amperes;
        mA=milliampere|milliamperes; Hz=hertz; MHz=megahertz; GHz=gigahertz;
        mm=millimetre|millimetres; cm=centimetre|centimetres; m=metre|metres;
        km=kilometre|kilometres; km/h=kilometre per hour|kilometres per hour;
        m/s=metre per second|metres per second;
        mm/h=millimetre per hour|millimetres per hour; ft=foot|feet;
        tbsp=tablespoon|tablespoons; tsp=teaspoon|teaspoons;
        oz=ounce|ounces; lb=pound|pounds; mph=mile per hour|miles per hour;
        mg=milligram|milligrams;
        g=gram|grams; kg=kilogram|kilograms; ml=millilitre|millilitres;
        mL=millilitre|millilitres; dl=decilitre|decilitres; l=litre|litres;
        L=litre|litres; m²=square metre|square metres;
        km²=square kilometre|square kilometres; m³=cubic metre|cubic metres;
        m³/h=cubic metre per hour|cubic metres per hour;
        W/m²=watt per square metre|watts per square metre;
        µg/m³=microgram per cubic metre|micrograms per cubic metre;
        hPa=hectopascal|hectopascals; mbar=millibar|millibars; lx=lux; lm=lumen|lumens;
        dB=decibel|decibels; ppm=parts per million; kcal=kilocalorie|kilocalories;
        ms=millisecond|milliseconds; s=second|seconds; min=minute|minutes; h=hour|hours;
        MB=megabyte|megabytes; GB=gigabyte|gigabytes;
        Mbit/s=megabit per second|megabits per second;
        €/kWh=euro per kilowatt hour|euros per kilowatt hour;
        ct/kWh=cent per kilowatt hour|cents per kilowatt hour
    """,
    singular=re.compile(r"-?1"),
    decimal=".",
    months="""
        January February March April May June July August September October November
        December
    """,
    states="""
        opened=open; shut=closed; away=not home; true=on; active=on; yes=on; motion=detected;
        occupied=detected; leak=wet; false=off; inactive=off; no=off; quiet=clear; empty=clear;
        heating=heat; cooling=cool
    """,
    weekdays="Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    periods="""
        [right] now=now; today=today; yesterday=yesterday; tomorrow=tomorrow;
        [the] day before yesterday=day_before_yesterday;
        [the] day after tomorrow=day_after_tomorrow; [this|in the] morning=morning;
        [this|in the] afternoon=afternoon; [this|in the] evening=evening;
        (tonight|[at] night)=night; last night=last_night; [this|current] week=this_week; last week=last_week;
        next week=next_week; [this|the] weekend=this_weekend; last weekend=last_weekend;
        next weekend=next_weekend;
        [this|current] month=this_month; last month=last_month; next month=next_month;
        [this|current] year=this_year; last year=last_year; next year=next_year;
        [the] (last|past) [#] (minute|minutes)=last_minutes;
        [the] (last|past) [#] (h|hour|hours)=last_hours; past week=last_weeks;
        [the] (last|past) # (day|days)=last_days;
        [the] (last|past) # (week|weeks)=last_weeks;
        [the] (last|past) # (month|months)=last_months;
        [the] next [#] (hour|hours)=next_hours; [the] next # (day|days)=next_days;
        [the] next # (week|weeks)=next_weeks;
        [on|this] *=weekday; last *=last_weekday; next *=next_weekday; [in] @=month;
        [in] @ #=year_month
    """,
    before_days="on",
    sources="source sources reference references citations",
)
