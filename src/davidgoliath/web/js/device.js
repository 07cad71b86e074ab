// Going on with another device: the personal link, which is as good as the person. It is shown only on wish.

import { copyLine } from "./copying.js";
import { h } from "./dom.js";
import { linkTo } from "./mylink.js";
import { own } from "./own.js";
import { button } from "./pieces.js";
import { draw } from "./router.js";
import { t } from "./texts.js";

let shown = false;

/** The link of this browser's person, at a server's address. @param {string} origin */
export function anotherDevice(origin) {
  if (!own.token) return null;
  const link = linkTo(origin, own.token);
  /** @param {boolean} wish */
  const show = (wish) => {
    shown = wish;
    draw();
  };
  return h(
    "section",
    { class: "box stack device", key: "device" },
    h("h2", null, t("page.device")),
    h("p", null, t("page.device_hint")),
    shown
      ? [copyLine("personal", t("page.device_link"), link), h("p", { class: "warning" }, t("page.device_warning")), button(t("page.device_hide"), () => show(false))]
      : button(t("page.device_show"), () => show(true)),
  );
}

/** Covers the link again. */
export function hideDevice() {
  shown = false;
}
