/**
 * Wood, made of noise: one texture, computed once, laid on every part of the board.
 */

const SIZE = { width: 1024, height: 640 };

/** Smooth noise over a lattice of pseudo-random values. */
function lattice(seed) {
  const values = new Float32Array(65536);
  let state = seed >>> 0;
  for (let i = 0; i < values.length; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 4294967296;
  }
  const at = (x, y) => values[((y & 255) << 8) | (x & 255)];
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const u = x - left;
    const v = y - top;
    const su = u * u * (3 - 2 * u);
    const sv = v * v * (3 - 2 * v);
    const above = at(left, top) + su * (at(left + 1, top) - at(left, top));
    const below = at(left, top + 1) + su * (at(left + 1, top + 1) - at(left, top + 1));
    return above + sv * (below - above);
  };
}

/** How light the wood is at a point: growth rings, bent by slow noise, with fine fibres. */
function grain(noise, x, y) {
  const bend = noise(x * 0.0023, y * 0.016) * 1.5 + noise(x * 0.006 + 40, y * 0.05 + 9) * 0.45;
  const ring = 0.5 + 0.5 * Math.sin((y * 0.026 + bend) * 6.2832);
  const fibre = noise(x * 0.022, y * 0.95 + 77) * 0.6 + noise(x * 0.12, y * 1.9 + 31) * 0.4;
  const cloud = noise(x * 0.004 + 90, y * 0.012 + 60);
  return 0.34 * ring * ring + 0.4 * fibre + 0.32 * cloud;
}

/**
 * Compute the texture.
 *
 * @param {number[][]} tones three RGB colours from dark to light.
 * @returns {HTMLCanvasElement}
 */
export function woodTexture(tones, seed) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, SIZE);
  const context = canvas.getContext("2d");
  const image = context.createImageData(SIZE.width, SIZE.height);
  const noise = lattice(seed);
  const [dark, middle, light] = tones;
  let offset = 0;
  for (let y = 0; y < SIZE.height; y += 1) {
    for (let x = 0; x < SIZE.width; x += 1) {
      const value = Math.min(1, grain(noise, x, y)) * 2;
      const [from, to, mix] = value < 1 ? [dark, middle, value] : [middle, light, value - 1];
      for (let channel = 0; channel < 3; channel += 1) {
        image.data[offset + channel] = from[channel] + (to[channel] - from[channel]) * mix;
      }
      image.data[offset + 3] = 255;
      offset += 4;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
