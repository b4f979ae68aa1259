import { type IntegrationPolicy, isJsonObject, type Policy } from '@gatehouse/contract';

/** Rules with the lowest format that understands all of them. Without a format it is 1. */
export type StoredRules = IntegrationPolicy & { readonly format?: number };

/** A schema of rules that have no format. */
export interface RulesSchema<Rules> {
  safeParse(rules: unknown): { readonly data?: Rules | undefined };
}

/** Format 1 is not written, because versions that know no other refuse rules with any format. */
export function toStored(
  policy: IntegrationPolicy,
  formats: FormatTable = ruleFormats,
): StoredRules {
  const { perApplication = {}, ...rules } = policy;
  const levels = [rules, ...Object.values(perApplication)];
  const format = Math.max(...levels.map((level) => lowestFormatOf(level, formats)));
  return format === 1 ? policy : { ...policy, format };
}

/** Stored rules; undefined if this version does not know their format, or they do not match the schema. */
export function fromStored<Rules>(
  schema: RulesSchema<Rules>,
  stored: unknown,
  formats: FormatTable = ruleFormats,
): Rules | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { format = 1, ...rules } = stored;
  return isKnown(format, formats) ? schema.safeParse(rules).data : undefined;
}

function lowestFormatOf(rules: Readonly<Record<string, unknown>>, formats: FormatTable): number {
  const each = Object.entries(formats).map(([member, format]) => {
    const value = rules[member];
    if (typeof format === 'number') return value === undefined ? 1 : format;
    return isJsonObject(value) ? lowestFormatOf(value, format) : 1;
  });
  return Math.max(1, ...each);
}

function isKnown(format: unknown, formats: FormatTable): boolean {
  return Number.isInteger(format) && Number(format) >= 1 && Number(format) <= highestOf(formats);
}

function highestOf(formats: FormatTable): number {
  const each = Object.values(formats);
  return Math.max(1, ...each.map((one) => (typeof one === 'number' ? one : highestOf(one))));
}

/** For each member of rules, the lowest format of stored rules that understands it. */
interface FormatTable {
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
