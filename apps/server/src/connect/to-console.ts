import { type Html, html } from '../http/pages/html.ts';

/** From a page of one integration, or of all, to the same in the console. */
export function toConsole(integrationId?: string): Html {
  const query = integrationId === undefined ? '' : `?connect=${encodeURIComponent(integrationId)}`;
  return html`<p class="more"><a href="/console/connections${query}">My connections in the console</a></p>`;
}
