import type { Request, Response } from 'express';
import { sendOnward } from '../../http/pages/form-target.ts';
import { type Agreement, asAgreed } from './agreement.ts';
import { redirectTargetOf } from './consent-request.ts';
import type { ConsentRouterDeps, Decision } from './decision.ts';
import { createGrant } from './grants.ts';
import { writeResult } from './interaction.ts';

type LeaveDeps = Pick<ConsentRouterDeps, 'store' | 'publicUrl'>;

/** Writes the grant to which a person agreed, and goes back to the client with a code. */
export async function leaveWithGrant(
  deps: LeaveDeps,
  req: Request,
  res: Response,
  { decision, agreement }: { readonly decision: Decision; readonly agreement: Agreement },
): Promise<void> {
  const request = asAgreed(decision.request, agreement);
  await createGrant(deps, { ...decision, request }, new Date(agreement.at));
  goBack(req, res, decision);
}

/** Goes back to the client with the error of a person who refuses (RFC 6749 section 4.1.2.1). */
export async function leaveDenied(
  { store }: LeaveDeps,
  req: Request,
  res: Response,
  decision: Decision,
): Promise<void> {
  await writeResult(store.db, decision.uid, {
    error: 'access_denied',
    error_description: 'the person did not allow it',
  });
  goBack(req, res, decision);
}

/** A repeated form gets the same answer: the browser that sent it shows this one only. */
function goBack(req: Request, res: Response, { request, resumeUrl }: Decision): void {
  const { formAction } = redirectTargetOf(request.redirectUri);
  if (req.method === 'POST' && formAction === undefined) {
    sendOnward(res, 'Back to the application', new URL(resumeUrl).pathname);
  } else {
    res.redirect(303, resumeUrl);
  }
}
