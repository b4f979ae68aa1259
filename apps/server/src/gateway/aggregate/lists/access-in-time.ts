import { subjectIdOf } from '../../../identity/caller.ts';
import type { RouteDeps } from '../../admission.ts';
import type { AggregateAttachment } from '../applications.ts';
import type { Admitted } from '../client-call.ts';
import { type Access, accessTo } from './access.ts';
import { within } from './gather.ts';

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
