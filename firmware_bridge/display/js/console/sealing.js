/**
 * A sealed move (2.8.2): the commitment that hides it, made on this device, so that nobody else ever hears the
 * move or the salt. The same as `rules.conduct.sealing` makes; browsers offer SHA-256 on secure pages only, and a
 * hall's page is none, so it stands here.
 */

const PURPOSE = "togyz sealed move 1\n";
const SALT_BYTES = 16;
const BLOCK = 64;
const GROUP = /(.{4})(?=.)/g;
const X_SIGNS = /[X\u0445\u0425]/g; // either alphabet, either case (1.6.2): an envelope does not say which

/** A salt that nobody can guess, as 32 hexadecimal digits. */
export const newSalt = () => hex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

/** A salt in groups of four, as it is written into the envelope. */
export const grouped = (salt) => salt.replace(GROUP, "$1 ");

/** A salt as somebody has typed it from the envelope. */
export const ungrouped = (typed) => typed.replace(/[^0-9a-f]/gi, "").toLowerCase();

/** A move as it is sealed and as it is opened: what hands write differently is written one way. */
export const plain = (move) => move.trim().replace(/\s+/g, " ").replace(X_SIGNS, "x");

/** The commitment to a move: 64 hexadecimal digits. */
export function sealOf(move, salt) {
  const words = new TextEncoder();
  const bytes = salt.match(/../g).map((pair) => parseInt(pair, 16));
  const length = [0, 0, 0, 0, 0, 0, 0, bytes.length];
  return hex(sha256([...words.encode(PURPOSE), ...length, ...bytes, ...words.encode(plain(move))]));
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The first 32 bits of the fractional parts of a root of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function fractions(count, root) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    if (Array.from({ length: number - 2 }, (_, index) => index + 2).some((part) => number % part === 0)) continue;
    found.push(((root(number) % 1) * 2 ** 32) | 0);
  }
  return found;
}

const ROUNDS = fractions(64, Math.cbrt);
const BEGIN = fractions(8, Math.sqrt);
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** SHA-256 of some bytes (FIPS 180-4, 6.2), as bytes. */
function sha256(message) {
  const padded = [...message, 0x80];
  while (padded.length % BLOCK !== BLOCK - 8) padded.push(0);
  const view = new DataView(new ArrayBuffer(padded.length + 8));
  padded.forEach((byte, index) => view.setUint8(index, byte));
  view.setUint32(padded.length + 4, message.length * 8);
  let state = BEGIN;
  for (let at = 0; at < view.byteLength; at += BLOCK) state = mixed(state, view, at);
  return state.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]);
}

function mixed(state, view, at) {
  const words = Array.from({ length: 16 }, (_, index) => view.getInt32(at + index * 4));
  for (let index = 16; index < 64; index += 1) {
    const [near, far] = [words[index - 2], words[index - 15]];
    const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    words.push((words[index - 16] + small + words[index - 7] + (turned(near, 17) ^ turned(near, 19) ^ (near >>> 10))) | 0);
  }
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, index) => {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[index] + word) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + state[index]) | 0);
}
