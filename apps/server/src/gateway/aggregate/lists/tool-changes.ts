import { LRUCache } from 'lru-cache';
import type { ChangeSet, Changes } from '../../../platform/changes/changes.ts';

const MAX_NOTED = 10_000;

/** When what is known of the tools of integrations has last changed, on which rules about definitions depend. */
export class ToolChanges {
  readonly #changedAt = new LRUCache<string, number>({ max: MAX_NOTED });
  /** Of integrations that are not noted. */
  #allChangedAt = Number.NEGATIVE_INFINITY;
  readonly #unsubscribe: () => void;

  constructor(changes: Pick<Changes, 'subscribe'>) {
    this.#unsubscribe = changes.subscribe({ drop: (changeSet) => this.#note(changeSet) });
  }

  /** @param time by the clock of `performance` */
  haveComeSince(time: number, integrationId: string): boolean {
    const changedAt = this.#changedAt.get(integrationId) ?? Number.NEGATIVE_INFINITY;
    return Math.max(changedAt, this.#allChangedAt) >= time;
  }

  close(): void {
    this.#unsubscribe();
  }

  #note(changeSet: ChangeSet): void {
    const now = performance.now();
    if (changeSet === 'everything') this.#allChangedAt = now;
    else for (const { kind, id } of changeSet) if (kind === 'tools') this.#changedAt.set(id, now);
  }
}
