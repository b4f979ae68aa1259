import { type Request, type Response, Router } from 'express';
import type { FormFields } from '../../../http/pages/read-form.ts';
import { sendPage } from '../../../http/pages/send-page.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { type Agreement, notedAgreement } from '../agreement.ts';
import {
  type ConsentRouterDeps,
  type Decision,
  isAllowed,
  readDecision,
  requestGone,
  sendToSignIn,
} from '../decision.ts';
import { leaveWithGrant } from '../leave.ts';
import { redirectTargetOf } from '../redirect-target.ts';
import { connectBody, type Refusal } from './connect-page.ts';
import { type CredentialField, credentialFieldsOf } from './credential-fields.ts';
import { askedFor, giveCredential } from './give-credential.ts';
import { findMissingCredential, type MissingCredential } from './missing-credential.ts';
import { readCredential } from './read-credential.ts';

const PATH = '/oauth/consent/:uid/connect';

const CHANGED: Refusal = {
  form: new Map(),
  message: 'What is asked for here has changed meanwhile, so nothing was saved. Look at it again.',
  errors: new Map(),
};

/** A person who has agreed, and what they agreed to. */
interface Walk {
  readonly decision: Decision;
  readonly agreement: Agreement;
}

/** After a person has agreed: the pages that ask for the credentials which are missing, one by one. */
export function connectRouter(deps: ConsentRouterDeps): Router {
  const { sessions, forms } = deps;
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
    const form = await forms.read(req, res, person);
    if (person === undefined) throw requestGone();
    const walk = walkOf(await readDecision(deps, req, res, person));
    if (walk === undefined) return sendToConsent(req, res);
    if (form.get('decision') === 'later') return leaveWithGrant(deps, req, res, walk);
    const missing = await findMissingCredential(deps, walk.decision);
    const refusal = missing && (await save(walk, missing, form));
    await goOn(req, res, walk, refusal);
  });

  return router;

  /** The next page, or back to the client with the grant. */
  async function goOn(req: Request, res: Response, walk: Walk, refusal?: Refusal): Promise<void> {
    const { person, request } = walk.decision;
    const missing = await findMissingCredential(deps, walk.decision);
    if (missing === undefined) return leaveWithGrant(deps, req, res, walk);
    if (req.method === 'POST' && refusal === undefined) return res.redirect(303, req.path);
    const { formAction } = redirectTargetOf(request.redirectUri);
    sendPage(res, {
      status: refusal === undefined ? 200 : 400,
      title: `Connect ${missing.integration.name}`,
      body: connectBody({
        missing,
        clientName: request.client.name,
        formField: forms.field(req, res, person),
        action: req.path,
        refusal: refusal && fittingRefusal(refusal, missing),
      }),
      ...(formAction === undefined ? {} : { formActions: [formAction] }),
    });
  }

  async function save(
    { decision: { person } }: Walk,
    { integration }: MissingCredential,
    form: FormFields,
  ): Promise<Refusal | undefined> {
    if (form.get('asked') !== askedFor(integration)) return CHANGED;
    const fields = credentialFieldsOf(integration.credentialSchema);
    try {
      const body = readCredential(fields, form);
      return (await giveCredential(deps, person, integration, body)) ? undefined : CHANGED;
    } catch (error) {
      const refusal = refusalOf(error, fields, form);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }
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

/** What was wrong with the credential for another integration, or by another schema, is of no use. */
function fittingRefusal(refusal: Refusal, { integration }: MissingCredential): Refusal {
  return refusal.form.get('asked') === askedFor(integration) ? refusal : CHANGED;
}

function refusalOf(
  error: unknown,
  fields: readonly CredentialField[],
  form: FormFields,
): Refusal | undefined {
  if (!(error instanceof ProblemError) || error.code !== 'validation_failed') return undefined;
  const errors = new Map(error.errors.map(({ pointer = '', message }) => [pointer, message]));
  const shown = new Set(fields.map(({ pointer }) => pointer));
  const general = [...errors].find(([pointer]) => !shown.has(pointer));
  const message = general?.[1] ?? 'It was not saved. See below what to change.';
  return { form, message, errors };
}
