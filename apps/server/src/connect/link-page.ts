import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  allowedReturnUrl,
  type ConnectLink,
  findConnectLink,
  takeConnectLink,
} from '../credentials/connect/connect-links.ts';
import { requestOf } from '../http/context.ts';
import { formSourceOf, redirectAfterForm } from '../http/pages/form-target.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { connectRefusalOf, findConnectable } from './find-connectable.ts';
import { leaveForProvider, sendOauthPage } from './oauth-page.ts';
import { sendConnectRefusal } from './refusal-page.ts';

const PATH = '/connect/:secret';

/** `GET /connect/:secret` shows what a link is for and uses nothing up; its POST goes to the provider. */
export function linkPage(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(PATH, show(deps));
  router.post(PATH, decide(deps));
  return router;
}

type Handler = RequestHandler<{ secret: string }>;

function show(deps: ConnectPagesDeps): Handler {
  return async (req, res) => {
    const person = await deps.sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(res, req.path);
    const link = await findOwnLink(deps, res, person, req.params.secret);
    if (link !== undefined) await sendLinkPage(deps, req, res, { person, link });
  };
}

function decide(deps: ConnectPagesDeps): Handler {
  const { sessions, forms, store } = deps;
  return async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    const form = await forms.read(req, person);
    if (person === undefined) return sendToSignIn(res, req.path);
    const link = await findOwnLink(deps, res, person, req.params.secret);
    if (link === undefined) return;
    if (form.get('decision') === 'cancel') {
      const actor = actorInBrowser(person, requestOf(res));
      await store.transaction((tx) => takeConnectLink(tx, link, { actor, decision: 'cancel' }));
      const back = allowedReturnUrl(link.returnTo, deps.returnOrigins);
      if (back === undefined) return sendConnectRefusal(res, 'cancelled');
      return redirectAfterForm(res, back, 'Nothing was connected');
    }
    const found = await findConnectable(store.db, person, link.integrationId);
    const refusal = found === undefined ? 'link_over' : connectRefusalOf(found.integration);
    if (found === undefined || refusal !== undefined || found.integration.authMode !== 'oauth') {
      return sendConnectRefusal(res, refusal ?? 'link_over');
    }
    const asked = form.get('asked');
    const returnTo = allowedReturnUrl(link.returnTo, deps.returnOrigins)?.href ?? null;
    const { integration } = found;
    const action = req.path;
    const leaving = { person, integration, action, asked, returnTo, link };
    if (await leaveForProvider(deps, req, res, leaving)) return;
    const left = await findOwnLink(deps, res, person, req.params.secret);
    if (left === undefined) return;
    await sendLinkPage(deps, req, res, { person, link: left, isChanged: true });
  };
}

/** Answers the request itself when the link does not work for this person. */
async function findOwnLink(
  { store }: ConnectPagesDeps,
  res: Response,
  { userId }: SignedInPerson,
  secret: string,
): Promise<ConnectLink | undefined> {
  const link = await findConnectLink(store.db, secret);
  if (link === undefined) sendConnectRefusal(res, 'link_over');
  else if (link.userId === userId) return link;
  else sendConnectRefusal(res, 'link_of_another', { label: 'Your account', href: '/account' });
  return undefined;
}

interface LinkShown {
  readonly person: SignedInPerson;
  readonly link: ConnectLink;
  readonly isChanged?: boolean;
}

async function sendLinkPage(
  deps: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, link, isChanged = false }: LinkShown,
): Promise<void> {
  const found = await findConnectable(deps.store.db, person, link.integrationId);
  if (found === undefined) return sendConnectRefusal(res, 'link_over');
  const refusal = connectRefusalOf(found.integration);
  if (refusal !== undefined) return sendConnectRefusal(res, refusal);
  if (found.integration.authMode !== 'oauth') return sendConnectRefusal(res, 'link_over');
  const back = allowedReturnUrl(link.returnTo, deps.returnOrigins);
  const source = back && formSourceOf(back);
  await sendOauthPage(deps, req, res, {
    ...{ person, found, isChanged, action: req.path },
    back,
    formActions: source === undefined ? [] : [source],
    others: [{ decision: 'cancel', label: 'Not now' }],
  });
}
