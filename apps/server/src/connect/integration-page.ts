import { type Request, type RequestHandler, type Response, Router } from 'express';
import { credentialInputs, whereItGoes } from '../connect-forms/credential-form.ts';
import {
  type CredentialRefusal,
  fittingRefusal,
  saveCredential,
} from '../connect-forms/save-credential.ts';
import { disconnect } from '../credentials/disconnect.ts';
import { requestOf } from '../http/context.ts';
import { errorSummary } from '../http/pages/fields.ts';
import type { FormFields } from '../http/pages/forms.ts';
import { html } from '../http/pages/html.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { connectedPathOf, sendConnectedPage, toConsole } from './connected-page.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { sendEnding } from './endings.ts';
import { type Connectable, connectRefusalOf, findConnectable } from './find-connectable.ts';
import { sendConnections } from './list-page.ts';
import {
  leaveForProvider,
  type OtherDecision,
  otherButtons,
  sendOauthPage,
  stateHtml,
} from './oauth-page.ts';
import { sendConnectRefusal } from './refusal-page.ts';

const PATH = '/connect';

const NOT_NOW: OtherDecision = { decision: 'cancel', label: 'Not now' };
const DISCONNECT: OtherDecision = { decision: 'disconnect', label: 'Disconnect' };

/**
 * `GET /connect?integration=<id>`: a person connects an integration, without a link, and disconnects it.
 * `GET /connect?connected=<id>` says that it works, `?ended=` why it does not. Without a parameter, a list of what they
 * have connected.
 */
export function integrationPage(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(PATH, show(deps));
  router.post(PATH, decide(deps));
  return router;
}

function show(deps: ConnectPagesDeps): RequestHandler {
  return async (req, res) => {
    const { integration, connected, ended } = req.query;
    const id = connected ?? integration;
    const person = await deps.sessions.find(req.headers.cookie);
    if (ended !== undefined) {
      const ending = person && deps.endings.read(person.userId, ended);
      return sendEnding(res, ending ?? { reason: 'attempt_over' });
    }
    if (person === undefined) {
      return sendToSignIn(res, typeof id === 'string' ? pathOf(id) : PATH);
    }
    if (id === undefined) return sendConnections(deps.store.db, res, person, req.query.after);
    const found = await requireConnectable(deps, person, id);
    if (connected !== undefined && sendConnectedPage(res, found)) return;
    await sendState(deps, req, res, { person, found });
  };
}

function decide(deps: ConnectPagesDeps): RequestHandler {
  const { sessions, forms, store } = deps;
  return async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    const form = await forms.read(req, person);
    if (person === undefined) return sendToSignIn(res, PATH);
    const found = await requireConnectable(deps, person, req.query.integration);
    const { integration } = found;
    if (form.get('decision') === 'cancel') return sendConnectRefusal(res, 'cancelled');
    if (form.get('decision') === 'disconnect') {
      const connection = { integrationId: integration.id, userId: person.userId };
      const actor = actorInBrowser(person, requestOf(res));
      await store.transaction((tx) => disconnect(tx, connection, actor));
      return sendConnectRefusal(res, 'disconnected');
    }
    const refusal = connectRefusalOf(integration);
    if (refusal !== undefined) return sendConnectRefusal(res, refusal);
    if (integration.authMode === 'user_token') return save(deps, req, res, { person, found, form });
    const action = pathOf(integration.id);
    const leaving = { person, integration, action, asked: form.get('asked'), returnTo: null };
    if (await leaveForProvider(deps, req, res, leaving)) return;
    const changed = await requireConnectable(deps, person, integration.id);
    await sendState(deps, req, res, { person, found: changed, isChanged: true });
  };
}

/** @throws ProblemError `not_found` also for an integration of another organization */
async function requireConnectable(
  { store }: ConnectPagesDeps,
  person: SignedInPerson,
  id: unknown,
): Promise<Connectable> {
  const found = typeof id === 'string' ? await findConnectable(store.db, person, id) : undefined;
  if (found !== undefined) return found;
  throw new ProblemError('not_found', 'There is no such integration.');
}

interface Shown {
  readonly person: SignedInPerson;
  readonly found: Connectable;
  readonly isChanged?: boolean;
  readonly refusal?: CredentialRefusal;
}

async function sendState(
  deps: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, found, isChanged = false, refusal }: Shown,
): Promise<void> {
  const { integration, connection } = found;
  const hindrance = connectRefusalOf(integration);
  if (hindrance !== undefined) return sendConnectRefusal(res, hindrance);
  const others = connection === undefined ? [NOT_NOW] : [NOT_NOW, DISCONNECT];
  const action = pathOf(integration.id);
  if (integration.authMode === 'oauth') {
    const page = { person, found, action, isChanged, back: undefined, formActions: [], others };
    return sendOauthPage(deps, req, res, { ...page, onward: toConsole(integration.id) });
  }
  sendPage(res, {
    status: refusal === undefined ? 200 : 400,
    title: `Connect ${integration.name}`,
    body: html`${stateHtml(found)}
${connection && html`<p>What you gave before is not shown. Enter it again only to replace it.</p>`}
<p class="quiet">${whereItGoes(integration)}</p>
${errorSummary(refusal?.message)}
<form method="post" action="${action}"${refusal && html` aria-describedby="error-summary"`}>
${deps.forms.field(req, res, person)}
${credentialInputs(integration, refusal)}
<button name="decision" value="save">${connection === undefined ? 'Save' : 'Replace'}</button>
${otherButtons(others)}
</form>
${toConsole(integration.id)}`,
  });
}

interface Saving {
  readonly person: SignedInPerson;
  readonly found: Connectable;
  readonly form: FormFields;
}

async function save(
  deps: ConnectPagesDeps,
  req: Request,
  res: Response,
  { person, found: { integration }, form }: Saving,
): Promise<void> {
  const actor = actorInBrowser(person, requestOf(res));
  const refusal = await saveCredential(deps, actor, integration, form);
  if (refusal === undefined) {
    await deps.validate(person, integration.id);
    return res.redirect(303, connectedPathOf(integration.id));
  }
  const found = await requireConnectable(deps, person, integration.id);
  const fitting = fittingRefusal(refusal, found.integration);
  await sendState(deps, req, res, { person, found, refusal: fitting });
}

function pathOf(integrationId: string): string {
  return `${PATH}?integration=${encodeURIComponent(integrationId)}`;
}
