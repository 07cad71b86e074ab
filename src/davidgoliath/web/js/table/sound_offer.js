// Sound is offered once, when there is a break, and never again.

import { h } from "../base/dom.js";
import { draw } from "../base/router.js";
import { keep, stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { button } from "../ui/pieces.js";
import * as sound from "./sound.js";

/** Whether it is this visit in which it is offered. */
let offering = false;

/** @param {boolean} wish */
function answer(wish) {
  offering = false;
  stored.settings.sound = wish;
  keep();
  if (wish) sound.won();
  draw();
}

/** The question, for whoever hasn't been asked and hears nothing yet. */
export function soundOffer() {
  if (!stored.soundOffered) {
    stored.soundOffered = true;
    offering = !stored.settings.sound;
    keep();
  }
  return (
    offering &&
    h(
      "p",
      { class: "sound-offer", key: "sound" },
      h("span", null, t("page.sound_offer")),
      button(t("page.sound_on"), () => answer(true), { key: "yes" }),
      button(t("page.sound_off"), () => answer(false), { key: "no", class: "plain" }),
    )
  );
}
