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
    const key = `${state.game} ${state.moves_from} ${state.moves}`;
    if (key === this.written) return;
    this.written = key;
    const moves = state.moves ? state.moves.split(" ") : [];
    const rows = [];
    for (let index = 0; index < moves.length; ) {
      const ply = state.moves_from + index;
      const row = document.createElement("li");
      row.append(cell("number", `${Math.ceil(ply / 2)}.`));
      if (ply % 2 === 0) row.append(cell("move", "…"));
      for (let next = ply; next === ply || next % 2 === 0; next += 1) {
        const move = moves[index];
        if (move === undefined) break;
        row.append(cell(`move ${next % 2 ? "bastaushy" : "qostaushy"}`, move, { ply: next }));
        index += 1;
        if (next % 2 === 0) break;
      }
      rows.push(row);
    }
    rows.at(-1)?.lastElementChild.classList.add("latest");
    this.list.replaceChildren(...rows);
    if (moves.length < 3) this.follows = true;
    this.toEnd();
  }
}
