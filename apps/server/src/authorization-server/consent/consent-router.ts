import { type Request, type Response, Router } from 'express';
import { notAllowed } from '../../http/not-found.ts';
import { sendPage } from '../../http/pages/send-page.ts';
import { agreementTo } from './agreement.ts';
import { allowDynamicClients } from './allow-dynamic-clients.ts';
import { findMissingCredential } from './connect/missing-credential.ts';
import { consentBody, notAllowedBody } from './consent-page.ts';
import { redirectTargetOf } from './consent-request.ts';
import {
  type ConsentRouterDeps,
  type Decision,
  isAllowed,
  readDecision,
  requestGone,
  sendToSignIn,
} from './decision.ts';
import { isRemembered } from './grants.ts';
import { writeResult } from './interaction.ts';
import { leaveDenied, leaveWithGrant } from './leave.ts';

const PATH = '/oauth/consent/:uid';

/** The page on which a person allows or denies a client's request. */
export function consentRouter(deps: ConsentRouterDeps): Router {
  const { store, sessions, forms, countConsent } = deps;
  const router = Router({ strict: true, caseSensitive: true });

  router.get(PATH, async (req, res) => {
    const person = await sessions.find(req.headers.cookie);
    if (person === undefined) return sendToSignIn(deps, req, res);
    const decision = await readDecision(deps, req, res, person);
    if (!isAllowed(decision.request)) return sendNotAllowed(req, res, decision);
    if (await isRemembered(store.db, person, decision.request)) {
      countConsent('remembered');
      return allow(req, res, decision);
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
    const fields = await forms.read(req, person);
    if (person === undefined) throw requestGone();
    const decision = await readDecision(deps, req, res, person);
    if (fields.get('decision') === 'allow_dynamic_clients') {
      await allowDynamicClients(store, decision.actor, decision.request.application.id);
      return res.redirect(303, req.path);
    }
    if (!isAllowed(decision.request)) return sendNotAllowed(req, res, decision);
    if (fields.get('decision') === 'allow') {
      countConsent('allowed');
      return allow(req, res, decision);
    }
    countConsent('denied');
    await leaveDenied(deps, req, res, decision);
  });

  router.all(PATH, () => {
    throw notAllowed(['GET', 'POST']);
  });

  return router;

  function sendNotAllowed(req: Request, res: Response, { person, request }: Decision): void {
    sendPage(res, {
      status: 403,
      title: `${request.client.name} cannot come in yet`,
      body: notAllowedBody(request, person, forms.field(req, res, person), req.path),
    });
  }

  /** The grant waits until the person has been asked for the missing credentials. */
  async function allow(req: Request, res: Response, decision: Decision): Promise<void> {
    const agreement = agreementTo(decision);
    if ((await findMissingCredential(deps, decision)) === undefined) {
      return leaveWithGrant(deps, req, res, { decision, agreement });
    }
    const isOpen = await writeResult(store.db, decision.uid, { agreed: agreement });
    res.redirect(303, isOpen ? `${req.path}/connect` : decision.resumeUrl);
  }
}
