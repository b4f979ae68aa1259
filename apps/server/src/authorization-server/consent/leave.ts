import type { Request, Response } from 'express';
import type { InteractionResults } from 'oidc-provider';
import { sendOnward } from '../../http/pages/form-target.ts';
import { type Agreement, asAgreed } from './agreement.ts';
import type { ConsentRouterDeps, Decision } from './decision.ts';
import { createGrant } from './grants.ts';
import { redirectTargetOf } from './redirect-target.ts';

type LeaveDeps = Pick<ConsentRouterDeps, 'store' | 'provider'>;

/** Writes the grant to which a person agreed, and goes back to the client with a code. */
export async function leaveWithGrant(
  deps: LeaveDeps,
  req: Request,
  res: Response,
  { decision, agreement }: { readonly decision: Decision; readonly agreement: Agreement },
): Promise<void> {
  const { person } = decision;
  const request = asAgreed(decision.request, agreement);
  const grantId = await createGrant(deps.store, person, request, new Date(agreement.at));
  const login = { accountId: person.userId, remember: false };
  await leave(deps, req, res, { decision, result: { login, consent: { grantId } } });
}

/** Goes back to the client. */
export async function leave(
  { provider }: LeaveDeps,
  req: Request,
  res: Response,
  { decision, result }: { readonly decision: Decision; readonly result: InteractionResults },
): Promise<void> {
  const options = { mergeWithLastSubmission: false };
  const next = await provider.interactionResult(req, res, result, options);
  const { formAction } = redirectTargetOf(decision.request.redirectUri);
  if (req.method === 'POST' && formAction === undefined) {
    sendOnward(res, 'Back to the application', new URL(next).pathname);
  } else {
    res.redirect(303, next);
  }
}
