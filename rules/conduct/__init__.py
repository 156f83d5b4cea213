"""The law of conduct: what the regulations give for what players do, as proposals with their articles.

It knows games, dials and what an arbiter has seen. It must not know boards, wires or who is asking. Nothing
here decides: a proposal says what follows, what that rests on and who is to confirm it.

    proposal        what every answer is made of
    codes           what can be proposed, as keys of texts
    options         what an event chooses where the regulations leave a choice; presets; JSON in options_json
    offences        what is forbidden, and what follows by the article
    faults          what an infraction of a board is called here
    ladder          warnings: the five steps, and the fold over what arbiters gave and took back; JSON in
                    ladder_json
    penalties       loss, time and expulsion
    sowing          an illegal sowing
    handling        touching, adjusting, spilling, pressing
    draws           offers of a draw
    endings         resignation, refusal, phone, lateness, a sheet nobody signed
    flag_calls      who calls a flag, what it gives, quotas of moves
    clock_stops     a clock that was stopped, one that is set down late
    sealing         a sealed move as a hash commitment; the record beside it
    adjournment     postponing and resuming
    opening         the start of a game, and complaints about the set-up
    writing         who has to write the moves down
"""
