import type { ReadyCredential } from '../../../credentials/outcome.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { type NeededUser, type RouteDeps, readmitTo } from '../../admission.ts';
import type { Route } from '../../routes.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Admitted } from '../client-call.ts';

/** Whether a person may use an integration now, and with what. */
export type Access =
  | { readonly kind: 'ready'; readonly route: Route; readonly credential: ReadyCredential }
  /** Its person can connect. */
  | { readonly kind: 'connect'; readonly route: Route; readonly credential: NeededUser }
  /** An admin must act. */
  | { readonly kind: 'failed' }
  /** An application that acts for itself has no credential of a person. */
  | { readonly kind: 'refused' }
  /** Rules about people do not allow the caller, or it is gone. */
  | { readonly kind: 'hidden' };

/** Also of an integration that has been changed since the application was read. */
const HIDDEN: ReadonlySet<string> = new Set(['policy_refused', 'not_found', 'not_proxied']);

/** At most one read of the route and of the credential. */
export async function accessTo(
  { caller }: Pick<Admitted, 'caller'>,
  { key }: Pick<AggregateAttachment, 'key'>,
  routeDeps: Pick<RouteDeps, 'routes' | 'credentials'>,
): Promise<Access> {
  try {
    const { route, credential } = await readmitTo(routeDeps, caller, key);
    if (credential.kind === 'needs_user') return { kind: 'connect', route, credential };
    if (credential.kind !== 'ready') return { kind: 'failed' };
    return { kind: 'ready', route, credential };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    if (error.code === 'forbidden') return { kind: 'refused' };
    if (HIDDEN.has(error.code)) return { kind: 'hidden' };
    throw error;
  }
}
