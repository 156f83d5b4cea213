/**
 * The score sheet: numbered pairs in the official short notation, the newest in sight.
 */

const NEAR_END_PX = 60;

function cell(name, words, data = {}) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = words;
  Object.assign(element.dataset, data);
  return element;
}

export class Moves {
  /** @param {HTMLElement} list an `<ol>`. */
  constructor(list) {
    this.list = list;
    this.written = null;
    this.follows = true;
    list.addEventListener("scroll", () => {
      if (list.clientHeight !== this.height) return; // the list was resized, nobody scrolled
      this.follows = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    });
    new ResizeObserver(() => this.toEnd()).observe(list);
  }

  /** Keep the newest move in sight, unless somebody is reading further up. */
  toEnd() {
    this.height = this.list.clientHeight;
    if (this.follows) this.list.scrollTop = this.list.scrollHeight;
  }

  show(state) {
    const again = state.again ?? []; // moves that leave the other player's place empty
    const key = `${state.game} ${state.moves_from} ${again} ${state.moves}`;
    if (key === this.written) return;
    this.written = key;
    const moves = state.moves ? state.moves.split(" ") : [];
    const rows = [];
    let before = 0;
    for (const [index, move] of moves.entries()) {
      const ply = state.moves_from + index;
      const turn = ply + again.filter((number) => number <= ply).length; // odd: bastaushy's
      if (turn % 2 || turn !== before + 1 || !rows.length) {
        rows.push(document.createElement("li"));
        rows.at(-1).append(cell("number", `${Math.ceil(turn / 2)}.`));
        if (turn % 2 === 0) rows.at(-1).append(cell("move", "…"));
      }
      rows.at(-1).append(cell(`move ${turn % 2 ? "bastaushy" : "qostaushy"}`, move, { ply }));
      before = turn;
    }
    rows.at(-1)?.lastElementChild.classList.add("latest");
    this.list.replaceChildren(...rows);
    if (moves.length < 3) this.follows = true;
    this.toEnd();
  }
}
