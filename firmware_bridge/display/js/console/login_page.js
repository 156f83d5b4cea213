/**
 * The login: sends name and password, and opens the console when they are right.
 */

import { offerLanguages } from "../languages.js";
import { fillTexts, text } from "../texts.js";

fillTexts();
offerLanguages();
const form = document.querySelector("form");
const trouble = form.querySelector(".trouble");
const button = form.querySelector("button");

function say(words) {
  trouble.textContent = words;
  trouble.hidden = !words;
}

async function enter() {
  const fields = new FormData(form);
  const answer = await fetch("/api/console/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: fields.get("name").trim(), password: fields.get("password") }),
  });
  if (answer.ok) {
    location.reload();
    return;
  }
  const { error, wait_s: wait = 60 } = await answer.json();
  if (error === "wait") say(text("login.wait", { n: wait }));
  else say(error === "wrong_password" ? text("login.wrong_password") : text("login.failed"));
  form.elements.password.select();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  say("");
  button.disabled = true;
  try {
    await enter();
  } catch {
    say(text("login.failed"));
  }
  button.disabled = false;
});
form.elements.name.focus();
