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
    echo={
        "do_unlock": """
            unlock [~] [now]
        """,
        "do_lock": """
            lock [~] [up] [now]
        """,
        "do_open": """
            open [up] [~] [up] [now]
        """,
        "do_close": """
            (close|shut) [~] [now]
        """,
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
        "do_toggle": """
            toggle [~] [now]
        """,
        "do_set_position": """
            (move|set) [~] [now]
        """,
        "do_set_temperature": """
            set [~] [now]
        """,
        "do_run": """
            (run|start) [~] [now]
        """,
        "do_use": """
            use [~] [now]
        """,
    },
    no="""
        (cancel|stop|abort|wait|hold on|negative) [it|that]
        (leave|skip) (it|that)
        leave (it|that|them) [alone|be|closed|locked|shut|as it is]
        let it be
        keep (it|that|them) (closed|locked|shut)
    """,
    never_mind="""
        (never mind|nevermind)
        forget (it|that|about it)
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
        sir ll can good idea a under by means
    """,
    unclear="""
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
    timers="timer countdown",
    pronouns=re.compile(
        r"\b(?:it|them)\b|\b(?:turn|switch|shut) (?:on|off|up|down) (?:that|this|those"
        r"|these)$|\b(?:that|this|those|these) (?:back )?(?:on|off|up|down|again)\b",
        re.IGNORECASE,
    ),
    tools="tool function syntax json",
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
    doors="*door gate garage* latch hatch lock opener opening open unlock",
)
