import type { Response } from 'express';
import { html } from './html.ts';
import { sendPage } from './send-page.ts';

/**
 * Goes on after a form to another path of ours, by a page instead of a redirect: what answers there may
 * redirect to other origins, and browsers would hold that to the `form-action` of the form's page.
 */
export function sendOnward(res: Response, title: string, path: string): void {
  sendPage(res, {
    title,
    refresh: path,
    body: html`<p>You are being taken on.</p>
<a class="button" href="${path}">Continue</a>`,
  });
}
