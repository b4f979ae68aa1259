import type { Response } from 'express';
import { connectionStatusOf } from '../credentials/connection-status.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { Connectable } from './find-connectable.ts';

/** From a page of one integration, or of all, to the same in the console. */
export function toConsole(integrationId?: string): Html {
  const query = integrationId === undefined ? '' : `?connect=${encodeURIComponent(integrationId)}`;
  return html`<p class="more"><a href="/console/connections${query}">My connections in the console</a></p>`;
}

/** The last page: the one before it may have a code in its address, or a form. */
export function connectedPathOf(integrationId: string): string {
  return `/connect?connected=${integrationId}`;
}

/** @returns false, with nothing answered, where the connection does not work */
export function sendConnectedPage(
  res: Response,
  { integration, connection }: Connectable,
): boolean {
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  if (!isConnected || reason !== undefined) return false;
  const displayName = connection?.displayName ?? null;
  sendPage(res, {
    title: displayName === null ? 'Connected' : `Connected as ${displayName}`,
    body: html`<p>${integration.name} now works for you. You can go back to your application and close this window.</p>
<a class="button secondary" href="/connect">Your connections</a>
${toConsole(integration.id)}`,
  });
  return true;
}
