/**
 * A game postponed by the chief panel (2.8): a move sealed, kept, opened, and played.
 */

import { text } from "../texts.js";
import { action, block, field } from "./blocks.js";
import { make } from "./dom.js";
import { grouped, newSalt, plain, sealOf, ungrouped } from "./sealing.js";
import { nameOf } from "./words.js";

const quiet = { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: false, required: true };

/** The button that postpones a game; its form makes the seal, and sends nothing else of the move. */
export function adjourn(view) {
  const salt = newSalt();
  const move = make("input.hidden-words", { ...quiet, maxLength: 40 });
  const reason = make("input", { type: "text", maxLength: 120, required: true });
  const written = make("input", { type: "checkbox", required: true });
  const fields = [
    field(text("seal.move", { name: nameOf(view, view.state.position.to_move) }), move),
    make("p.seal-code", { data: { code: salt } }, make("small", {}, text("seal.code")), make("output", {}, grouped(salt))),
    make("label.warn", {}, written, make("span", {}, text("seal.written"))),
    field(text("console.reason"), reason),
  ];
  const stop = view.state.phase === "playing" ? [{ do: "suspend", reason: "arbiter" }] : [];
  const more = () => [...stop, { do: "adjourn", seal: sealOf(move.value, salt), reason: reason.value.trim() }];
  return action(view, text("console.do_adjourn"), "panel", { fields, more, danger: true, lines: [text("seal.how")] });
}

/** The button that opens the envelope; the board compares move and code with the seal. */
function open(view) {
  const move = make("input", { ...quiet, maxLength: 40, placeholder: "7:6" });
  const code = make("input.code", { ...quiet, maxLength: 60, placeholder: "0000 0000 …", pattern: "([0-9A-Fa-f]\\s*){32}" });
  const reason = make("input", { type: "text", maxLength: 120, on: { input: () => (code.required = !reason.value.trim()) } });
  const fields = [field(text("seal.move_there"), move), field(text("seal.code_there"), code), field(text("seal.reason_there"), reason)];
  const more = () => [{ do: "unseal", text: plain(move.value), salt: ungrouped(code.value), reason: reason.value.trim() }];
  return action(view, text("console.do_unseal"), "panel", { fields, more, danger: true, lines: [text("seal.whole")] }, { primary: true, key: "1" });
}

/** What waits at a board whose game was postponed. */
export function adjourned(view) {
  const { by, reason } = view.sealed;
  const lines = [text("seal.kept", { name: by }), reason, text("seal.sealer", { name: nameOf(view, view.state.position.to_move) })];
  return block("resting", text("need.adjourned"), lines, open(view));
}

/** What the opened envelope says has to be played; nothing where none was. */
export function opened(view) {
  if (!view.opened) return "";
  const { number, text: told } = view.opened;
  return number === null ? text("seal.no_move", { move: told }) : text("seal.binds", { move: told, n: number });
}
