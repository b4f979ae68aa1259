import { type Request, type Response, Router } from 'express';
import { errors, type Provider } from 'oidc-provider';
import type { Forms } from '../../http/pages/forms.ts';
import { sendOnward } from '../../http/pages/send-onward.ts';
import { sendPage } from '../../http/pages/send-page.ts';
import type { BrowserSessions, SignedInPerson } from '../../identity/browser-sessions.ts';
import type { Store } from '../../platform/database/store.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Applications } from '../applications.ts';
import type { OauthClient } from '../oauth-client.ts';
import { allowDynamicClients } from './allow-dynamic-clients.ts';
import { consentBody } from './consent-page.ts';
import { type ConsentRequest, readConsentRequest } from './consent-request.ts';
import { createGrant, isRemembered } from './grants.ts';
import { notAllowedBody } from './not-allowed-page.ts';
import { redirectTargetOf } from './redirect-target.ts';

export interface ConsentRouterDeps {
  readonly store: Store;
  readonly provider: Provider;
  readonly applications: Applications;
  readonly findClient: (clientId: string) => Promise<OauthClient | undefined>;
  readonly sessions: BrowserSessions;
  readonly forms: Forms;
  readonly publicUrl: string;
}

const PATH = '/oauth/consent/:uid';

/** What a person decides on. */
interface Decision {
  readonly person: SignedInPerson;
  readonly request: ConsentRequest;
}

/** The page on which a person allows or denies what a client asks for. */
export function consentRouter(deps: ConsentRouterDeps): Router {
  const { store, provider, sessions, forms } = deps;
  const router = Router({ strict: true, caseSensitive: true });

  router.get(PATH, async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) {
      await requireInteraction(provider, req, res);
      res.redirect(303, `/sign-in?return_to=${encodeURIComponent(req.path)}`);
      return;
    }
    const decision = await readDecision(deps, req, res, person);
    if (!isAllowed(decision.request)) return sendNotAllowed(req, res, decision);
    if (await isRemembered(store.db, person, decision.request)) {
      await allow(req, res, decision);
      return;
    }
    const { request } = decision;
    const { formAction } = redirectTargetOf(request.redirectUri);
    sendPage(res, {
      title: `Let ${request.client.name} in?`,
      body: consentBody(request, person, forms.field(req, res, person), req.path),
      ...(formAction === undefined ? {} : { formActions: [formAction] }),
    });
  });

  router.post(PATH, async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    const fields = await forms.read(req, res, person);
    if (person === undefined) throw requestGone();
    const decision = await readDecision(deps, req, res, person);
    if (fields.get('decision') === 'allow_dynamic_clients') {
      await allowDynamicClients(store, person, decision.request.application.id);
      return res.redirect(303, req.path);
    }
    if (!isAllowed(decision.request)) return sendNotAllowed(req, res, decision);
    if (fields.get('decision') === 'allow') return allow(req, res, decision);
    await finish(req, res, decision.request, {
      error: 'access_denied',
      error_description: 'the person did not allow it',
    });
  });

  return router;

  function sendNotAllowed(req: Request, res: Response, { person, request }: Decision): void {
    sendPage(res, {
      status: 403,
      title: `${request.client.name} cannot come in yet`,
      body: notAllowedBody(request, person, forms.field(req, res, person), req.path),
    });
  }

  async function allow(req: Request, res: Response, { person, request }: Decision): Promise<void> {
    const grantId = await createGrant(store, person, request);
    const login = { accountId: person.userId, remember: false };
    await finish(req, res, request, { login, consent: { grantId } });
  }

  async function finish(
    req: Request,
    res: Response,
    { redirectUri }: ConsentRequest,
    result: Parameters<Provider['interactionResult']>[2],
  ): Promise<void> {
    const options = { mergeWithLastSubmission: false };
    const next = await provider.interactionResult(req, res, result, options);
    if (req.method === 'POST' && redirectTargetOf(redirectUri).formAction === undefined) {
      sendOnward(res, 'Back to the application', new URL(next).pathname);
    } else {
      res.redirect(303, next);
    }
  }
}

/** A dynamic client is only let in where the application allows such. */
function isAllowed({ client, application }: ConsentRequest): boolean {
  return client.application !== undefined || application.allowDynamicClients;
}

async function readDecision(
  deps: ConsentRouterDeps,
  req: Request,
  res: Response,
  person: SignedInPerson,
): Promise<Decision> {
  const { params } = await requireInteraction(deps.provider, req, res);
  const request = await readConsentRequest({ ...deps, db: deps.store.db }, params);
  if (request?.application.organizationId !== person.organizationId) throw requestGone();
  return { person, request };
}

/** The authorization request that this browser began. @throws ProblemError `not_found` */
async function requireInteraction(provider: Provider, req: Request, res: Response) {
  try {
    const interaction = await provider.interactionDetails(req, res);
    if (interaction.uid === req.params.uid) return interaction;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  throw requestGone();
}

function requestGone(): ProblemError {
  return new ProblemError(
    'not_found',
    'This request to sign in is no longer open: it was answered, it is too old, or it began in another browser. Go back to your application and connect again.',
  );
}
