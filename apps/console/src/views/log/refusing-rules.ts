import {
  integrationPolicySchema,
  isJsonObject,
  type JsonObject,
  matches,
  type NameKind,
  type PolicyInput,
  type PolicyLevelName,
  policySchema,
} from '@gatehouse/contract';
import type { AuditEvent } from '@gatehouse/sdk';
import type { Call } from './call.ts';

/** A rule that has refused a call, as it stood then. */
export interface RefusingRule {
  readonly level: PolicyLevelName;
  /** The pattern that denies; undefined where no pattern allows, or where the rule has no patterns. */
  readonly pattern: string | undefined;
  /** The change that made the rule what it was. */
  readonly setBy: AuditEvent;
}

/** The parts of rules that give each reason. */
const FIELDS: Readonly<Record<string, readonly (keyof PolicyInput)[]>> = {
  role_or_group: ['roles', 'groups', 'userIds'],
  person: ['roles', 'groups', 'userIds'],
  client_credentials: ['roles', 'groups', 'userIds'],
  ...Object.fromEntries(
    ['denied', 'not_allowed', 'not_read_only', 'changed', 'new'].map((code) => [
      `tool_${code}`,
      ['tools'],
    ]),
  ),
  prompt_denied: ['prompts'],
  prompt_not_allowed: ['prompts'],
};

/**
 * The rules behind a reason of a refused call, by the changes before it. Nothing for a resource, of which the log keeps
 * no URI, and for rules that were set before the log kept their values, or are too long for it.
 *
 * @param changes those of the integration and of its attachment, the newest first
 */
export function refusingRules(
  reason: string,
  { name, applicationId }: Pick<Call, 'name' | 'applicationId'>,
  changes: readonly AuditEvent[],
): readonly RefusingRule[] {
  const fields = FIELDS[reason] ?? [];
  return fields.flatMap((field) =>
    (['integration', 'application', 'attachment'] as const).flatMap((level): RefusingRule[] => {
      const set = ruleAt(level, field, applicationId, changes);
      const found = set && refusalOf(reason, field, set.rules, name);
      return found ? [{ level, pattern: found.pattern, setBy: set.setBy }] : [];
    }),
  );
}

function ruleAt(
  level: PolicyLevelName,
  field: keyof PolicyInput,
  applicationId: string | undefined,
  changes: readonly AuditEvent[],
): { readonly rules: PolicyInput; readonly setBy: AuditEvent } | undefined {
  const action =
    level === 'attachment' ? 'application.policy_changed' : 'integration.policy_changed';
  const changed = level === 'application' ? 'perApplication' : field;
  for (const setBy of changes) {
    if (setBy.action !== action) continue;
    const change = changeOf(setBy, changed);
    if (change === undefined) continue;
    if (change.truncated === true) return undefined;
    const policy = { [changed]: change.to ?? undefined };
    if (level === 'attachment') return { rules: parsed(policySchema, policy), setBy };
    const read = parsed(integrationPolicySchema, policy);
    const own = applicationId === undefined ? undefined : read.perApplication?.[applicationId];
    return { rules: level === 'application' ? (own ?? {}) : read, setBy };
  }
  return undefined;
}

/** What an event says of one part of the rules; undefined where it did not touch it. */
function changeOf({ details: { changes } }: AuditEvent, field: string): JsonObject | undefined {
  if (!Array.isArray(changes)) return undefined;
  return changes.filter(isJsonObject).find((change) => change.field === field);
}

function parsed<Policy extends object>(
  schema: { safeParse(value: unknown): { success: boolean; data?: Policy } },
  value: unknown,
): Partial<Policy> {
  return schema.safeParse(value).data ?? {};
}

function refusalOf(
  reason: string,
  field: keyof PolicyInput,
  rules: PolicyInput,
  name = '',
): { readonly pattern: string | undefined } | undefined {
  const rule = rules[field];
  if (rule === undefined) return undefined;
  if (!isNameKind(field)) return { pattern: undefined };
  const { allow, deny = [] } = rules[field] ?? {};
  const { readOnly, pinned } = rules.tools ?? {};
  if (reason.endsWith('_denied')) {
    const pattern = deny.find((each) => matches(each, name));
    return pattern === undefined ? undefined : { pattern };
  }
  if (reason === 'tool_not_read_only') return readOnly ? { pattern: undefined } : undefined;
  if (reason === 'tool_changed' || reason === 'tool_new') return pinned && { pattern: undefined };
  const isRefused = allow !== undefined && !allow.some((each) => matches(each, name));
  return isRefused ? { pattern: undefined } : undefined;
}

function isNameKind(field: keyof PolicyInput): field is NameKind {
  return field === 'tools' || field === 'prompts' || field === 'resources';
}
