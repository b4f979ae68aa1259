import { limits, type WhatIfResponse } from '@gatehouse/contract';
import { keyOfPair, type Pair } from './pair.ts';

type Direction = 'gained' | 'lost';
type Person = WhatIfResponse['people']['gained'][number];
type Tools = WhatIfResponse['tools'];

/** What is found, with the first of each kind by name. */
export class Findings {
  readonly #people: Record<Direction, Person[]> = { gained: [], lost: [] };
  readonly #peopleTotal = { gained: 0, lost: 0 };
  readonly #edges: Record<Direction, Map<string, Pair>> = { gained: new Map(), lost: new Map() };
  readonly #tools: Record<Direction, Tools['gained']> = { gained: [], lost: [] };
  readonly #toolsTotal = { gained: 0, lost: 0 };
  readonly #toolCounts: Tools['changed'] = [];
  #hasMoreCounts = false;

  /** `userIds` may hold more people than `count`; the callback tells who is meant. */
  addPeople(
    direction: Direction,
    { applicationId, integrationId }: Pair,
    { count, userIds, isMeant }: People,
  ): void {
    if (count === 0) return;
    const pair = { applicationId, integrationId };
    this.#peopleTotal[direction] += count;
    this.#edges[direction].set(keyOfPair(pair), pair);
    const named = this.#people[direction];
    for (const userId of userIds) {
      if (named.length >= limits.whatIfNamed) return;
      if (isMeant(userId)) named.push({ ...pair, userId });
    }
  }

  addTool(direction: Direction, tool: Tools['gained'][number]): void {
    this.#toolsTotal[direction] += 1;
    const named = this.#tools[direction];
    if (named.length < limits.whatIfNamed) named.push(tool);
  }

  addToolCounts(counts: Tools['changed'][number]): void {
    if (this.#toolCounts.length < limits.whatIfNamed) this.#toolCounts.push(counts);
    else this.#hasMoreCounts = true;
  }

  get #foundTools(): Tools {
    const { gained, lost } = this.#tools;
    const total = this.#toolsTotal;
    const hasMoreTools = total.gained > gained.length || total.lost > lost.length;
    const truncated = hasMoreTools || this.#hasMoreCounts;
    return { gained, lost, total, truncated, changed: this.#toolCounts };
  }

  response(): WhatIfResponse {
    const { gained, lost } = this.#edges;
    return {
      edges: {
        gained: [...gained.values()].slice(0, limits.whatIfNamed),
        lost: [...lost.values()].slice(0, limits.whatIfNamed),
        total: { gained: gained.size, lost: lost.size },
      },
      tools: this.#foundTools,
      people: { ...this.#people, total: this.#peopleTotal },
    };
  }
}

interface People {
  readonly count: number;
  readonly userIds: Iterable<string>;
  readonly isMeant: (userId: string) => boolean;
}
