import type { Policy } from '@gatehouse/contract';

/** For each member of rules, the lowest format of stored rules that understands it. */
export interface FormatTable {
  readonly [member: string]: number | FormatTable;
}

type Value = string | number | boolean | readonly unknown[];

type FormatsOf<Rules> = {
  readonly [Member in keyof Rules]-?: NonNullable<Rules[Member]> extends Value
    ? number
    : FormatsOf<NonNullable<Rules[Member]>>;
};

const names = { allow: 1, deny: 1 };

/**
 * The formats that this version knows. A version that adds a member, or gives one another meaning, gives it the next
 * number. Stricter enforcement of the same meaning is no new format: docs/decisions/policy.md.
 */
export const ruleFormats: FormatTable = {
  roles: 1,
  groups: 1,
  userIds: 1,
  tools: { ...names, readOnly: 1, pinned: 1 },
  prompts: names,
  resources: names,
  limits: { perMinute: 1, concurrent: 1 },
} satisfies FormatsOf<Policy>;
