import type { PolicyLevelName } from '../../shared/policy-reason.ts';

/** Which names of a kind may be used: those that `allow` matches (all if it is absent), except those that `deny` matches. */
export interface NameRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** The kinds of things that names are for. */
export type NameKind = 'tools' | 'prompts' | 'resources';

/** The kinds with rules about names, in the order of the rules. */
export const nameKinds = ['tools', 'prompts', 'resources'] as const satisfies readonly NameKind[];

/** Who may use an integration, and which parts of it. A field that is absent restricts nothing. */
export interface PolicyRules extends Readonly<Partial<Record<NameKind, NameRules | undefined>>> {
  readonly roles?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly userIds?: readonly string[] | undefined;
}

/** The rules of one level. All levels must allow. */
export interface PolicyLevel {
  readonly level: PolicyLevelName;
  readonly rules: PolicyRules;
}

/** Whether rules say who may use the integration. */
export function hasPeopleRules({ roles, groups, userIds }: PolicyRules): boolean {
  return roles !== undefined || groups !== undefined || userIds !== undefined;
}

/** Whether rules of a kind restrict anything: an empty `deny` does not. */
export function hasRulesOf(rules: PolicyRules, kind: NameKind): boolean {
  const { allow, deny } = rules[kind] ?? {};
  return allow !== undefined || (deny !== undefined && deny.length > 0);
}

/** Whether there are rules about names of any kind, so that the body of a request decides. */
export function hasNameRules(rules: PolicyRules): boolean {
  return nameKinds.some((kind) => hasRulesOf(rules, kind));
}
