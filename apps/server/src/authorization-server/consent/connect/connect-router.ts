import { type Request, type Response, Router } from 'express';
import { orFailure } from '../../../connect-forms/oauth-failure.ts';
import { oauthFormSources } from '../../../connect-forms/oauth-form.ts';
import {
  type CredentialRefusal,
  fittingRefusal,
  saveCredential,
} from '../../../connect-forms/save-credential.ts';
import { planFingerprint } from '../../../credentials/connect/plan-connecting.ts';
import { UpstreamOauthError } from '../../../credentials/oauth/upstream-error.ts';
import { requestOf } from '../../../http/context.ts';
import { notAllowed } from '../../../http/not-found.ts';
import { redirectAfterForm } from '../../../http/pages/form-target.ts';
import { sendPage } from '../../../http/pages/send-page.ts';
import { actorInBrowser } from '../../../identity/browser-sessions.ts';
import { type Agreement, notedAgreement } from '../agreement.ts';
import { redirectTargetOf } from '../consent-request.ts';
import {
  type ConsentRouterDeps,
  type Decision,
  isAllowed,
  readDecision,
  requestGone,
  sendToSignIn,
} from '../decision.ts';
import { leaveWithGrant } from '../leave.ts';
import { credentialBody, oauthBody, type WalkPage } from './connect-page.ts';
import { findMissingCredential, type MissingCredential } from './missing-credential.ts';

const PATH = '/oauth/consent/:uid/connect';

/** A person who has agreed, and what they agreed to. */
interface Walk {
  readonly decision: Decision;
  readonly agreement: Agreement;
}

/** The pages that ask for missing credentials, one by one, after a person has agreed. */
export function connectRouter(deps: ConsentRouterDeps): Router {
  const { sessions, forms, flow } = deps;
  const router = Router({ strict: true, caseSensitive: true });

  router.get(PATH, async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(deps, req, res);
    const walk = walkOf(await readDecision(deps, req, res, person));
    if (walk === undefined) return sendToConsent(req, res);
    await goOn(req, res, walk);
  });

  router.post(PATH, async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    const form = await forms.read(req, person);
    if (person === undefined) throw requestGone();
    const walk = walkOf(await readDecision(deps, req, res, person));
    if (walk === undefined) return sendToConsent(req, res);
    if (form.get('decision') === 'later') return leaveWithGrant(deps, req, res, walk);
    const missing = await findMissingCredential(deps, walk.decision);
    if (missing?.integration.authMode === 'oauth') {
      return leaveForProvider(req, res, walk, missing, form.get('asked'));
    }
    const refusal =
      missing && (await saveCredential(deps, walk.decision.actor, missing.integration, form));
    await goOn(req, res, walk, refusal);
  });

  router.all(PATH, () => {
    throw notAllowed(['GET', 'POST']);
  });

  return router;

  /** The next page, or back to the client with the grant. */
  async function goOn(
    req: Request,
    res: Response,
    walk: Walk,
    refusal?: CredentialRefusal,
  ): Promise<void> {
    const missing = await findMissingCredential(deps, walk.decision);
    if (missing === undefined) return leaveWithGrant(deps, req, res, walk);
    if (req.method === 'POST' && refusal === undefined) return res.redirect(303, req.path);
    if (missing.integration.authMode === 'oauth') return sendOauth(req, res, walk, missing);
    const fitting = refusal && fittingRefusal(refusal, missing.integration);
    sendPage(res, {
      status: fitting === undefined ? 200 : 400,
      title: `Connect ${missing.integration.name}`,
      body: credentialBody(pageOf(req, res, walk, missing), fitting),
      formActions: clientSources(walk),
    });
  }

  async function sendOauth(
    req: Request,
    res: Response,
    walk: Walk,
    missing: MissingCredential,
    isChanged = false,
  ): Promise<void> {
    const { person } = walk.decision;
    const plan = await orFailure(flow.plan(req, person, missing.integration));
    const sources = plan instanceof UpstreamOauthError ? [] : oauthFormSources(plan);
    sendPage(res, {
      status: isChanged ? 409 : 200,
      title: `Connect ${missing.integration.name}`,
      body: oauthBody(pageOf(req, res, walk, missing), plan, isChanged),
      formActions: [...sources, ...clientSources(walk)],
    });
  }

  /** Sends the person to the provider, if the page is still current, and from there back to the walk. */
  async function leaveForProvider(
    req: Request,
    res: Response,
    walk: Walk,
    missing: MissingCredential,
    asked: string | undefined,
  ): Promise<void> {
    const { person } = walk.decision;
    const actor = actorInBrowser(person, requestOf(res));
    const leave = async () => {
      const plan = await flow.plan(req, person, missing.integration);
      if (planFingerprint(plan) !== asked) return undefined;
      return flow.begin(req, res, { plan, actor, returnTo: req.path });
    };
    const url = await orFailure(leave());
    if (url instanceof URL) return redirectAfterForm(res, url, 'To the provider');
    await sendOauth(req, res, walk, missing, url === undefined);
  }

  function pageOf(req: Request, res: Response, walk: Walk, missing: MissingCredential): WalkPage {
    const { person, request } = walk.decision;
    const formField = forms.field(req, res, person);
    return { missing, clientName: request.client.name, formField, action: req.path };
  }
}

/** "Later" leads back to the client. */
function clientSources({ decision: { request } }: Walk): readonly string[] {
  const { formAction } = redirectTargetOf(request.redirectUri);
  return formAction === undefined ? [] : [formAction];
}

/** Undefined when this person has not agreed to this, or the application no longer lets the client in. */
function walkOf(decision: Decision): Walk | undefined {
  const agreement = notedAgreement(decision);
  return agreement !== undefined && isAllowed(decision.request)
    ? { decision, agreement }
    : undefined;
}

function sendToConsent(req: Request, res: Response): void {
  res.redirect(303, req.path.slice(0, -'/connect'.length));
}
