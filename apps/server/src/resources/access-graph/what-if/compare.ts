import { decidePeople, limits, type WhatIfResponse } from '@gatehouse/contract';
import type { Db } from '../../../platform/database/store.ts';
import { Slices } from '../../../platform/slices.ts';
import type { PolicyPerson } from '../../../policy/people-rules.ts';
import { readCatalogue } from '../tools/catalogue.ts';
import { type AllowedTools, ToolCounter } from '../tools/tool-counter.ts';
import { type Edge, type Edges, type People, tooMany } from './graph.ts';

export interface Graph {
  readonly edges: Edges;
  readonly people: People;
}

/** The first items that are gained and lost, and the numbers of all. */
class Difference<Item> {
  readonly gained: Item[] = [];
  readonly lost: Item[] = [];
  readonly total = { gained: 0, lost: 0 };

  add(direction: 'gained' | 'lost', item: Item): void {
    this.total[direction] += 1;
    if (this[direction].length < limits.whatIfNamed) this[direction].push(item);
  }

  get isTruncated(): boolean {
    const { gained, lost, total } = this;
    return total.gained > gained.length || total.lost > lost.length;
  }
}

/** Comparisons of ids for one answer: about a second. */
const MAX_COMPARISONS = 50_000_000;

/** Finds who gains or loses the use of an attachment. @throws ProblemError `validation_failed` */
export async function comparePeople(
  before: Graph,
  after: Graph,
): Promise<Pick<WhatIfResponse, 'edges' | 'people'>> {
  const people = new Difference<WhatIfResponse['people']['gained'][number]>();
  const edges = new Difference<Edge['pair']>();
  const everyone = new Map([...before.people, ...after.people]);
  const changed = [...everyone.keys()].filter(
    (id) => !isSamePerson(before.people.get(id), after.people.get(id)),
  );
  const slices = new Slices();
  let comparisons = 0;
  const can = (edge: Edge | undefined, person: PolicyPerson | undefined): boolean => {
    if (!edge?.isUsable || person === undefined) return false;
    comparisons += edge.rules.cost * (1 + person.groupIds.length);
    if (comparisons > MAX_COMPARISONS) throw tooMany('different rules and people');
    return decidePeople(edge.rules.levels, person).length === 0;
  };
  for (const [key, { pair }] of new Map([...before.edges, ...after.edges])) {
    const was = before.edges.get(key);
    const is = after.edges.get(key);
    const totals = { ...people.total };
    for (const userId of isSameEdge(was, is) ? changed : everyone.keys()) {
      if (slices.isOver) await slices.pause();
      const could = can(was, before.people.get(userId));
      const will = can(is, after.people.get(userId));
      if (could !== will) people.add(will ? 'gained' : 'lost', { ...pair, userId });
    }
    for (const direction of ['gained', 'lost'] as const) {
      if (people.total[direction] > totals[direction]) edges.add(direction, pair);
    }
  }
  return { edges: listsOf(edges), people: listsOf(people) };
}

/** Finds the tools that rules would allow and do not now, and the reverse. @throws ProblemError `validation_failed` */
export async function compareTools(
  db: Db,
  organizationId: string,
  before: Edges,
  after: Edges,
): Promise<WhatIfResponse['tools']> {
  const differing = [...new Map([...before, ...after])].filter(
    ([key, { isProxied }]) => isProxied && before.get(key)?.rules !== after.get(key)?.rules,
  );
  const ids = [...new Set(differing.map(([, { pair }]) => pair.integrationId))];
  const catalogue = await readCatalogue(db, organizationId, ids);
  const counter = new ToolCounter(catalogue);
  const allowedBy = async (edge: Edge | undefined): Promise<AllowedTools> => {
    if (edge === undefined) return NOT_ATTACHED;
    const counted = await counter.count(edge.pair.integrationId, edge.rules);
    if (counted === undefined) throw tooMany('tools and patterns');
    return counted;
  };
  const tools = new Difference<WhatIfResponse['tools']['gained'][number]>();
  const changed: WhatIfResponse['tools']['changed'] = [];
  const slices = new Slices();
  for (const [key, { pair }] of differing) {
    if (slices.isOver) await slices.pause();
    const was = await allowedBy(before.get(key));
    const is = await allowedBy(after.get(key));
    for (const [place, { name }] of (catalogue.get(pair.integrationId) ?? []).entries()) {
      const will = is.marks[place] === 1;
      if ((was.marks[place] === 1) !== will) tools.add(will ? 'gained' : 'lost', { ...pair, name });
    }
    if (was.allowed === is.allowed) continue;
    const allowed = { before: was.allowed, after: is.allowed };
    changed.push({ ...pair, allowed, total: Math.max(was.total, is.total) });
  }
  return {
    ...listsOf(tools),
    truncated: tools.isTruncated || changed.length > limits.whatIfNamed,
    changed: changed.slice(0, limits.whatIfNamed),
  };
}

const NOT_ATTACHED: AllowedTools = { allowed: 0, total: 0, marks: new Uint8Array() };

function listsOf<Item>({ gained, lost, total }: Difference<Item>) {
  return { gained, lost, total };
}

function isSameEdge(one: Edge | undefined, other: Edge | undefined): boolean {
  return one?.isUsable === other?.isUsable && one?.rules === other?.rules;
}

function isSamePerson(one: PolicyPerson | undefined, other: PolicyPerson | undefined): boolean {
  return one?.role === other?.role && one?.groupIds.join() === other?.groupIds.join();
}
