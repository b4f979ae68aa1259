import type { Response } from 'express';
import { connectionStatusOf } from '../credentials/connection-status.ts';
import { connectionColumns } from '../credentials/connections.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { SignedInPerson } from '../identity/browser-sessions.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { toConsole } from './connected-page.ts';
import type { Connectable } from './find-connectable.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The connections of a person, newest first. @param after the id of the connection after which to go on */
export async function sendConnections(
  db: Db,
  res: Response,
  person: SignedInPerson,
  after: unknown,
): Promise<void> {
  const before = typeof after === 'string' && UUID.test(after) ? after : undefined;
  const rows = await findConnectionPage(db, person, before);
  const shown = rows.slice(0, PER_PAGE);
  const last = rows.length > PER_PAGE ? shown.at(-1)?.id : undefined;
  sendPage(res, {
    title: 'Your connections',
    body: html`${shown.length === 0 && html`<p class="quiet">You have connected nothing yet. Your applications give you links to do it.</p>`}
${shown.map(({ integration, ...connection }) => connectionHtml({ integration, connection }))}
${last && html`<p class="more"><a href="/connect?after=${last}">More connections</a></p>`}
${toConsole()}
<p class="more"><a href="/account">Your account</a></p>`,
  });
}

function connectionHtml({ integration, connection }: Connectable): Html {
  const { id, name } = integration;
  return html`<article class="row" aria-labelledby="connection-${id}">
<h2 id="connection-${id}">${name}</h2>
<p>${stateOf({ integration, connection })}</p>
<p><a href="/connect?integration=${id}" aria-describedby="connection-${id}">Connect again or disconnect</a></p>
</article>`;
}

function stateOf({ integration, connection }: Connectable): string {
  if (integration.archivedAt !== null) return 'The integration is archived';
  const { isConnected, reason } = connectionStatusOf(integration, connection);
  if (!isConnected || reason !== undefined) return 'No longer works: connect again';
  const name = connection?.displayName ?? null;
  return name === null ? 'Connected' : `Connected as ${name}`;
}

export const PER_PAGE = 20;

/**
 * A page of a person's connections, newest first, and one row more if there is another page. Reads no more
 * rows than that, however many connections there are.
 *
 * @param before the id of the last connection on the page before
 */
export function findConnectionPage(
  db: Db,
  { userId }: Pick<SignedInPerson, 'userId'>,
  before: string | undefined,
) {
  return db.connection.findMany({
    where: { userId: oneRangeOf(userId), ...(before === undefined ? {} : { id: { lt: before } }) },
    select: { ...connectionColumns, id: true, integration: true },
    orderBy: [{ userId: 'asc' }, { id: 'desc' }],
    take: PER_PAGE + 1,
  });
}
