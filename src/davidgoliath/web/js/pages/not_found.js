// An address that isn't ours.

import { t } from "../base/texts.js";
import { nowhere } from "../ui/empty_states.js";

/** @type {import("../base/router.js").Page} */
export const page = { title: () => t("page.lost_headline"), view: () => nowhere(t("page.lost_sentence")) };
