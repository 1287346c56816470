"""English."""

from typing import Final

from .words import Words, patterns, table, texts, word_set

WORDS: Final = Words(
    code="en",
    hints=word_set(
        "the and turn off switch is are what which how please my set it to of lights"
        " light open close lock unlock when there all every make start stop good you"
        " with dim play put pause skip resume run has have do does who where tell add wake find"
        " announce that we too degree one further enough floor well same as leave keep ones touch notch tad lot much slightly everywhere room outside need shop bed night film movie watch watching going yesterday anybody anyone somebody someone can could phone left come go still yet already an move for from by at there bit little couple one degrees percent level speed"
    ),
    filler=(
        r"^(ok|okay|hey|hi|hello|so|well|alright|lumo|um|uh|yes|now)\b(?=.* )"
        r"|^(could|can|would|will) (you|we) (please )?"
        r"|^(i (would like|d like|want|need)( you)? to|let s|go ahead and|i need you to)\b"
        r"|\b(please|for me|thanks|thank you|right now|at the moment|currently|just)\b"
        r"|\bmake sure( that)?\b|(?<= )\bnow$|\bfor (the night|now)\b"
    ),
    joiners=r"and then|and also|and|then|also|plus|but",
    question=(
        r"(is|are|was|were|what|whats|which|who|where|when|how|why|does|do|did|has|have"
        r"|any|tell me (if|whether|what|how|which|about)|check (if|whether)|am)\b"
    ),
    actions=patterns(
        r"""
        unmute: \bunmute\b|\bsound (?:back )?on\b
        mute: \b(mute|silence)\b|\bsound off\b
        unlock: \bunlock\b
        lock: \block\b
        pause: \bpause\b
        next: \bnext\b|\bskip\b( (this|that|the|it|ahead|to|one|song|track|title))*( (in|on) .*)?$
        previous: \b(previous|last) (song|track|title)\b|\bgo back a (song|track)\b
        resume: \b(resume|unpause|continue|carry on|go on)\b
        off: \boff (?=in\b|upstairs|downstairs)|\b(shut (off|down)|power (off|down)|kill|deactivate|disable|extinguish)\b
        off: \b(turn|turned|switch|switched|put|shut|set)\b.*\boff\b|\boff$|^off\b|\blights out\b
        on: \bon (?=in\b|upstairs|downstairs)|\b(activate|enable|power (on|up)|light up)\b
        on: \b(turn|turned|switch|switched|put)\b.*\bon\b|\bon$|^on\b|\bis on\b
        on: ^play\b
        open: \b(?:blinds?|shades?|shutters?|curtains?)\b.*\bup\b(?! to)|\b(open|raise|lift|roll up|pull up)\b
        close: \b(?:blinds?|shades?|shutters?|curtains?)\b.*\bdown\b(?! to)|\b(close|shut|lower|roll down|pull down)\b
        stop: \b(stop|halt)\b|\b(send|return|go|come)\b.*\b(base|dock|home|back)\b
        run: \bsend\b.*\b(out|off|round)\b|\bclean(ing)?\b|\b(run|start|launch|execute|trigger|begin|press|it s time for|time for)\b
        set: \b(set|dim|change|adjust|make|turn|put|move|increase|decrease|heat|cool)\b
        """
    ),
    pronouns=r"\b(it|its|them|that|this one|those|these|that one|again)\b",
    here=r"\b(here|in this room|this room|in the room)\b",
    floors=tuple(
        table("floor: ground floor, downstairs, first floor, upstairs, basement, attic")
    ),
    domains=table(
        """
        light: light, lamp, lighting, bulb; switch: switches
        switch outlet: plug, outlet, socket; fan: fan, ventilator; cover blind: blind
        cover shade: shade; cover curtain: curtain, drape; cover shutter: shutter
        cover awning: awning; cover gate: gate; cover garage: garage door
        cover: cover; cover window: window; lock: door, locks
        climate: thermostat, heating, heater, ac, air conditioning, climate
        media_player tv: tv, television; media_player speaker: speaker
        media_player: music, player; vacuum: vacuum, robot, hoover, hoovering, vacuuming; lawn_mower: mower
        valve: valve; scene: scene; humidifier: humidifier; binary_sensor: sensor
        """
    ),
    properties=table(
        """
        climate temperature: temperature, warm, cold; sensor humidity: humidity, humid
        binary_sensor,sensor battery: battery, batteries, battery level
        binary_sensor battery_charging: charging
        binary_sensor moisture: flooded, wet, water sensor, leak
        binary_sensor motion: motion; binary_sensor smoke: smoke
        sensor power: power consumption
        """
    ),
    states=table(
        """
        on: on, running, detected, triggered, connected, charging, low, wet, plugged, hot, cold
        off: off, charged, unplugged, done, finished; open: open, opened, opens
        closed: closed, shut, closes; locked: locked; unlocked: unlocked
        playing: playing; paused: paused; docked: docked; cleaning: cleaning
        heat: heating; home: home
        """
    ),
    colors=table(
        "red: red; green: green; blue: blue; yellow: yellow; orange: orange; purple: purple;"
        " pink: pink; white: white; brown: brown; turquoise: turquoise; cyan: cyan;"
        " magenta: magenta; violet: violet; black: black"
    ),
    levels=table(
        """
        100: max, maximum, full, fully, brightest, highest; 1: min, minimum, lowest
        50: half, halfway; 20: low, dimly, dimmed
        """
    ),
    smalltalk=patterns(
        r"""
        thanks: \b(thank you|thanks|cheers)\b
        nevermind: \b(never mind|nevermind|forget it|cancel that)\b|\b(leave (it|that)( be)?|don t bother|better not)$
        who: \bwho (are you|made you|built you|created you)\b|\bwhat are you\b|\bwhat s your name\b|\bwhat is your name\b|\byour name\b
        how_are_you: \bhow are you\b|\bhow s it going\b
        default: ^(yes|no|ok|okay|yeah|nope)$
        joke: \bjoke\b|\bmake me laugh\b
        help: \bwhat can (you|i)\b|^help( me)?$|\bhow can you help\b
        goodbye: ^(good night|goodnight|bye|goodbye|see you)\b
        greeting: ^(hello|hi|hey|good morning|good evening|good afternoon|good day|howdy)\b
        """
    ),
    state_words=table(
        """
        heating: heat; away: not_home; partly cloudy: partlycloudy
        clear: clear-night, motion:off, smoke:off
        open: door:on, window:on, garage_door:on
        closed: door:off, window:off, garage_door:off; low: battery:on
        fine: battery:off; detecting motion: motion:on; wet: moisture:on
        dry: moisture:off; set that way: set; detecting smoke: smoke:on
        """
    ),
    domain_words=table(
        """
        the lights: light; the switches: switch; the fans: fan; the covers: cover
        the locks: lock; the heating: climate; the media players: media_player
        the vacuum: vacuum; the blinds: blind; the curtains: curtain
        the shutters: shutter; the garage door: garage; the doors: door
        the windows: window
        """
    ),
    replies=texts(
        """
        on: I turned on {target}. | off: I turned off {target}. | open: I opened {target}. | close: I closed {target}.
        lock: I locked {target}. | unlock: I unlocked {target}. | set: I set {target} to {value}. | percent: percent
        degrees: degrees | done: Done. | run: I ran {target}. | item_added: I added {item} to {list}.
        item_gone: I took {item} off {list}. | failed: That did not work: {error} | cannot: I cannot do that here.
        not_understood: Sorry, I did not understand that: I am a stand-in that follows rules, not Lumo.
        which_area: In which area should I do that? | which_value: Which {field} would you like for {name}?
        no_home: I cannot see any devices. Expose them to your voice assistant in Home Assistant first.
        greeting: Hello! What can I do for you? | thanks: You're welcome. | goodbye: Goodbye!
        how_are_you: I'm fine, thank you. What can I do for you?
        who: I am a stand-in that follows rules, not Lumo.
        joke: Why did the light bulb fail its exam? It was not very bright.
        help: You can ask me to switch, set or check the devices in your home. | nevermind: No problem.
        default: I'm here to help with your home. What would you like me to do? | yes: Yes | no: No | and: and
        the_area: the {area} | in_area: {thing} in the {area} | everything: everything | state: {name} is {state}.
        on_list: On: {names}. | matching: {names}: {state}. | none: There are none. | none_match: None are {state}.
        time: It is {time}. | already: {target} is already {state} | all_already: {target} are already {state}
        nothing: There was nothing to do. | speaker: Who is speaking? | whose_phone: Whose phone?
        nothing_plays: Nothing is playing. | no_timer: I cannot set timers here: this device has none.
        items: On {list}: {items}. | no_items: {list} is empty.
        no_events: There is nothing in the calendar. | unknown_state: I could not find that out.
        """
    ),
)
