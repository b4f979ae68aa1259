import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits, type PolicyLevel } from '@gatehouse/contract';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../../platform/database/store.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { Slices } from '../../../platform/slices.ts';
import type { PolicyPerson } from '../../../policy/people-rules.ts';
import { levelsOf, type PolicyRow } from '../../../policy/rules.ts';
import { readInParts } from '../in-parts.ts';
import { isCredentialOnly, staticReasonsOf } from '../static-reasons.ts';
import {
  type EdgeRow,
  listAttachmentIds,
  listEdgeRows,
  listPeople,
  type Scope,
} from './graph-repository.ts';

/** The rules of one or many edges. Equal ones are one object, before and after. */
export interface RuleSet {
  readonly key: string;
  readonly levels: readonly PolicyLevel[];
  /** Comparisons for one decision about someone in no group. */
  readonly cost: number;
}

/** An attachment, and who may use it. */
export interface Edge {
  readonly pair: { readonly applicationId: string; readonly integrationId: string };
  /** False where something keeps everyone out. */
  readonly isUsable: boolean;
  /** Whether the gateway calls the integration, so that its tools matter. */
  readonly isProxied: boolean;
  readonly rules: RuleSet;
}

export type Edges = ReadonlyMap<string, Edge>;
export type People = ReadonlyMap<string, PolicyPerson>;

const MAX_EDGES = 20_000;

/** Characters of all different rules. */
const MAX_RULES = 32_000_000;

/** Edges of one statement, and the characters of rules that it should read: a few milliseconds. */
const PART = { first: 50, least: 10, most: 100, characters: 120_000 };

/** Reads edges and people, and holds each of the different rules once. */
export class GraphReader {
  readonly #organizationId: string;
  readonly #rules = new Map<string, RuleSet>();
  #length = 0;

  constructor(organizationId: string) {
    this.#organizationId = organizationId;
  }

  /** Newest first. Without a scope those of the whole organization. @throws ProblemError `validation_failed` */
  async readEdges(db: Db, columns: Prisma.Sql, scope?: Scope): Promise<Edges> {
    const rows = await readInParts(MAX_EDGES + 1, (part) =>
      listAttachmentIds(db, this.#organizationId, scope, part),
    );
    if (rows.length > MAX_EDGES) throw tooMany('attachments');
    const ids = rows.map(({ id }) => id);
    const edges = new Map<string, Edge>();
    const slices = new Slices();
    for (let start = 0, size = PART.first; start < ids.length; ) {
      await slices.pause();
      const part = await listEdgeRows(
        db,
        this.#organizationId,
        ids.slice(start, start + size),
        columns,
      );
      start += size;
      let length = 0;
      for (const row of part) {
        if (slices.isOver) await slices.pause();
        const edge = this.#edgeOf(row);
        length += edge.rules.key.length;
        edges.set(`${row.applicationId} ${row.integrationId}`, edge);
      }
      const fitting = Math.floor((PART.characters * part.length) / length);
      size = Math.min(PART.most, Math.max(PART.least, fitting));
    }
    return edges;
  }

  /** All members, or those of some ids. @throws ProblemError `validation_failed` */
  async readPeople(db: Db, ids: readonly string[] | undefined): Promise<People> {
    await nextTurn();
    const people = await listPeople(db, this.#organizationId, ids, limits.whatIfMembers + 1);
    if (people.length > limits.whatIfMembers) throw tooMany('members', MEMBERS_ALONE);
    return new Map(people.map((person) => [person.userId, person]));
  }

  #edgeOf(row: EdgeRow): Edge {
    const { applicationId, integrationId } = row;
    return {
      pair: { applicationId, integrationId },
      isUsable: staticReasonsOf(row).length === 0,
      isProxied: !isCredentialOnly(row.integration),
      rules: this.#rulesOf(row),
    };
  }

  #rulesOf(row: PolicyRow): RuleSet {
    const { integrationRules, applicationRules, attachmentRules } = row;
    const key = JSON.stringify([integrationRules, applicationRules, attachmentRules]);
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    this.#length += key.length;
    if (this.#length > MAX_RULES) throw tooMany('different rules');
    const levels = levelsOf(row) ?? [];
    const cost = levels.reduce(
      (sum, { rules: { userIds = [], groups = [] } }) => sum + userIds.length + groups.length,
      1,
    );
    const set = { key, levels, cost };
    this.#rules.set(key, set);
    return set;
  }
}

/** The refusal of a question that would take too long or too much memory. */
export function tooMany(what: string, remedy = 'Ask about fewer changes.'): ProblemError {
  const message = `The changes concern too many ${what}. ${remedy}`;
  return new ProblemError('validation_failed', message, {
    errors: [{ pointer: '/changes', code: 'too_big', message }],
  });
}

const MEMBERS_ALONE = `An organization of more than ${limits.whatIfMembers} members can ask about changes of members alone.`;
