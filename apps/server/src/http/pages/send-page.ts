import type { ProblemCode } from '@gatehouse/contract';
import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { contextOf } from '../context.ts';
import { problemResponse, toProblem } from '../problem-response.ts';
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
   * The address at which the browser continues at once, regardless of `form-action`: one of our paths (see
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

const TITLES: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'You are not signed in',
  forbidden: 'That did not work',
  origin_not_allowed: 'That did not work',
  host_not_allowed: 'This address is not the right one',
  not_found: 'There is nothing here',
  method_not_allowed: 'There is nothing here',
  rate_limited: 'Too many attempts',
  overloaded: 'Too busy at the moment',
  database_unavailable: 'Not available at the moment',
  internal_error: 'Something went wrong',
};

/** Answers for pages as `handleError` does for the API: with a page that says what to do next. */
export function handlePageError(log: Logger, publicUrl: string): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const { requestId } = contextOf(res);
    const problem = toProblem(thrown);
    if (problem.code === 'internal_error') log.error({ requestId, err: thrown }, 'request failed');
    for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
    const { status } = problemResponse(problem, requestId, req.originalUrl);
    sendPage(res, {
      status,
      title: TITLES[problem.code] ?? 'That did not work',
      body: html`<p>${problem.message}</p>
${problem.code === 'origin_not_allowed' && html`<p>The address of this Gatehouse is ${publicUrl}.</p>`}
${status >= 500 && html`<p class="quiet">If it stays like this, tell an operator of this Gatehouse the number ${requestId}.</p>`}
<a class="button secondary" href="${publicUrl}/account">Go to your account</a>`,
    });
  };
}
