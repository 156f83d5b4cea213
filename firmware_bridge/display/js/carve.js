/**
 * The still part of the board, painted on a canvas: wood, frame, frieze, hollows.
 * Repainted only when the room for the board changes.
 */

import { BUD, HORN, HORN_LEFT } from "./ornament.js";
import { woodTexture } from "./wood.js";

const WALNUT = [[38, 19, 10], [84, 46, 23], [128, 77, 40]];
const HONEY = [[112, 63, 28], [171, 107, 54], [214, 152, 88]];
const INLAY = "rgba(236, 199, 138, 0.62)";
const INLAY_SOFT = "rgba(236, 199, 138, 0.34)";

const textures = {};
const texture = (name, tones, seed) => (textures[name] ??= woodTexture(tones, seed));

/** Paint the board for a layout into a canvas of `scale` times `ratio` device pixels per unit. */
export function paintBoard(canvas, at, ratio) {
  const zoom = at.scale * ratio;
  canvas.width = Math.round(at.width * zoom);
  canvas.height = Math.round(at.height * zoom);
  const pen = canvas.getContext("2d");
  pen.scale(zoom, zoom);
  paintFrame(pen, at);
  paintField(pen, at);
  paintFrieze(pen, at);
  paintHinge(pen, at);
  for (const pit of at.pits) {
    hollow(pen, pit.cx, pit.cy, pit.w, pit.h, pit.w / 2);
    medallion(pen, pit.cx, pit.labelY, at.label);
  }
  for (const kazan of Object.values(at.kazans)) {
    hollow(pen, kazan.cx, kazan.cy, kazan.w, kazan.h, kazan.corner);
  }
}

function box(pen, x, y, w, h, radius) {
  pen.beginPath();
  pen.roundRect(x, y, w, h, radius);
}

function paintFrame(pen, at) {
  const { corner } = at;
  pen.save();
  box(pen, 0, 0, at.width, at.height, corner);
  pen.clip();
  pen.drawImage(texture("walnut", WALNUT, 7), 0, 0, at.width, at.height);
  const sheen = pen.createLinearGradient(0, 0, 0, at.height);
  sheen.addColorStop(0, "rgba(255, 214, 160, 0.20)");
  sheen.addColorStop(0.08, "rgba(255, 214, 160, 0.02)");
  sheen.addColorStop(0.92, "rgba(0, 0, 0, 0.10)");
  sheen.addColorStop(1, "rgba(0, 0, 0, 0.42)");
  pen.fillStyle = sheen;
  pen.fillRect(0, 0, at.width, at.height);
  pen.restore();
  pen.lineWidth = 3;
  pen.strokeStyle = "rgba(255, 224, 176, 0.22)";
  box(pen, 2, 2, at.width - 4, at.height - 4, corner - 2);
  pen.stroke();
}

function paintField(pen, at) {
  const inset = at.frame;
  const w = at.width - 2 * inset;
  const h = at.height - 2 * inset;
  pen.save();
  box(pen, inset, inset, w, h, 16);
  pen.clip();
  pen.drawImage(texture("honey", HONEY, 23), inset, inset, w, h);
  const light = pen.createRadialGradient(at.width / 2, at.height * 0.42, 80, at.width / 2, at.height / 2, at.width * 0.62);
  light.addColorStop(0, "rgba(255, 226, 170, 0.20)");
  light.addColorStop(0.6, "rgba(60, 26, 6, 0.06)");
  light.addColorStop(1, "rgba(30, 10, 0, 0.50)");
  pen.fillStyle = light;
  pen.fillRect(inset, inset, w, h);
  pen.shadowColor = "rgba(0, 0, 0, 0.75)";
  pen.shadowBlur = 26;
  pen.lineWidth = 22;
  pen.strokeStyle = "rgba(20, 8, 2, 0.9)";
  box(pen, inset - 11, inset - 11, w + 22, h + 22, 26);
  pen.stroke();
  pen.restore();
  pen.lineWidth = 2.5;
  pen.strokeStyle = INLAY;
  box(pen, inset - 5, inset - 5, w + 10, h + 10, 19);
  pen.stroke();
}

