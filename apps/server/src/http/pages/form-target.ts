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

/** Goes on after a form whose page has named the URL's source, or by a page where there is no notation for it. */
export function redirectAfterForm(res: Response, url: URL, title: string): void {
  if (formSourceOf(url) === undefined) sendAway(res, url, title);
  else res.redirect(303, url.href);
}

/**
 * Goes on by a page. The way here may have begun with a form of somebody else's page, whose
 * `form-action` holds for every redirect that follows.
 */
export function sendAway(res: Response, url: URL, title: string): void {
  sendPage(res, {
    title,
    refresh: url.href,
    body: html`<p>You are being taken to ${url.host}.</p>
<a class="button" href="${url.href}">Continue</a>`,
  });
}
