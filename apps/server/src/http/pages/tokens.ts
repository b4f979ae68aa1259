/**
 * The values of the console (`apps/console/src/styles/tokens.css`) that pages use. A test compares the two: a page is
 * read before the console is built, and where it is not.
 */
export const tokens = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fafbfc, #0c0e12);
  --panel: light-dark(#ffffff, #13161c);
  --sunken: light-dark(#f3f5f8, #0f1217);
  --hover: light-dark(#f6f8fb, #181c24);
  --line: light-dark(#e5e8ee, #222732);
  --line-strong: light-dark(#c9cfd9, #363e4d);
  --edge: light-dark(#7c8496, #7d879c);
  --text: light-dark(#171a21, #e8ebf2);
  --text-2: light-dark(#525b6b, #a6aebd);
  --accent: light-dark(#2f5bd0, #8fb0ff);
  --accent-strong: light-dark(#2449ad, #b0c7ff);
  --on-accent: light-dark(#ffffff, #0d1733);
  --bad: light-dark(#b3261e, #ff9a90);
  --bad-soft: light-dark(#fdeeec, #2f191a);
  --shadow: 0 1px 2px light-dark(rgb(16 24 40 / 5%), transparent);
  --font: "Inter Variable", "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif;
  --mono: "JetBrains Mono Variable", ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
`;