/** The frieze of horns, inlaid into the frame, standing outwards on every side. */
function paintFrieze(pen, at) {
  const room = at.frame - 16;
  const scale = room / 84;
  const step = 118 * scale;
  const sides = [
    [at.width, 0, at.frame - 8, 0],
    [at.height, Math.PI / 2, at.width - at.frame + 8, 1],
    [at.width, Math.PI, at.height - at.frame + 8, 2],
    [at.height, -Math.PI / 2, at.frame - 8, 3],
  ];
  for (const [length, turn, offset, side] of sides) {
    const start = at.frame + step * 0.28;
    const free = length - 2 * start;
    const count = Math.max(3, Math.floor(free / step));
    for (let i = 0; i < count; i += 1) {
      const along = start + (free * (i + 0.5)) / count;
      pen.save();
      if (side % 2) pen.translate(offset, along);
      else pen.translate(along, offset);
      pen.rotate(turn);
      pen.scale(scale, scale);
      drawHorns(pen, INLAY);
      pen.restore();
    }
  }
  paintCorners(pen, at, scale);
}

function paintCorners(pen, at, scale) {
  const near = at.frame - 8;
  for (const [x, y, turn] of [
    [near, near, -45], [at.width - near, near, 45],
    [at.width - near, at.height - near, 135], [near, at.height - near, 225],
  ]) {
    pen.save();
    pen.translate(x, y);
    pen.rotate((turn * Math.PI) / 180);
    pen.scale(scale * 1.05, scale * 1.05);
    drawHorns(pen, INLAY);
    pen.restore();
  }
}

function drawHorns(pen, colour) {
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineCap = "round";
  pen.lineWidth = 8.5;
  pen.stroke(new Path2D(HORN));
  pen.stroke(new Path2D(HORN_LEFT));
  pen.fill(new Path2D(BUD));
}

/** The line between the halves, with a small ornament in its middle. */
function paintHinge(pen, at) {
  const y = at.height / 2;
  const reach = at.width / 2 - at.frame - 30;
  pen.lineWidth = 2;
  pen.strokeStyle = INLAY_SOFT;
  for (const side of [-1, 1]) {
    pen.beginPath();
    pen.moveTo(at.width / 2 + side * 46, y);
    pen.lineTo(at.width / 2 + side * reach, y);
    pen.stroke();
  }
  for (const turn of [90, -90]) {
    pen.save();
    pen.translate(at.width / 2, y);
    pen.rotate((turn * Math.PI) / 180);
    pen.scale((at.middle - 4) / 112, (at.middle - 4) / 84);
    drawHorns(pen, INLAY);
    pen.restore();
  }
}

/** A small plate of dark wood let into the light one, on which a pit's number can be read from afar. */
function medallion(pen, cx, cy, room) {
  const h = room - 8;
  const w = h * 1.5;
  box(pen, cx - w / 2, cy - h / 2, w, h, h / 2);
  pen.fillStyle = "#27130a";
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = INLAY_SOFT;
  pen.stroke();
}

/** A hollow carved into the wood: dark, with the shadow of its upper edge and a lit lower lip. */
function hollow(pen, cx, cy, w, h, radius) {
  const x = cx - w / 2;
  const y = cy - h / 2;
  pen.save();
  box(pen, x, y, w, h, radius);
  pen.clip();
  const depth = pen.createLinearGradient(x, y, x, y + h);
  depth.addColorStop(0, "#1c0d06");
  depth.addColorStop(0.35, "#32190c");
  depth.addColorStop(1, "#542d15");
  pen.fillStyle = depth;
  pen.fillRect(x, y, w, h);
  pen.globalAlpha = 0.22;
  pen.drawImage(texture("walnut", WALNUT, 7), 0, 0, 1024, 640, x, y, Math.max(w, h), Math.max(w, h));
  pen.globalAlpha = 1;
  pen.shadowColor = "rgba(0, 0, 0, 0.95)";
  pen.shadowBlur = 30;
  pen.shadowOffsetY = 14;
  pen.lineWidth = 20;
  pen.strokeStyle = "#0c0502";
  box(pen, x - 10, y - 10, w + 20, h + 20, radius + 10);
  pen.stroke();
  pen.restore();
  rim(pen, x, y, w, h, radius);
}

function rim(pen, x, y, w, h, radius) {
  const edge = pen.createLinearGradient(x, y, x, y + h);
  edge.addColorStop(0, "rgba(20, 6, 0, 0.85)");
  edge.addColorStop(0.5, "rgba(90, 46, 16, 0.35)");
  edge.addColorStop(1, "rgba(255, 218, 160, 0.62)");
  pen.lineWidth = 3;
  pen.strokeStyle = edge;
  box(pen, x - 0.5, y - 0.5, w + 1, h + 1, radius);
  pen.stroke();
}
