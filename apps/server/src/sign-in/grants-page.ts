import { type RequestHandler, Router } from 'express';
import { requestOf } from '../http/context.ts';
import { html } from '../http/pages/html.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import type { PersonActor } from '../identity/actor.ts';
import { actorInBrowser } from '../identity/browser-sessions.ts';
import { endGrant } from '../identity/grants/end-grant.ts';
import type { Store } from '../platform/database/store.ts';
import { revokeSessionsOfToken } from '../sessions/revocation.ts';
import type { SignInDeps } from './deps.ts';
import { findGrantsShown, grantsHtml } from './grants-section.ts';

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
