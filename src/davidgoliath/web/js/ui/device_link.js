// Going on with another device: the personal link, which is as good as the person. It is shown only on wish.

import { h } from "../base/dom.js";
import { linkTo } from "../base/personal_link.js";
import { draw } from "../base/router.js";
import { stored } from "../base/storage.js";
import { t } from "../base/texts.js";
import { copyLine } from "./clipboard.js";
import { button } from "./pieces.js";

let shown = false;

/** The link of this browser's person, at a server's address. @param {string} origin */
export function anotherDevice(origin) {
  if (!stored.token) return null;
  const link = linkTo(origin, stored.token);
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
      ? [
          copyLine("personal", t("page.device_link"), link),
          h("p", { class: "warning" }, t("page.device_warning")),
          button(t("page.device_hide"), () => show(false)),
        ]
      : button(t("page.device_show"), () => show(true)),
  );
}

/** Covers the link again. */
export function hideDevice() {
  shown = false;
}
