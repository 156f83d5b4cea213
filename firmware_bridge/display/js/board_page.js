/**
 * The board page: joins the connection to the board, the players, the moves, the notices.
 */

import { Board } from "./board.js";
import { offerLanguages } from "./languages.js";
import { keepConnected, renewed } from "./link.js";
import { Moves } from "./moves.js";
import { Notices } from "./notices.js";
import { rosette, svg } from "./ornament.js";
import { Players } from "./players.js";
import { opponent } from "./seating.js";
import { fillTexts, settings, text, write } from "./texts.js";

fillTexts();
offerLanguages();
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const wish = new URLSearchParams(location.search).get("bottom");
const players = new Players(part("player-top"), part("player-bottom"), wish);
const board = new Board(part("board"), wish, (side, stones) => players.count(side, stones));
const moves = new Moves(part("moves"));
const notices = new Notices(document.body);

part("emblem").append(svg("g", { transform: "translate(50 50)" }, rosette(46)));

/** Show what the hall sent last; it is the whole truth each time. */
function snapshot(message) {
  renewed(message.assets);
  notices.heard(message.presence);
  document.body.classList.toggle("unseen", !message.state);
  if (!message.state) return;
  players.show(message.state); // first, for the board counts into its cards
  board.show(message.state);
  moves.show(message.state);
  notices.show(message.state);
  announce(message.state);
  document.body.dataset.version = message.version;
}

/** Tell a screen reader the newest move once. */
function announce(state) {
  const newest = state.moves.split(" ").at(-1);
  // An illegal sowing that stands, `7/`, has no path to be drawn, but it was somebody's turn.
  const side = newest.endsWith("/") ? opponent(state.position.to_move) : state.last?.side;
  const words = side ? text("aria.move", { side: text(`side.${side}`), move: newest }) : "";
  write(part("live"), words);
}

keepConnected(`/ws/boards/${settings.board}`, {
  up: () => notices.link(true),
  down: () => notices.link(false),
  message: (message) => {
    if (message.kind === "snapshot") snapshot(message);
    else if (message.kind === "beat") {
      notices.heard(message.presence);
      players.clock(message.clock);
    }
  },
});
