/**
 * Calibrating at the table: what is to be done, what the board feels, and big buttons. The board keeps the
 * procedure; this page asks how it stands twice a second and hands words on.
 */

import { placeName, placesNamed, verdictLines, wrongLine } from "./calibrate_words.js";
import { offerLanguages } from "./languages.js";
import { fillTexts, settings, text, textOf, write } from "./texts.js";

const EVERY_MS = 500;
const SURE_MS = 4000;
const SHOWN = 0.7; // stones: what comes through the plate from neighbours is less
const SEATS = ["a", "b"];
const part = (name) => document.querySelector(`[data-part="${name}"]`);

let standing = null; // what the board said last; undefined: it does not answer
let refused = "";
let ended = "";
let sending = false;

fillTexts();
offerLanguages();
write(part("title"), text("calib.title", { board: settings.board }));

async function ask(request) {
  try {
    const answer = await fetch("/calibrate/do", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    return await answer.json();
  } catch {
    return { ok: false, code: "calib_gone" };
  }
}

function why({ code, phase, why: words }) {
  const key = `calibno.${(code ?? "").replace("calib_", "")}`;
  return textOf("calibno", key.slice("calibno.".length))
    ? text(key, { phase: textOf("phase", phase), why: words })
    : (words ?? "");
}

async function say(step) {
  if (sending) return;
  sending = true;
  const answer = await ask({ step });
  sending = false;
  refused = answer.ok ? "" : why(answer);
  if (answer.ok) {
    const { calibration } = answer;
    if (!calibration) ended = step === "next" ? text("calib.page_kept") : step === "pause" ? text("calib.page_paused") : text("calib.cancelled");
    else ended = "";
    standing = calibration;
  }
  draw();
}

async function look() {
  if (!sending) {
    const answer = await ask({ step: "state" });
    if (!sending) {
      standing = answer.ok ? answer.calibration : undefined;
      if (!answer.ok) refused = why(answer);
      else if (standing === undefined) refused = "";
    }
    draw();
  }
  setTimeout(look, EVERY_MS);
}

/** Whether a mark lies here, as far as is known, where marks are asked for: they weigh no whole stones. */
const marked = (view, place) => view?.step === "marks" && (view.seen[place] ?? 0) > SHOWN;

function cell(place, view) {
  const pit = document.createElement("span");
  pit.className = place >= 18 ? "kazan" : "pit";
  pit.dataset.place = place;
  const name = document.createElement("small");
  name.textContent = placeName(place);
  const due = document.createElement("b");
  due.textContent = view?.loads?.[place] || "";
  pit.append(name, due);
  const seen = view?.seen?.[place] ?? null;
  const read = document.createElement("i");
  read.textContent = seen === null || !view.loads || view.step === "marks" || Math.abs(seen) < SHOWN ? "" : String(Math.round(seen));
  if (view?.loads) pit.append(read);
  pit.classList.toggle("differs", seen !== null && Boolean(view.loads) && view.step !== "marks" && Math.abs(seen - view.loads[place]) > SHOWN);
  const wrong = (view?.complaints ?? []).some(({ places }) => places.includes(place));
  pit.classList.toggle("due", Boolean(view?.loads?.[place]));
  pit.classList.toggle("moving", Boolean(view?.moving.includes(place)));
  pit.classList.toggle("wrong", wrong || Boolean(view?.touch?.wrong.includes(place)));
  pit.classList.toggle("good", Boolean(view?.touch?.good.includes(place)) || marked(view, place));
  pit.classList.toggle("target", view?.touch?.place === place && view.state === "asking");
  return pit;
}

/** The board from the near seat: each player's kazan lies in the other half (regulations 1.1.2). */
function drawBoard(view) {
  const near = SEATS.indexOf(settings.near);
  const row = (seat) => [...Array(9).keys()].map((number) => 9 * seat + number);
  const places = [...row(1 - near).reverse(), 18 + near, 18 + (1 - near), ...row(near)];
  const whole = view?.seen?.map((stones) => stones === null ? null : Math.round(stones));
  const drawn = JSON.stringify([near, view?.step, view?.state, view?.touch, view?.moving, view?.complaints, whole]);
  if (part("board").dataset.drawn === drawn) return;
  part("board").dataset.drawn = drawn;
  part("board").replaceChildren(...places.map((place) => cell(place, view)));
}

function lines(view) {
  if (!view) return [];
  if (view.state === "judged") return verdictLines(view.verdict);
  const told = view.complaints.map(wrongLine);
  if (view.layout) told.push(...Object.entries(view.layout).map(([key, found]) => `${key} = ${JSON.stringify(found)}`));
  return told;
}

function live(view) {
  if (refused) return refused;
  if (!view) return ended;
  if (view.state === "waiting") {
    return view.moving.length ? text("calib.moves", { places: placesNamed(view.moving) }) : text("calib.waiting");
  }
  if (view.state !== "asking") return "";
  const marks = view.seen.map((_, place) => place).filter((place) => marked(view, place));
  if (marks.length) return text("calib.felt", { place: placesNamed(marks) });
  if (!view.touch || view.touch.place === null) return "";
  const { place, felt } = view.touch;
  const told = [text("calib.touch", { place: placeName(place) })];
  if (felt?.length) {
    const right = felt.length === 1 && felt[0] === place - 1;
    told.unshift(right ? text("calib.felt", { place: placeName(place - 1) }) : text("calib.felt_other", { place: placesNamed(felt) }));
  }
  return told.join(" · ");
}

function button(word, name) {
  const element = document.createElement("button");
  element.type = "button";
  element.dataset.word = word;
  element.textContent = text(`calibword.${name}`);
  element.addEventListener("click", () => (word === "cancel" ? surely(element) : say(word)));
  return element;
}

/** Cancelling throws away what was measured: it is asked once more. */
function surely(element) {
  if (element.classList.contains("sure")) {
    say("cancel");
    return;
  }
  element.classList.add("sure");
  element.textContent = text("calib.sure");
  setTimeout(() => {
    element.classList.remove("sure");
    element.textContent = text("calibword.cancel");
  }, SURE_MS);
}

function drawButtons(view) {
  let words = [];
  if (view === null) words = [["begin", "begin"]];
  else if (view) {
    words = ["cancel", "pause", "back", "repeat", "skip", "next"]
      .filter((word) => word === "pause" || view.words.includes(word))
      .map((word) => [word, word === "next" && view.state === "judged" ? "keep" : word]);
  }
  const drawn = JSON.stringify(words);
  if (part("buttons").dataset.drawn === drawn) return;
  part("buttons").dataset.drawn = drawn;
  part("buttons").replaceChildren(...words.map(([word, name]) => button(word, name)));
}

function draw() {
  const view = standing;
  document.body.dataset.state = view?.state ?? "none";
  drawBoard(view);
  write(part("number"), view?.step ? text("calib.number", { n: view.number, of: view.of }) : "");
  write(part("step"), view?.step ? text(`calibstep.${view.step}`) : view ? text("calib.finished") : "");
  write(part("do"), view?.step && view.state !== "refused" ? text(`calibdo.${view.step}`) : view === null && !ended ? text("calib.page_begin") : "");
  const told = lines(view);
  const list = part("complaints");
  if (list.dataset.drawn !== JSON.stringify(told)) {
    list.dataset.drawn = JSON.stringify(told);
    list.replaceChildren(...told.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }));
  }
  write(part("live"), live(view));
  drawButtons(view);
}

draw();
look();
