import { hash } from 'node:crypto';

/**
 * The one style sheet of all pages, inside of each. Colours meet WCAG 2.2 AA: text 4.5 to 1, borders of
 * fields and focus 3 to 1, light and dark.
 */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f3f4f7; --card: #ffffff; --text: #1a1f2b; --quiet: #565e6f; --line: #dfe2e9;
  --edge: #7c8496; --accent: #2f5bd0; --accent-strong: #2449ad; --on-accent: #ffffff;
  --danger: #b3261e; --danger-soft: #fdf0ef; --soft: #eef2fc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11141b; --card: #1a1f29; --text: #e9ecf3; --quiet: #a5adbf; --line: #2d3442;
    --edge: #7d879c; --accent: #8fb0ff; --accent-strong: #b0c7ff; --on-accent: #0f1a38;
    --danger: #ff9d94; --danger-soft: #331d1f; --soft: #202a40;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 24px 16px 40px;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 24px;
  background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
.brand { display: flex; align-items: center; gap: 10px; font-weight: 650; letter-spacing: 0.01em; }
.brand svg { width: 28px; height: 28px; color: var(--accent); }
.card {
  width: 100%; max-width: 440px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px;
  box-shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 12px 32px rgb(16 24 40 / 7%);
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 8px; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
h2 { margin: 32px 0 8px; padding-top: 24px; border-top: 1px solid var(--line); font-size: 1.0625rem; }
p { margin: 0 0 16px; }
.card > :last-child, form > :last-child { margin-bottom: 0; }
.quiet, .hint { color: var(--quiet); }
.hint { margin: 6px 0 0; font-size: 0.875rem; }
a { color: var(--accent); text-underline-offset: 3px; }
a:hover { color: var(--accent-strong); }
form { margin: 24px 0 0; }
form + form, button + button { margin-top: 12px; }
form + p { margin-top: 16px; }
.field { margin: 0 0 20px; }
label { display: block; margin: 0 0 6px; font-weight: 600; font-size: 0.9375rem; }
.field input, .field select, .field textarea {
  display: block; width: 100%; min-height: 46px; padding: 10px 12px; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 10px;
}
.field input:read-only { background: var(--page); }
.field [aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
.field-error { margin: 6px 0 0; color: var(--danger); font-size: 0.875rem; }
button, .button {
  display: block; width: 100%; min-height: 46px; padding: 10px 18px; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; border-radius: 10px;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent;
}
button:hover, .button:hover { color: var(--on-accent); background: var(--accent-strong); }
button.secondary, .button.secondary {
  color: var(--text); background: transparent; border-color: var(--edge);
}
button.secondary:hover, .button.secondary:hover { color: var(--text); background: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert, .notice { margin: 16px 0 0; padding: 12px 14px; border-radius: 10px; }
.alert { background: var(--danger-soft); border: 1px solid var(--danger); }
.alert p, .notice p { margin: 0; }
.notice { background: var(--soft); border: 1px solid var(--line); }
dl { margin: 16px 0 0; display: grid; grid-template-columns: auto 1fr; gap: 6px 20px; }
dt { color: var(--quiet); }
dd { margin: 0; }
ul { margin: 0 0 16px; padding-left: 20px; }
h3 { margin: 0 0 4px; font-size: 1rem; }
.grant { margin: 16px 0 0; padding: 16px; border: 1px solid var(--line); border-radius: 10px; }
.grant p { margin: 0 0 4px; }
.grant form { margin: 12px 0 0; }
.more { margin: 16px 0 0; }
@media (max-width: 420px) {
  body { padding: 20px 12px 32px; justify-content: flex-start; }
  .card { padding: 24px 20px; border-radius: 14px; }
  dl { grid-template-columns: 1fr; gap: 2px; }
  dd { margin-bottom: 8px; }
}
@media (forced-colors: active) { .card, button, .button { border: 1px solid; } }
`;

/** The source expression that lets a page's policy accept exactly this style (CSP 3, section 2.3.1). */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
