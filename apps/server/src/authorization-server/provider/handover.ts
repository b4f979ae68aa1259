import type { KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../../http/pages/html.ts';
import { pageOf } from '../../http/pages/send-page.ts';

/** Whether a response sends the browser to an installed app, by a private-use scheme (RFC 8252 section 7.1). */
export function leadsToAnApp({ status, response }: KoaContextWithOIDC): boolean {
  const location = response.get('Location');
  return (status === 302 || status === 303) && location !== '' && !/^(https?:|\/)/.test(location);
}

/** A page instead of that redirect: the browser stays where it is, and must not go on showing the question. */
export function sendHandover(ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get('Location');
  const { headers, document } = pageOf({
    title: 'You can close this window',
    refresh: location,
    body: html`<p>Your app goes on by itself. If it does not, your browser may have asked whether it may open it.</p>
<a class="button" href="${location}">Open the app</a>`,
  });
  ctx.status = 200;
  ctx.remove('Location');
  ctx.set(headers);
  ctx.body = document;
}
