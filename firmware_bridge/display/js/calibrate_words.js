/**
 * What a calibration says, in words: places, what is wrong, what came of it.
 */

import { text, textOf } from "./texts.js";

const SEATS = ["a", "b"];

/** A place as it is said while calibrating: `a3`, or a kazan. */
export function placeName(place) {
  if (place >= 18) return text("calib.kazan", { seat: SEATS[place - 18] });
  return `${SEATS[Math.floor(place / 9)]}${(place % 9) + 1}`;
}

export const placesNamed = (places) => places.map(placeName).join(", ");

/** One thing that is wrong; what has no text shows its code. */
export function wrongLine({ code, places, values }) {
  if (!textOf("calibwrong", code)) return `${code}: ${placesNamed(places)}`;
  return text(`calibwrong.${code}`, { ...values, places: placesNamed(places) });
}

/** What is to be said of the cells, and on the whole. */
export function verdictLines({ channels, remarks, values }) {
  const spoken = channels.filter((row) => row.remarks.length);
  const lines = spoken.map((row) => {
    const told = row.remarks.map((code) => text(`calibremark.${code}`)).join("; ");
    return `${placeName(row.place)} (${row.channel}): ${told}`;
  });
  if (!spoken.length) lines.push(text("calib.all_good"));
  lines.push(text("calib.summary", values));
  return [...lines, ...remarks.map((code) => text(`calibremark.${code}`, values))];
}
