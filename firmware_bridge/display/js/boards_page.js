/**
 * The list of boards: asks the hall again and again, for a board may come at any time.
 */

import { offerLanguages } from "./languages.js";
import { fillTexts, settings, text, textOf } from "./texts.js";

const ASK_MS = 3000;
const LONGEST_MS = 15_000;

fillTexts();
offerLanguages();
const list = document.querySelector("[data-part=boards]");
const query = new URLSearchParams(location.search);
query.delete("bottom");
document.querySelector(".unknown").hidden = !settings.unknown;
let failures = 0;
let shown = "";

function element(name, className, words = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = words;
  return made;
}

const address = (board) => `/board/${board}${query.size ? `?${query}` : ""}`;

function card(line) {
  const link = element("a", `card ${line.presence.reason}`);
  link.href = address(line.board);
  link.dataset.board = line.board;
  const names = line.names ? text("list.versus", { first: line.names[0], second: line.names[1] }) : "";
  const phase = line.phase ? textOf("phase", line.phase) : "";
  link.append(
    element("b", "id", line.board),
    element("span", "names", names),
    element("span", "score", line.kazans ? line.kazans.join(" : ") : ""),
    element("span", "phase", line.presence.stale ? text(`link.${line.presence.reason}`) : phase),
  );
  const item = element("li", "");
  item.append(link);
  return item;
}

function show({ boards }) {
  if (settings.follow_single && boards.length === 1) {
    location.replace(address(boards[0].board));
    return;
  }
  document.querySelector(".none").hidden = boards.length > 0;
  const key = JSON.stringify(boards.map(({ presence, ...line }) => [presence.reason, line]));
  if (key === shown) return;
  shown = key;
  list.replaceChildren(...boards.map(card));
}

async function ask() {
  try {
    const answer = await fetch("/api/boards", { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
    failures = 0;
  } catch {
    failures += 1;
  }
  setTimeout(ask, Math.min(LONGEST_MS, ASK_MS * (1 + failures)) * (0.8 + 0.4 * Math.random()));
}

ask();
