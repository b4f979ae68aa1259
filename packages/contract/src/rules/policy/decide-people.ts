import type { PeopleReasonCode, PolicyReason } from '../../shared/policy-reason.ts';
import { reasonsOf } from './policy-reasons.ts';
import { hasPeopleRules, type PolicyLevel, type PolicyRules } from './policy-rules.ts';

/** Who asks: a person, or an application for itself with client credentials. */
export type PolicyCaller =
  | {
      readonly kind: 'person';
      readonly userId: string;
      readonly role: string;
      readonly groupIds: readonly string[];
    }
  | { readonly kind: 'application' };

/**
 * Whether a caller may use the integration at all. `roles`, `groups` and `userIds` work as one list: one match is enough,
 * and if the list is empty, nobody may. A role matches only itself.
 */
export function decidePeople(
  levels: readonly PolicyLevel[],
  caller: PolicyCaller,
): readonly PolicyReason<PeopleReasonCode>[] {
  return reasonsOf(levels, ({ rules }) => peopleRefusal(rules, caller));
}

function peopleRefusal(rules: PolicyRules, caller: PolicyCaller): PeopleReasonCode | undefined {
  if (!hasPeopleRules(rules)) return undefined;
  if (caller.kind === 'application') return 'client_credentials';
  const { roles, groups, userIds } = rules;
  const isNamed =
    roles?.includes(caller.role) ||
    userIds?.includes(caller.userId) ||
    groups?.some((id) => caller.groupIds.includes(id));
  if (isNamed) return undefined;
  return roles === undefined && groups === undefined ? 'person' : 'role_or_group';
}
