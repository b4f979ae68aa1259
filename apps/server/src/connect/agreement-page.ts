import { idParamSchema } from '@gatehouse/contract';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { connectUrlOf, consentUrlOf } from '../credentials/connect/connect-url.ts';
import { requestOf } from '../http/context.ts';
import { type Html, html } from '../http/pages/html.ts';
import { sendToSignIn } from '../http/pages/return-to.ts';
import { sendPage } from '../http/pages/send-page.ts';
import { actorInBrowser, type SignedInPerson } from '../identity/browser-sessions.ts';
import {
  type ExtendableGrant,
  type Extension,
  extendGrant,
  findExtendableGrant,
} from '../identity/grants/extend-grant.ts';
import { connectedPathOf } from './connected-page.ts';
import type { ConnectPagesDeps } from './deps.ts';
import { type Connectable, connectRefusalOf, findConnectable } from './find-connectable.ts';
import { sendConnectRefusal } from './refusal-page.ts';

const PATH = '/connect';

/**
 * `GET /connect?integration=<id>&grant=<id>`: a person lets a client that works for them use one more integration, which
 * was attached after they had agreed. It goes on to connecting, where there is no connection yet.
 */
export function agreementPage(deps: ConnectPagesDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router.get(PATH, ofGrants(show(deps)));
  router.post(PATH, ofGrants(decide(deps)));
  return router;
}

/** Leaves requests without a grant to the page of the integration. */
function ofGrants(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.query.grant === undefined) next();
    else return handler(req, res, next);
  };
}

function show(deps: ConnectPagesDeps): RequestHandler {
  return async (req, res) => {
    const asked = askedIn(req);
    const person = await deps.sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(res, asked === undefined ? PATH : pathOf(asked));
    const agreement = asked && (await findAgreement(deps, person, asked));
    if (agreement === undefined) return sendConnectRefusal(res, 'grant_over');
    const { found, grant } = agreement;
    const hindrance = connectRefusalOf(found.integration);
    if (hindrance !== undefined) return sendConnectRefusal(res, hindrance);
    if (grant.isCovered) return res.redirect(303, connectedPathOf(found.integration.id));
    sendAgreement(deps, req, res, person, agreement);
  };
}

function decide(deps: ConnectPagesDeps): RequestHandler {
  const { sessions, forms, store, publicUrl } = deps;
  return async (req, res) => {
    const asked = askedIn(req);
    const person = await sessions.find(req.headers.cookie);
    const form = await forms.read(req, person);
    if (person === undefined) return sendToSignIn(res, PATH);
    if (asked === undefined) return sendConnectRefusal(res, 'grant_over');
    if (form.get('decision') !== 'allow') return sendConnectRefusal(res, 'not_agreed');
    const actor = actorInBrowser(person, requestOf(res));
    const extension = extensionOf(person, asked);
    await store.transaction((tx) => extendGrant(tx, publicUrl, extension, actor));
    // That page says what has become of it.
    res.redirect(303, pathOf(asked));
  };
}

/** What a link names. */
interface Asked {
  readonly integrationId: string;
  readonly grantId: string;
}

function askedIn({ query }: Request): Asked | undefined {
  const integration = idParamSchema.safeParse(query.integration);
  const grant = idParamSchema.safeParse(query.grant);
  if (!integration.success || !grant.success) return undefined;
  return { integrationId: integration.data, grantId: grant.data };
}

function pathOf({ integrationId, grantId }: Asked): string {
  return consentUrlOf(connectUrlOf('', integrationId), grantId);
}

function extensionOf({ organizationId, userId }: SignedInPerson, asked: Asked): Extension {
  return { organizationId, userId, ...asked };
}

interface Agreement {
  readonly asked: Asked;
  readonly found: Connectable;
  readonly grant: ExtendableGrant;
}

async function findAgreement(
  { store: { db }, publicUrl }: ConnectPagesDeps,
  person: SignedInPerson,
  asked: Asked,
): Promise<Agreement | undefined> {
  const grant = await findExtendableGrant(db, publicUrl, extensionOf(person, asked));
  const found = grant && (await findConnectable(db, person, asked.integrationId));
  return found && { asked, found, grant };
}

function sendAgreement(
  { forms }: ConnectPagesDeps,
  req: Request,
  res: Response,
  person: SignedInPerson,
  { asked, found: { integration, connection }, grant }: Agreement,
): void {
  const { applicationName, clientName } = grant;
  const client = clientName ?? applicationName;
  const { name } = integration;
  sendPage(res, {
    title: `Let ${client} use ${name}?`,
    body: html`<p><strong>${client}</strong> works for you already. You are signed in as ${person.name} (${person.email}).</p>
${clientName !== null && unverified(applicationName)}
<p>After you had let it in, <strong>${name}</strong> was added to ${applicationName}. If you allow it, ${client} uses ${name} with your own account${connection === undefined && ', which you connect next'}. You can take everything back at any time on <a href="/account">your account page</a>.</p>
<form method="post" action="${pathOf(asked)}">
${forms.field(req, res, person)}
<button class="button" name="decision" value="allow">Allow</button>
<button class="button secondary" name="decision" value="deny">Do not allow</button>
</form>`,
  });
}

function unverified(applicationName: string): Html {
  return html`<div class="notice"><p>It chose this name itself, and nobody has verified it. It uses the integrations of <strong>${applicationName}</strong>.</p></div>`;
}
