import { jsonPointer } from '../../shared/json-pointer.ts';
import type { PolicyRules } from './policy-rules.ts';

/** The rules of an integration, with those for single applications. */
export interface IntegrationPolicyRules extends PolicyRules {
  readonly perApplication?: Readonly<Record<string, PolicyRules>> | undefined;
}

/** The rows that rules name. */
export type PolicyReferenceKind = 'group' | 'user' | 'application';

/** An id in rules, and where it is. */
export interface PolicyReference {
  readonly kind: PolicyReferenceKind;
  readonly id: string;
  readonly pointer: string;
}

/** Every id that rules name, in their order. */
export function policyReferencesOf({
  perApplication = {},
  ...rules
}: IntegrationPolicyRules): PolicyReference[] {
  return [
    ...referencesAt(rules, []),
    ...Object.entries(perApplication).flatMap(([id, own]) => {
      const path = ['perApplication', id];
      const application = { kind: 'application', id, pointer: jsonPointer(path) } as const;
      return [application, ...referencesAt(own, path)];
    }),
  ];
}

function referencesAt(rules: PolicyRules, path: readonly string[]): PolicyReference[] {
  const of = (kind: PolicyReferenceKind, field: 'groups' | 'userIds') =>
    (rules[field] ?? []).map((id, index) => ({
      kind,
      id,
      pointer: jsonPointer([...path, field, String(index)]),
    }));
  return [...of('group', 'groups'), ...of('user', 'userIds')];
}

/** Why an id cannot be named. */
export const policyReferenceMessages: Readonly<Record<PolicyReferenceKind, string>> = {
  group: 'There is no such group.',
  user: 'There is no such member.',
  application: 'There is no such application.',
};

/** The same for a member who owns an application. It does not show whether the row exists. */
export const ownPolicyReferenceMessages: Readonly<Record<PolicyReferenceKind, string>> = {
  group: 'Must be one of your own groups.',
  user: 'Must be you. Only admins and owners may name others.',
  application: policyReferenceMessages.application,
};
