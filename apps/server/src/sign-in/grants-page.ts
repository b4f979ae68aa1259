import { type RequestHandler, Router } from 'express';
import { requestOf } from '../http/context.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { PersonActor } from '../identity/actor.ts';
import { actorInBrowser } from '../identity/browser-sessions.ts';
import { endGrant } from '../identity/grants/end-grant.ts';
import {
  describeGrants,
  type GrantDescription,
  listGrants,
} from '../identity/grants/list-grants.ts';
import type { Db, Store } from '../platform/database/store.ts';
import { revokeSessionsOfToken } from '../sessions/revocation.ts';
import type { SignInDeps } from './deps.ts';

const PER_PAGE = 20;

/** Some of the grants of a person, newest first. */
export interface GrantsShown {
  readonly grants: readonly GrantDescription[];
  /** After which there are more. */
  readonly last: string | undefined;
}

/** @param before the id of the grant after which to go on */
export async function findGrantsShown(
  db: Db,
  userId: string,
  before?: string,
): Promise<GrantsShown> {
  const found = await listGrants(db, userId, { before, take: PER_PAGE + 1 });
  const rows = found.slice(0, PER_PAGE);
  const last = found.length > PER_PAGE ? rows.at(-1)?.id : undefined;
  return { grants: await describeGrants(db, rows), last };
}

/** @param formField the hidden field that each of its forms needs @param level of its headings */
export function grantsHtml({ grants, last }: GrantsShown, formField: Html, level: 2 | 3): Html {
  if (grants.length === 0) return html`<p class="quiet">No application works for you.</p>`;
  return html`${grants.map((grant) => grantHtml(grant, formField, level))}
${last && html`<p class="more"><a href="/account/grants?before=${last}">More applications</a></p>`}`;
}

function grantHtml(grant: GrantDescription, formField: Html, level: 2 | 3): Html {
  const { id, applicationName, clientName, isConsole, createdAt, lastUsedAt } = grant;
  const name = clientName ?? applicationName;
  return html`<article class="row" aria-labelledby="grant-${id}">
<h${level} id="grant-${id}">${name}</h${level}>
${clientName && html`<p class="quiet">${isConsole ? 'It' : 'It gave itself this name, and'} uses the integrations of ${applicationName}.</p>`}
<p>${usesOf(grant)}</p>
<p class="quiet">Since ${dateHtml(createdAt)}, ${lastUsedAt === null ? 'not used yet' : html`last used on ${dateHtml(lastUsedAt)}`}</p>
<form method="post" action="/account/grants/${id}/end">${formField}<button class="secondary" aria-describedby="grant-${id}">End</button></form>
</article>`;
}

function usesOf({ integrationNames, moreIntegrations, scopes }: GrantDescription): string {
  const parts = [...integrationNames];
  if (moreIntegrations > 0) parts.push(`${moreIntegrations} more`);
  if (scopes.includes('management:write')) parts.push('changes settings of this Gatehouse');
  else if (scopes.includes('management:read')) parts.push('sees settings of this Gatehouse');
  return parts.length === 0 ? 'Uses nothing at present' : `Uses: ${parts.join(', ')}`;
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dateHtml(date: Date): Html {
  return html`<time datetime="${date.toISOString()}">${dates.format(date)}</time>`;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `GET /account/grants`: the grants that do not fit on the account page. `POST /account/grants/:id/end`.
 */
export function grantsPage(deps: SignInDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get('/account/grants', show(deps));
  router.post('/account/grants/:id/end', end(deps));
  return router;
}

function show({ sessions, forms, store }: SignInDeps): RequestHandler {
  return async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(res, '/account/grants');
    const { before } = req.query;
    const after = typeof before === 'string' && UUID.test(before) ? before : undefined;
    const shown = await findGrantsShown(store.db, person.userId, after);
    sendPage(res, {
      title: 'Applications that work for you',
      body: html`${grantsHtml(shown, forms.field(req, res, person), 2)}
<p class="more"><a href="/account">Your account</a></p>`,
    });
  };
}

function end({ sessions, forms, store }: SignInDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(res, '/account');
    await forms.read(req, person);
    const { id } = req.params;
    if (UUID.test(id)) await endOwnGrant(store, actorInBrowser(person, requestOf(res)), id);
    res.redirect(303, '/account');
  };
}

/** Does nothing for a grant that has ended or belongs to another person. */
async function endOwnGrant(store: Store, actor: PersonActor, id: string): Promise<void> {
  const { organizationId, userId } = actor;
  await store.transaction(async (tx) => {
    const isEnded = await endGrant(tx, { organizationId, userId }, id, actor);
    if (isEnded) await revokeSessionsOfToken(tx, id);
  });
}
