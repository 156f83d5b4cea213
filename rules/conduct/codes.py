"""All that can be proposed, by code: stable, in lower snake case, each the key of a text."""

from __future__ import annotations

from enum import Enum


class Code(Enum):
    """What is proposed; what each means says the function that gives it."""

    # warning steps
    WARNING_EXPULSION = "warning_expulsion"
    WARNING_ORAL = "warning_oral"
    WARNING_REPRESENTATIVE = "warning_representative"
    WARNING_STRICT = "warning_strict"
    WARNING_WRITTEN = "warning_written"

    # offences
    BREACH_LOSES = "breach_loses"
    BREACH_WARNS = "breach_warns"
    NO_BREACH = "no_breach"

    # illegal sowing
    SOWING_CLAIMED_LATE = "sowing_claimed_late"
    SOWING_CORRECTED = "sowing_corrected"
    SOWING_NOT_COMMITTED = "sowing_not_committed"
    SOWING_NOT_HEARD = "sowing_not_heard"
    SOWING_NO_GAME = "sowing_no_game"
    SOWING_RESTORED = "sowing_restored"
    SOWING_RESULT_SIGNED = "sowing_result_signed"
    SOWING_STANDS = "sowing_stands"

    # penalties
    PANEL_EXPELS_PLAYER = "panel_expels_player"
    PANEL_EXPELS_REPRESENTATIVE = "panel_expels_representative"
    PANEL_LOSS = "panel_loss"
    PANEL_TEAM_LOSES = "panel_team_loses"
    PANEL_WARNS_REPRESENTATIVE = "panel_warns_representative"
    TIME_PENALTY = "time_penalty"

    # hands
    SPILLED_RESTORES = "spilled_restores"
    TOUCH_MOVE_BINDS = "touch_move_binds"
    TOUCH_MOVE_OFF = "touch_move_off"

    # draws
    DRAW_AGREED = "draw_agreed"
    DRAW_OFFERED = "draw_offered"
    DRAW_OFFER_MISPLACED = "draw_offer_misplaced"
    DRAW_OFFER_REPEATED = "draw_offer_repeated"
    DRAW_REFUSED = "draw_refused"
    NO_DRAW_OFFER = "no_draw_offer"

    # endings
    BOTH_LATE = "both_late"
    LATE_CHARGED = "late_charged"
    LATE_CHARGED_AND_WARNED = "late_charged_and_warned"
    LATE_LOSES = "late_loses"
    REFUSAL_TO_BE_JUDGED = "refusal_to_be_judged"
    REFUSED_TO_CONTINUE = "refused_to_continue"
    REFUSED_WITH_REASON = "refused_with_reason"
    RESIGNED = "resigned"

    # flags
    BOTH_FLAGS_ADD_TIME = "both_flags_add_time"
    BOTH_FLAGS_DISCRETION = "both_flags_discretion"
    BOTH_FLAGS_DRAW = "both_flags_draw"
    FLAG_ANNOUNCED = "flag_announced"
    FLAG_AT_HALF = "flag_at_half"
    FLAG_CALL_NOT_HEARD = "flag_call_not_heard"
    FLAG_CHECK_MOVES = "flag_check_moves"
    FLAG_DRAWS = "flag_draws"
    FLAG_LOSES = "flag_loses"
    FLAG_WINS = "flag_wins"
    NO_FLAG_DOWN = "no_flag_down"
    QUOTA_MADE = "quota_made"
    QUOTA_MISSED = "quota_missed"

    # clock
    ARBITER_CALLED = "arbiter_called"
    LATE_CLOCK_HALVES = "late_clock_halves"
    LATE_CLOCK_LEAST = "late_clock_least"
    STOPPED_BY_MISTAKE = "stopped_by_mistake"
    STOP_GROUNDED = "stop_grounded"
    STOP_GROUNDLESS = "stop_groundless"

    # adjournment
    POSTPONED = "postponed"
    POSTPONED_BY_PANEL_ONLY = "postponed_by_panel_only"
    POSTPONED_WITH_SEALED_MOVE = "postponed_with_sealed_move"
    SEALED_MOVE_BAD = "sealed_move_bad"
    SEALED_MOVE_BINDS = "sealed_move_binds"
    SEALED_MOVE_ILLEGAL = "sealed_move_illegal"
    SEALED_MOVE_NOT_PLAYED = "sealed_move_not_played"
    SEALED_MOVE_PLAYED = "sealed_move_played"
    SEALED_MOVE_UNREADABLE = "sealed_move_unreadable"
    SEAL_BROKEN = "seal_broken"

    # opening
    SETUP_COMPLAINT_HEARD = "setup_complaint_heard"
    SETUP_COMPLAINT_LATE = "setup_complaint_late"
    SETUP_TO_BE_PUT_RIGHT = "setup_to_be_put_right"
    START_CLOCK = "start_clock"
    START_WAITS_FOR_ANNOUNCEMENT = "start_waits_for_announcement"
    START_WAITS_FOR_PLAYERS = "start_waits_for_players"
    START_WAITS_FOR_SETUP = "start_waits_for_setup"

    # writing
    BOTH_WRITE = "both_write"
    NOBODY_HAS_TO_WRITE = "nobody_has_to_write"
    NO_SHEETS = "no_sheets"
    ONE_MAY_STOP_WRITING = "one_may_stop_writing"
