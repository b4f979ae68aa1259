import type { Response } from 'express';
import { Html, html } from './html.ts';
import { style, styleSource } from './style.ts';

/** As in the console, where a test finds the same file: `apps/console/src/shell/mark.svg`. */
export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f5bd0" stroke-width="2" stroke-linecap="round"><title>Gatehouse</title><path d="M4 21V9.500a8 8 0 0 1 16 0V21"/><path d="M9 21v-10a3 3 0 0 1 6 0v10"/></svg>
`;

/** The icon of a page, in the page itself. */
const ICON = `data:image/svg+xml,${encodeURIComponent(MARK)}`;

/** In the colour of the theme, and decoration: the name stands beside it. */
const mark = Html.fromSource(
  MARK.replace(/ xmlns="[^"]*"/, ' aria-hidden="true"')
    .replace(/ stroke="[^"]*"/, ' stroke="currentColor"')
    .replace(/<title>.*<\/title>/, '')
    .trim(),
);

export interface Page {
  /** Default 200. */
  readonly status?: number;
  /** The heading, and the beginning of the window's title. */
  readonly title: string;
  readonly body: Html;
  /**
   * Other origins that the response to this page's form may redirect to: browsers apply the page's
   * `form-action` to redirects too.
   */
  readonly formActions?: readonly string[];
  /**
   * Where the browser continues at once, regardless of `form-action`: one of our paths (see
   * `sendOnward`), or an app.
   */
  readonly refresh?: string;
}

const styleElement = Html.fromSource(`<style>${style}</style>`);

/** A page without scripts, which no other page may frame, and the headers that go with it. */
export function pageOf(page: Page): {
  readonly headers: Record<string, string>;
  readonly document: string;
} {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(page.formActions ?? []),
      'X-Frame-Options': 'DENY',
      'X-Content-Type-Options': 'nosniff',
      // Not `no-referrer`: with it browsers send `Origin: null` with a page's own forms (Fetch standard,
      // "append a request Origin header").
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
    document: String(documentOf(page)),
  };
}

export function sendPage(res: Response, page: Page): void {
  const { headers, document } = pageOf(page);
  res.status(page.status ?? 200);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.send(document);
}

function policyOf(formActions: readonly string[]): string {
  if (formActions.some((source) => !/^[\x21-\x7e]+$/.test(source) || /[;,']/.test(source))) {
    throw new TypeError('A source of form-action must be an origin or a scheme.');
  }
  return [
    "default-src 'none'",
    `style-src ${styleSource}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ['form-action', "'self'", ...formActions].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function documentOf({ title, body, refresh }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}">`}
<title>${title} – Gatehouse</title>
<link rel="icon" type="image/svg+xml" href="${ICON}">
${styleElement}
</head>
<body>
<header class="brand">${mark}<span>Gatehouse</span></header>
<main class="card">
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
