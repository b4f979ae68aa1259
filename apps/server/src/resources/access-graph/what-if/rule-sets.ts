import type { PolicyLevel } from '@gatehouse/contract';
import { levelsOf, type PolicyRow } from '../../../policy/rules.ts';
import { refuseSize } from './refusals.ts';

/** The rules of one or many pairs. Equal ones are one object. */
export interface RuleSet {
  readonly key: string;
  readonly levels: readonly PolicyLevel[];
  /** The people that they name one by one. */
  readonly userIds: readonly string[];
  /** Comparisons for one decision about someone in one group. */
  readonly cost: number;
}

/** Characters of all different rules together. */
const MAX_LENGTH = 32_000_000;

export class RuleSets {
  readonly #sets = new Map<string, RuleSet>();
  #length = 0;

  /** @throws ProblemError `validation_failed` when there are too many */
  of(row: PolicyRow): RuleSet {
    const { integrationRules, applicationRules, attachmentRules } = row;
    const key = JSON.stringify([integrationRules, applicationRules, attachmentRules]);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    this.#length += key.length;
    if (this.#length > MAX_LENGTH) refuseSize('different rules');
    const levels = levelsOf(row) ?? [];
    const userIds = levels.flatMap(({ rules }) => rules.userIds ?? []);
    const groups = levels.flatMap(({ rules }) => rules.groups ?? []);
    const cost = 1 + userIds.length + groups.length;
    const set = { key, levels, userIds: [...new Set(userIds)], cost };
    this.#sets.set(key, set);
    return set;
  }

  /** The groups that any of the rules name. */
  groupIds(): string[] {
    const ids = new Set<string>();
    for (const { levels } of this.#sets.values()) {
      for (const { rules } of levels) for (const id of rules.groups ?? []) ids.add(id);
    }
    return [...ids];
  }
}
