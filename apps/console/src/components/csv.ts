/** What spreadsheets take for the beginning of a formula, and characters before which they look for one. */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as RFC 4180 has it. A cell that a spreadsheet would run begins with an apostrophe. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
