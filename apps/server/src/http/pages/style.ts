import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleDirectory } from '../../platform/database/package-files.ts';

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

/** The fonts of the built console, as its style sheet names them. Without a build, the system's are used. */
function fontFaces(): string {
  const folder = consoleDirectory();
  if (folder === undefined) return '';
  const assets = join(folder, 'assets');
  return readdirSync(assets)
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) => readFileSync(join(assets, name), 'utf8').match(/@font-face\{[^}]*\}/g) ?? [])
    .join('\n');
}

/**
 * The one style sheet of all pages, inside of each. Colours meet WCAG 2.2 AA: text 4.5 to 1, borders of
 * fields and focus 3 to 1, light and dark. Fields have 16 px, below which phones zoom in.
 */
export const style = `${fontFaces()}${tokens}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 40px 16px;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px;
  background: var(--bg); color: var(--text);
  font: 14px/20px var(--font); font-feature-settings: "cv11", "ss03";
  -webkit-font-smoothing: antialiased;
}
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; }
.brand svg { width: 22px; height: 22px; color: var(--accent); }
.card {
  width: 100%; max-width: 440px; padding: 32px; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; box-shadow: var(--shadow);
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 8px; font-size: 20px; line-height: 28px; font-weight: 600; }
h2 { margin: 32px 0 8px; padding-top: 24px; border-top: 1px solid var(--line); }
h2, h3 { font-size: 14px; line-height: 20px; font-weight: 600; }
h3 { margin: 0; }
p { margin: 0 0 12px; }
strong { font-weight: 600; }
code { font: 13px/20px var(--mono); font-variant-ligatures: none; }
.card > :last-child, form > :last-child { margin-bottom: 0; }
.quiet, .hint { color: var(--text-2); }
.hint, .field-error { margin: 4px 0 0; font-size: 12px; line-height: 16px; }
.field-error { color: var(--bad); }
a { color: var(--accent); text-underline-offset: 3px; }
a:hover { color: var(--accent-strong); }
form, .notice + p, .alert + p { margin-top: 16px; }
form + p { margin-top: 12px; }
.field { margin: 0 0 16px; }
label { display: block; margin: 0 0 4px; font-weight: 500; }
.field input, .field select, .field textarea {
  display: block; width: 100%; min-height: 40px; padding: 8px 12px; font: inherit; font-size: 16px;
  color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 6px;
}
.field input:read-only { background: var(--sunken); }
.field [aria-invalid="true"] { border-color: var(--bad); }
button, .button {
  display: block; width: 100%; min-height: 40px; padding: 8px 16px; font: inherit; font-weight: 500;
  text-align: center; text-decoration: none; cursor: pointer; border-radius: 6px;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent;
}
* + button, * + .button { margin-top: 8px; }
button:hover, .button:hover { color: var(--on-accent); background: var(--accent-strong); }
button.secondary, .button.secondary {
  color: var(--text); background: var(--panel); border-color: var(--line-strong); box-shadow: var(--shadow);
}
button.secondary:hover, .button.secondary:hover { color: var(--text); background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert, .notice { margin: 16px 0; padding: 12px; border-radius: 6px; }
.alert { background: var(--bad-soft); }
.notice { background: var(--sunken); }
.alert p, .notice p { margin: 0; }
.alert p + p, .notice p + p { margin-top: 8px; }
dl { margin: 16px 0; display: grid; grid-template-columns: auto 1fr; gap: 4px 24px; }
dt { color: var(--text-2); }
dd { margin: 0; }
ul { margin: 0 0 12px; padding-left: 20px; }
.row { padding: 16px 0; }
.row + .row { border-top: 1px solid var(--line); }
.row h2 { margin: 0; padding: 0; border: 0; }
.row p { margin: 4px 0 0; }
.row form { margin-top: 12px; }
.row button { width: auto; }
.more { margin-top: 16px; }
@media (max-width: 420px) {
  body { padding: 24px 12px; justify-content: flex-start; }
  .card { padding: 24px 20px; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
}
@media (pointer: coarse) { button, .button, .field input, .field select { min-height: 44px; } }
@media (forced-colors: active) { .card, .alert, .notice, button, .button { border: 1px solid; } }
`;

/** The source expression that lets a page's policy accept exactly this style (CSP 3, section 2.3.1). */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
