import { type Request, type RequestHandler, type Response, Router } from 'express';
import { orFailure } from '../connect-forms/oauth-failure.ts';
import type { TakenAttempt } from '../credentials/connect/attempts.ts';
import { allowedReturnUrl } from '../credentials/connect/connect-links.ts';
import type { Finished } from '../credentials/connect/finish-connecting.ts';
import { UpstreamOauthError } from '../credentials/oauth/upstream-error.ts';
import { requestOf } from '../http/context.ts';
import { sendAway, sendOnward } from '../http/pages/form-target.ts';
import { safeReturnTo } from '../http/pages/return-to.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import { connectedPathOf } from './connected-page.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { type Ending, OVER_PATH } from './endings.ts';
import { connectRefusalOf, findConnectable } from './find-connectable.ts';
import type { NextStep } from './refusal-page.ts';

/** As in our client metadata: shared, and of an integration. */
export const CALLBACK_PATHS = ['/oauth/callback', '/oauth/callback/:integrationId'];

/**
 * `GET /oauth/callback/<integration id>`: the redirect URI at providers. It always leads on, since its address has the
 * provider's code.
 */
export function callbackPage(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(CALLBACK_PATHS, comeBack(deps));
  return router;
}

function comeBack(deps: ConnectPagesDeps): RequestHandler {
  const { sessions, flow, publicUrl, log } = deps;
  return async (req, res) => {
    const url = new URL(req.originalUrl, publicUrl);
    const person = await sessions.find(req.headers.cookie);
    const attempt = person && (await flow.take(req, person, url.searchParams.get('state') ?? ''));
    if (person === undefined || attempt === undefined) return res.redirect(303, OVER_PATH);
    const finished = await orFailure(
      flow.finish(actorInBrowser(person, requestOf(res)), attempt, url),
    );
    if (finished instanceof UpstreamOauthError) {
      const { integrationId } = attempt;
      const { code, provider } = finished;
      log.warn({ code, ...provider, integrationId }, 'an account was not connected');
      return endWith(deps, res, attempt, finished);
    }
    await answer(deps, req, res, { person, attempt, finished });
  };
}

interface Returned {
  readonly person: SignedInPerson;
  readonly attempt: TakenAttempt;
  readonly finished: Finished;
}

async function answer(
  deps: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, attempt, finished }: Returned,
): Promise<void> {
  switch (finished.kind) {
    case 'connected':
      await deps.validate(person, finished.integration.id);
      return sendConnected(deps, res, attempt, finished);
    case 'changed':
      return endWith(deps, res, attempt, 'changed');
    case 'client_gone':
      return beginAgain(deps, req, res, person, attempt);
  }
}

/** Retries once, with a newly registered client. */
async function beginAgain(
  deps: ConnectPagesDeps,
  req: Request,
  res: Response,
  person: SignedInPerson,
  attempt: TakenAttempt,
): Promise<void> {
  const { flow, store, log } = deps;
  const { integrationId, returnTo, isSecond } = attempt;
  if (isSecond) return endWith(deps, res, attempt, 'client_gone');
  const found = await findConnectable(store.db, person, integrationId);
  if (found === undefined || connectRefusalOf(found.integration) !== undefined) {
    return endWith(deps, res, attempt, 'changed');
  }
  const { integration } = found;
  const begin = async () => {
    const plan = await flow.plan(req, person, integration);
    const actor = actorInBrowser(person, requestOf(res));
    return flow.begin(req, res, { plan, actor, returnTo, isSecond: true });
  };
  const url = await orFailure(begin());
  if (url instanceof URL) return sendAway(res, url, 'Once more to the provider');
  if (url === undefined) return endWith(deps, res, attempt, 'changed');
  log.warn({ code: url.code, integrationId }, 'a provider cannot be used');
  endWith(deps, res, attempt, url);
}

/** Shows the step again: on the walk that the person came from, or else on the integration's own page. */
function tryAgain({ integrationId, returnTo }: TakenAttempt): NextStep {
  const href = ownPathOf(returnTo) ?? `/connect?integration=${integrationId}`;
  return { label: 'Try again', href };
}

/** A path of ours, which only our own pages note; undefined for anything else. */
function ownPathOf(returnTo: string | null): string | undefined {
  return returnTo !== null && safeReturnTo(returnTo) === returnTo ? returnTo : undefined;
}

function endWith(
  { endings }: ConnectPagesDeps,
  res: Response,
  attempt: TakenAttempt,
  reason: Ending['reason'],
): void {
  res.redirect(303, endings.pathOf(attempt.userId, { reason, next: tryAgain(attempt) }));
}

/** Continues with a page where the `form-action` of the provider's page can block a redirect: to other origins. */
function sendConnected(
  { returnOrigins }: ConnectPagesDeps,
  res: Response,
  { returnTo }: TakenAttempt,
  { integration }: Extract<Finished, { kind: 'connected' }>,
): void {
  const url = allowedReturnUrl(returnTo, returnOrigins);
  const path = ownPathOf(returnTo);
  if (path !== undefined) {
    sendOnward(res, 'Connected', path);
  } else if (url === undefined) {
    res.redirect(303, connectedPathOf(integration.id));
  } else {
    url.searchParams.set('connected', integration.id);
    sendAway(res, url, 'Connected');
  }
}
