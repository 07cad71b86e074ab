// The table: what the server says, shown, and what people want, said.

import { h } from "./dom.js";

/** @type {import("./router.js").Page} */
export const tablePage = { view: () => h("main", null, "…") };
