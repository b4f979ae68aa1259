import { setImmediate as nextTurn } from 'node:timers/promises';
import { decidePeople } from '@gatehouse/contract';
import type { Db } from '../../../platform/database/store.ts';
import type { Slices } from '../../../platform/slices.ts';
import type { PolicyPerson } from '../../../policy/people-rules.ts';
import type { Draft } from './draft.ts';
import type { NamedRows } from './named-rows.ts';
import { refuseSize } from './refusals.ts';
import type { RuleSet } from './rule-sets.ts';
import { listPeople } from './scope-repository.ts';

/** Members with the same role who are in the same groups, of those that rules name. */
interface Class {
  readonly person: PolicyPerson;
  readonly userIds: string[];
}

/** The people of an organization who keep their role and groups, and those who change. */
export interface People {
  readonly classes: readonly Class[];
  /** The index of the class of each member. */
  readonly classOf: ReadonlyMap<string, number>;
  readonly changed: readonly {
    readonly userId: string;
    readonly before: PolicyPerson | undefined;
    readonly after: PolicyPerson | null;
  }[];
}

/** What rules allow whom. */
export interface Allowed {
  /** By class, for those whom the rules do not name. */
  readonly classes: readonly boolean[];
  /** The members that the rules name. */
  readonly named: ReadonlyMap<string, boolean>;
  /** Those who change, as they are and as they would be. */
  readonly before: readonly boolean[];
  readonly after: readonly boolean[];
}

const MAX_MEMBERS = 20_000;
const PART = 250;

/** @throws ProblemError `validation_failed` when there are too many members */
export async function readPeople(
  db: Db,
  organizationId: string,
  { draft, rows }: { readonly draft: Draft; readonly rows: NamedRows },
  groupIds: readonly string[],
): Promise<People> {
  const classes = new Map<string, Class & { readonly index: number }>();
  const classOf = new Map<string, number>();
  let before: string | undefined;
  for (;;) {
    await nextTurn();
    const members = await listPeople(db, organizationId, groupIds, { before, take: PART });
    for (const { id, role, groupIds: own } of members) {
      if (draft.people.has(id)) continue;
      const key = JSON.stringify([role, ...own]);
      const person = { kind: 'person', userId: '', role, groupIds: own } as const;
      const group = classes.get(key) ?? { person, userIds: [], index: classes.size };
      classes.set(key, group);
      group.userIds.push(id);
      classOf.set(id, group.index);
    }
    if (classOf.size > MAX_MEMBERS) refuseSize('members');
    if (members.length < PART) break;
    before = members.at(-1)?.id;
  }
  return { classes: [...classes.values()], classOf, changed: changedIn(draft, rows) };
}

export function changedIn(draft: Draft, rows: NamedRows): People['changed'] {
  return [...draft.people].map(([userId, after]) => ({
    userId,
    before: rows.people.get(userId),
    after,
  }));
}

/** Comparisons of ids for one answer: about a second. */
const MAX_COMPARISONS = 50_000_000;

/** Decides once for each different rules. */
export class PeopleDecisions {
  readonly #people: People;
  readonly #slices: Slices;
  readonly #decided = new Map<RuleSet, Allowed>();
  #comparisons = 0;

  constructor(people: People, slices: Slices) {
    this.#people = people;
    this.#slices = slices;
  }

  /** @throws ProblemError `validation_failed` when it would take too long */
  async of(rules: RuleSet): Promise<Allowed> {
    const known = this.#decided.get(rules);
    if (known !== undefined) return known;
    const { classes, classOf, changed } = this.#people;
    const named = new Map<string, boolean>();
    for (const userId of rules.userIds) {
      const index = classOf.get(userId);
      const person = index === undefined ? undefined : classes[index]?.person;
      if (this.#slices.isOver) await this.#slices.pause();
      if (person) named.set(userId, this.#decide(rules, { ...person, userId }));
    }
    const allowed = {
      named,
      classes: await this.#each(
        rules,
        classes.map(({ person }) => person),
      ),
      before: await this.#each(
        rules,
        changed.map(({ before }) => before),
      ),
      after: await this.#each(
        rules,
        changed.map(({ after }) => after),
      ),
    };
    this.#decided.set(rules, allowed);
    return allowed;
  }

  async #each(
    rules: RuleSet,
    people: readonly (PolicyPerson | null | undefined)[],
  ): Promise<boolean[]> {
    const allowed: boolean[] = [];
    for (const person of people) {
      if (this.#slices.isOver) await this.#slices.pause();
      allowed.push(person ? this.#decide(rules, person) : false);
    }
    return allowed;
  }

  #decide({ levels, cost }: RuleSet, person: PolicyPerson): boolean {
    this.#comparisons += cost * (1 + person.groupIds.length);
    if (this.#comparisons > MAX_COMPARISONS) refuseSize('different rules and people');
    return decidePeople(levels, person).length === 0;
  }
}
