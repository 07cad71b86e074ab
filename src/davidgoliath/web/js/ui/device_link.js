// Going on with another device: the personal link, which is as good as the person. It is shown only on wish, and kept
// nowhere: the server makes it from the token by which this browser asks.

import { ask } from "../base/api.js";
import { h } from "../base/dom.js";
import { whatFailed } from "../base/person.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { rich, t } from "../base/texts.js";
import { copyLine } from "./clipboard.js";
import { trouble } from "./forms.js";
import { button } from "./pieces.js";

/** @type {import("../base/protocol").PersonalLink | null} */
let shown = null;
let failed = "";

/** The link of this browser's person. */
export function anotherDevice() {
  if (!stored.token) return null;
  return h(
    "section",
    { class: "box stack device", key: "device" },
    h("h2", null, t("page.device")),
    h("p", null, t("page.device_hint")),
    shown ? linkAndCode(shown) : button(t("page.device_show"), show),
    failed && trouble(failed),
  );
}

/** @param {import("../base/protocol").PersonalLink} made */
const linkAndCode = ({ link, reach, qr }) => [
  h(
    "div",
    { class: "ways-in" },
    h("img", { class: "qr", src: pictureOf(qr), width: 132, height: 132, alt: t("page.device_qr") }),
    h(
      "div",
      { class: "stack" },
      h("p", null, t("page.device_scan")),
      copyLine("personal", t("page.device_link"), link),
    ),
  ),
  reach === "computer" && h("p", { class: "warning" }, reachHint(reach)),
  h("p", { class: "warning" }, t("page.device_warning")),
  button(t("page.device_hide"), () => {
    hideDevice();
    draw();
  }),
];

/** Where a link works; a command stays in one piece. @param {import("../base/protocol").Reach} reach */
export const reachHint = (reach) => rich(`page.reach.${reach}`, { command: h("code", null, "play --lan") });

/** A picture that is nowhere but in the page. @param {string} svg */
const pictureOf = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

async function show() {
  failed = "";
  const { token } = stored;
  try {
    const made = await ask("POST /api/me/link");
    if (stored.token === token) shown = made;
  } catch (refused) {
    failed = whatFailed(refused);
  }
  draw();
}

/** Covers the link again. */
export function hideDevice() {
  shown = null;
  failed = "";
}
