/**
 * Rounds: pairings typed or loaded, games given to boards, clocks started, results accepted.
 */

import { settings, text, textOf } from "../texts.js";
import { field } from "./blocks.js";
import { isSetUp, readiness } from "./cards.js";
import { ask, refused, toast } from "./confirm.js";
import { make } from "./dom.js";
import { may } from "./model.js";
import { post } from "./send.js";
import { refusalOf } from "./words.js";

const SCORES = ["1-0", "1/2-1/2", "0-1", "+/-", "-/+", "-/-"];
const FEW = 6; // so many boards are seen at once on a telephone
let chosen = null;
let picked = false; // else the newest round is on show
let finding = null; // what is looked for stays when a board has news
let loading = null; // made once: what is half typed there must outlive the news of a board

/** Say of which boards an order to all of them was not carried out. */
async function all(path, told) {
  const { ok, body } = await post(path);
  if (!ok) return refused(body, { stays: true });
  const not = body.boards.filter((each) => each.outcome !== "accepted");
  if (not.length) toast(not.map((each) => `${each.board}: ${refusalOf(each)}`).join("; "), { bad: true, stays: true });
  return toast(told({ n: body.boards.length - not.length, of: body.boards.length }));
}

function load() {
  const trouble = make("ul.faults");
  const take = async (body) => {
    trouble.replaceChildren();
    const { ok, body: told } = await post("/pairings", body);
    if (ok) return toast(text("round.loaded", { n: told.games.length }));
    if (told.faults) return trouble.append(...told.faults.map(faultOf));
    return refused(told, { stays: true });
  };
  const file = make("input", { type: "file", accept: ".csv,.txt,.tsv,text/csv", on: { change: async () => {
    if (file.files[0]) await take({ text: await file.files[0].text() });
    file.value = "";
  } } });
  return make(
    "section.load",
    {},
    make("h3", {}, text("round.load")),
    make("label.file", {}, text("round.file"), file),
    typed(take),
    trouble,
  );
}

function faultOf({ line, column, code, value }) {
  const where = text("pairing.where", { line, column: column || "—" });
  return make("li", {}, make("b", {}, where), ` ${text(`pairing.${code}`, { value })}`);
}

function typed(take) {
  const names = ["round", "board", "bastaushy", "qostaushy"];
  const inputs = names.map((name) =>
    make("input", { name, required: true, maxLength: 80, placeholder: text(`round.${name}`), type: name === "round" ? "number" : "text", min: 1, max: 99 }),
  );
  return make(
    "form.typed",
    { on: { submit: (event) => {
      event.preventDefault();
      take({ rows: [Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]))] });
    } } },
    ...inputs,
    make("button.plain", {}, text("round.add")),
  );
}

/** How far a game is, seen from its board and from the ledger. */
function standing(fixture, view) {
  const here = view?.state?.game === fixture.key ? view.state.phase : "";
  const late = here === "setting_up" || here === "ready";
  if (late) return make("td.how.late", {}, readiness(view));
  return make("td.how", {}, here ? textOf("phase", here) : textOf("standing", fixture.status));
}

async function accept(fixture, score) {
  const { ok, body } = await post(`/games/${encodeURIComponent(fixture.key)}/result`, { status: "official", score });
  if (!ok) refused(body, { stays: true });
}

/** Ask which result is official; a question of its own, so that forty rows are not forty lists to choose from. */
function settle(fixture) {
  // Nothing is chosen before somebody chooses: a careless tap makes no result official.
  const none = fixture.score === null ? [make("option", { value: "" }, "—")] : [];
  const score = make("select", { required: true }, ...none, ...SCORES.map((each) => make("option", { value: each, selected: fixture.score === each }, each)));
  ask(null, {
    where: [text("round.number", { n: fixture.round }), fixture.board].join(" · "),
    title: text("list.versus", { first: fixture.bastaushy, second: fixture.qostaushy }),
    fields: [field(text("console.score", { name: fixture.bastaushy }), score)],
    lines: fixture.score === null ? [] : [`${fixture.score}: ${textOf("standing", fixture.status)}`],
    run: () => accept(fixture, score.value),
  });
}

