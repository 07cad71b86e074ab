// Files that are made in the page.

/** Gives somebody a text as a file. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = "text/plain") {
  const file = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
