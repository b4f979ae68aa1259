import type { Response } from 'express';
import { html } from './html.ts';
import { sendPage } from './send-page.ts';

/**
 * The source with which a page's `form-action` lets a redirect to this URL through (CSP 3 section
 * 2.3.1); undefined where that has no notation for it.
 */
export function formSourceOf({ protocol, origin, hostname }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return protocol;
  // CSP has no notation for IPv6 addresses.
  return hostname.startsWith('[') ? undefined : origin;
}

/**
 * Redirects after a form if its page named the URL's source, or continues with a page where there is no
 * notation for it.
 */
export function redirectAfterForm(res: Response, url: URL, title: string): void {
  if (formSourceOf(url) === undefined) sendAway(res, url, title);
  else res.redirect(303, url.href);
}

/**
 * Continues with a page. A form of another site's page may have led here, and its `form-action` applies
 * to every redirect after it.
 */
export function sendAway(res: Response, url: URL, title: string): void {
  sendPage(res, {
    title,
    refresh: url.href,
    body: html`<p>You are being taken to ${url.host}.</p>
<a class="button" href="${url.href}">Continue</a>`,
  });
}

/**
 * Continues after a form to another of our paths with a page, not a redirect: that path may redirect to
 * other origins, and browsers would apply the `form-action` of the form's page.
 */
export function sendOnward(res: Response, title: string, path: string): void {
  sendPage(res, {
    title,
    refresh: path,
    body: html`<p>You are being taken on.</p>
<a class="button" href="${path}">Continue</a>`,
  });
}
