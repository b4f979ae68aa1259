import type { Store } from '../../platform/database/store.ts';
import { CALLS_IN_BLOCK, type WaitingCall } from './prepare-calls.ts';

/** Call events that wait in this process at most. */
const MAX_CALLS = 20_000;

/** Management events in one write: a change of many rows can have thousands. */
const MAX_LOOSE = 1_000;

/** A management event that a block is to take in. */
export interface LooseEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly digest: string;
  /** The run that committed it, if another one adopts it. */
  readonly run: string | null;
}

/** Call events of one organization that become one block. */
export interface CallsOfOrganization {
  readonly organizationId: string;
  readonly events: readonly WaitingCall[];
}

/** What waits to be written, by organization. */
export class WaitingEvents {
  readonly #calls = new Map<string, WaitingCall[]>();
  readonly #loose = new Map<string, LooseEvent>();
  readonly #lost = new Map<string, number>();
  #count = 0;

  /** Call events that wait. */
  get count(): number {
    return this.#count;
  }

  get hasFullBlock(): boolean {
    return this.#count >= CALLS_IN_BLOCK;
  }

  hasRoomFor(calls: number): boolean {
    return this.#count + calls <= MAX_CALLS;
  }

  get hasLoose(): boolean {
    return this.#loose.size > 0;
  }

  get isEmpty(): boolean {
    return this.#count === 0 && this.#loose.size === 0;
  }

  /** @returns false if it is lost, because too many wait */
  addCall(organizationId: string, event: WaitingCall): boolean {
    if (!this.hasRoomFor(1)) {
      this.addLost(organizationId, 1);
      return false;
    }
    this.#count += 1;
    const events = this.#calls.get(organizationId);
    if (events === undefined) this.#calls.set(organizationId, [event]);
    else events.push(event);
    return true;
  }

  addLoose(event: LooseEvent): void {
    this.#loose.set(event.id, event);
  }

  /** The events of the next blocks, which wait no longer. @param blocks about how many */
  take(blocks: number): { readonly calls: CallsOfOrganization[]; readonly loose: LooseEvent[] } {
    const loose = [...this.#loose.values()].slice(0, MAX_LOOSE);
    for (const { id } of loose) this.#loose.delete(id);
    const calls: CallsOfOrganization[] = [];
    while (this.#calls.size > 0 && calls.length < blocks) {
      // In turns: the calls of one organization do not keep those of another waiting.
      for (const [organizationId, events] of this.#calls) {
        calls.push({ organizationId, events: events.splice(0, CALLS_IN_BLOCK) });
        if (events.length === 0) this.#calls.delete(organizationId);
      }
    }
    for (const { events } of calls) this.#count -= events.length;
    return { calls, loose };
  }

  /** Puts back what could not be written. */
  putBack(calls: readonly CallsOfOrganization[], loose: readonly LooseEvent[]): void {
    for (const event of loose) this.#loose.set(event.id, event);
    for (const { organizationId, events } of [...calls].reverse()) {
      this.#calls.set(organizationId, [...events, ...(this.#calls.get(organizationId) ?? [])]);
      this.#count += events.length;
    }
  }

  addLost(organizationId: string, count: number): void {
    this.#lost.set(organizationId, (this.#lost.get(organizationId) ?? 0) + count);
  }

  /** Call events that were lost since the last call of this, by organization. */
  takeLost(): readonly (readonly [organizationId: string, count: number])[] {
    const lost = [...this.#lost];
    this.#lost.clear();
    return lost;
  }
}

/** Records how many call events were lost because too many waited. */
export async function reportLost(store: Store, waiting: WaitingEvents): Promise<void> {
  for (const [organizationId, count] of waiting.takeLost()) {
    const via = { kind: 'job', name: 'audit' } as const;
    const actor = { kind: 'service', organizationId, via } as const;
    try {
      await store.transaction(async ({ record }) =>
        record({ action: 'audit.calls_lost', actor, targetId: organizationId, count }),
      );
    } catch (error) {
      waiting.addLost(organizationId, count);
      throw error;
    }
  }
}
