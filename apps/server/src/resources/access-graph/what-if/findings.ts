import { limits, type WhatIfResponse } from '@gatehouse/contract';
import { keyOfPair, type Pair } from './pair.ts';

type Direction = 'gained' | 'lost';
type Person = WhatIfResponse['people']['gained'][number];

/** What is found, with the first of each kind by name. */
export class Findings {
  readonly #people: Record<Direction, Person[]> = { gained: [], lost: [] };
  readonly #peopleTotal = { gained: 0, lost: 0 };
  readonly #edges: Record<Direction, Map<string, Pair>> = { gained: new Map(), lost: new Map() };
  readonly #tools: WhatIfResponse['tools']['changed'] = [];
  #toolsTotal = 0;

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

  addTools(tools: WhatIfResponse['tools']['changed'][number]): void {
    this.#toolsTotal += 1;
    if (this.#tools.length < limits.whatIfNamed) this.#tools.push(tools);
  }

  response(): WhatIfResponse {
    const { gained, lost } = this.#edges;
    return {
      edges: {
        gained: [...gained.values()].slice(0, limits.whatIfNamed),
        lost: [...lost.values()].slice(0, limits.whatIfNamed),
        total: { gained: gained.size, lost: lost.size },
      },
      tools: { changed: this.#tools, total: this.#toolsTotal },
      people: { ...this.#people, total: this.#peopleTotal },
    };
  }
}

interface People {
  readonly count: number;
  readonly userIds: Iterable<string>;
  readonly isMeant: (userId: string) => boolean;
}