function row(fixture, view, open) {
  const official = fixture.status === "official" || fixture.status === "released";
  const told = [fixture.score ?? text("round.set"), official ? "✓" : ""].join(" ").trim();
  const press = make("button.plain.set", { disabled: !may("accept"), title: text("round.accept"), on: { click: () => settle(fixture) } }, told);
  const give = fixture.status === "planned" ? make("button.plain", { disabled: !may("pair"), on: { click: async () => {
    const { ok, body } = await post(`/games/${encodeURIComponent(fixture.key)}/assign`);
    if (!ok) refused(body, { stays: true });
  } } }, text("round.assign_one")) : null;
  return make(
    `tr.${fixture.status}`,
    { data: { game: fixture.key } },
    make("td.where", {}, make("button.link", { on: { click: () => open(fixture.board) } }, fixture.board)),
    make("td.name", {}, fixture.bastaushy),
    make("td.name", {}, fixture.qostaushy),
    standing(fixture, view),
    make("td.score", {}, give, press),
  );
}

const plainOf = (words) => words.toLocaleLowerCase(settings.language);

/** Where somebody looks for a board or a player; made once, so that the news of a board takes no letter away. */
function finder() {
  return make("input.find", { type: "search", maxLength: 80, autocapitalize: "none", placeholder: text("round.find"),
    aria: { label: text("round.find") }, on: { input: () => narrow(document) } });
}

/** Hide the rows that are not looked for; a part of the board's id or of a name is enough. */
function narrow(room) {
  const wanted = plainOf(finding.value.trim());
  let left = 0;
  for (const line of room.querySelectorAll("tr[data-game]")) {
    const [board, ...names] = [...line.querySelectorAll(".where, .name")].map((cell) => plainOf(cell.textContent));
    line.hidden = !(board.includes(wanted) || names.some((name) => name.includes(wanted)));
    left += line.hidden ? 0 : 1;
  }
  const none = room.querySelector(".none-found");
  if (none) none.hidden = left > 0;
}

/** The two buttons that are for all boards of a round, the one that is due in gold. */
function actions(shown, model) {
  if (!chosen) return [];
  const planned = shown.filter((game) => game.status === "planned").length;
  const here = shown.filter((game) => phaseOf(game, model));
  const ready = here.filter((game) => isSetUp(model.boards.get(game.board))).length;
  const begun = shown.filter((game) => ["playing", "suspended", "ended", "released"].includes(phaseOf(game, model))).length;
  const where = text("round.number", { n: chosen });
  const start = () => ask(null, {
    where,
    title: text("round.start", { n: ready }),
    lines: [text("round.not_ready", { n: shown.length - ready - begun })],
    danger: true,
    run: () => all(`/rounds/${chosen}/start`, (values) => text("round.started", values)),
  });
  const press = (words, primary, disabled, click) =>
    make(`button.offer${primary ? ".primary" : ".plain"}`, { disabled, on: { click } }, make("b", {}, words));
  return [
    make("div.offers", {},
      press(text("round.assign"), planned, !may("pair") || !planned,
        () => all(`/rounds/${chosen}/assign`, (values) => text("round.assigned", values))),
      press(text("round.start", { n: ready }), !planned && ready, !may("start") || !ready, start)),
  ];
}

/** The phase of the board that plays a game; empty where no board does. */
function phaseOf(game, model) {
  const state = model.boards.get(game.board)?.state;
  return state?.game === game.key ? state.phase : "";
}

/** Draw the page of a round. */
export function drawRound(room, model, open, redraw) {
  const numbers = model.rounds;
  if (!picked || !numbers.includes(chosen)) chosen = numbers.at(-1) ?? null;
  const shown = model.games.filter((game) => game.round === chosen);
  const order = new Intl.Collator(undefined, { numeric: true });
  shown.sort((one, two) => order.compare(one.board, two.board));
  const tabs = numbers.map((n) => make("button.quiet", { aria: { pressed: String(n === chosen) },
    on: { click: () => ((chosen = n), (picked = true), redraw()) } }, n ? text("round.number", { n }) : text("round.none")));
  room.replaceChildren(
    make("nav.rounds", {}, ...tabs),
    ...actions(shown, model),
    ...(shown.length > FEW ? [(finding ??= finder())] : []),
    shown.length
      ? make("table.games", {}, make("thead", {}, make("tr", {},
        ...["board", "bastaushy", "qostaushy", "state", "result"].map((head) => make("th", {}, text(`round.${head}`))))), make("tbody", {},
        ...shown.map((game) => row(game, model.boards.get(game.board), open))))
      : make("p.none", {}, text("round.empty")),
    make("p.none.none-found", { hidden: true }, text("round.none_found")),
    (loading ??= load()),
  );
  if (shown.length > FEW) narrow(room);
}
