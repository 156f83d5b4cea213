/**
 * Which side of the picture belongs to whom: the only place that knows it.
 *
 * Pit indices 0..8 are bastaushy's pits 1..9, 9..17 qostaushy's. Every player counts his
 * pits from his own left, so the upper row runs from right to left.
 */

export const SIDES = ["bastaushy", "qostaushy"];

/**
 * In whose half of the board a player's kazan lies. On a real board it is the opponent's
 * (regulations 1.1.2); printed diagrams put it beside its owner: then say "own".
 */
export const KAZAN_HALF = { bastaushy: "opponent", qostaushy: "opponent" };

export const opponent = (side) => (side === SIDES[0] ? SIDES[1] : SIDES[0]);
export const sideOfPit = (index) => SIDES[index < 9 ? 0 : 1];
export const numberOfPit = (index) => (index % 9) + 1;
export const pitIndex = (side, number) => SIDES.indexOf(side) * 9 + number - 1;

/** The index of the pit that is a player's tuzdyk, or null. */
export function tuzdykIndex(side, number) {
  return number === null || number === undefined ? null : pitIndex(opponent(side), number);
}

/**
 * Who sits at the lower edge of the picture.
 *
 * @param {string|null} wish `a` or `b` names a seat of the real board (a camera's view),
 *   a side's name that side; anything else is bastaushy.
 * @param {string} starterSeat the seat of bastaushy, `a` or `b`.
 */
export function bottomSide(wish, starterSeat) {
  if (SIDES.includes(wish)) return wish;
  if (wish === "a" || wish === "b") return wish === starterSeat ? SIDES[0] : SIDES[1];
  return SIDES[0];
}

/**
 * Whose turn it is to the eye: the side whose clock runs, for a press hands the turn over before the
 * board has confirmed the move; without a running clock the position's. Null outside of play.
 */
export function onMove({ phase, clock, position }) {
  return phase === "playing" ? (clock?.running ?? position.to_move) : null;
}

/** Whether a side's kazan is drawn in the "top" or the "bottom" half. */
export function kazanHalf(side, bottom) {
  const owner = side === bottom ? "bottom" : "top";
  const other = owner === "bottom" ? "top" : "bottom";
  return KAZAN_HALF[side] === "opponent" ? other : owner;
}
