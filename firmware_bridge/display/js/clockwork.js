/**
 * What a clock shows between two messages. Pure: the time is an argument.
 */

const TENTHS_BELOW_MS = 20_000;
const SAME_MS = 120; // two views closer than this are the same clock, seen over a jittery network

/**
 * Begin to follow a clock.
 *
 * @param {object|null} clock `{running, remaining_ms, rate, flagged}` as of its sending; while a move's
 *   delay lasts also `delay_ms`, for which the running dial still stands.
 * @param {number} now milliseconds on any steady scale.
 * @param {object|null} before the face followed so far; keeps a running dial from twitching.
 */
export function follow(clock, now, before = null) {
  if (!clock) return null;
  const face = { ...clock, since: now };
  if (before && before.running && before.running === clock.running && before.rate === clock.rate) {
    const old = [0, 1].map((index) => remaining(before, index, now));
    const close = old.every((value, index) => Math.abs(value - clock.remaining_ms[index]) < SAME_MS * clock.rate);
    if (close) return { ...face, remaining_ms: old };
  }
  return face;
}

/** Milliseconds left on a dial (0 bastaushy's, 1 qostaushy's), never below zero. */
export function remaining(face, index, now) {
  const runs = face.running === (index === 0 ? "bastaushy" : "qostaushy");
  const gone = runs ? Math.max(0, (now - face.since) * face.rate - (face.delay_ms ?? 0)) : 0;
  return Math.max(0, face.remaining_ms[index] - gone);
}

/** Write a time as `1:02:03`, `9:59` or, below twenty seconds, `0:19.4`. */
export function spell(ms) {
  if (ms < TENTHS_BELOW_MS) {
    const tenths = Math.floor(ms / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}
