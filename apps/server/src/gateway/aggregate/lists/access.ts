import type { ReadyCredential } from '../../../credentials/outcome.ts';
import { subjectIdOf } from '../../../identity/caller.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { type NeededUser, type RouteDeps, readmitTo } from '../../admission.ts';
import type { Route } from '../../routes.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Admitted } from '../client-call.ts';
import { within } from './gather.ts';

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

/** Access that lists do not wait for longer than they may: a provider may take seconds to renew a credential. */
export class AccessInTime {
  readonly #routeDeps: RouteDeps;
  /** Of whom it has not been found in time, and is still sought. */
  readonly #late = new Set<string>();

  constructor(routeDeps: RouteDeps) {
    this.#routeDeps = routeDeps;
  }

  /** Undefined where it is late, which is not waited for again. @param until by the clock of `performance` */
  async find(
    client: Pick<Admitted, 'caller' | 'call'>,
    attachment: Pick<AggregateAttachment, 'key'>,
    until: number,
  ): Promise<Access | undefined> {
    const key = `${attachment.key} ${subjectIdOf(client.caller)}`;
    const finding = accessTo(client, attachment, this.#routeDeps);
    const time = this.#late.has(key) ? 0 : until - performance.now();
    const found = await within(finding, time);
    if (found !== undefined) return found;
    const forget = () => this.#late.delete(key);
    this.#late.add(key);
    finding.then(forget, forget);
    // What has failed is no late one.
    return Promise.race([finding, Promise.resolve(undefined)]);
  }
}
