import type { PolicyLevelName } from '../../shared/policy-reason.ts';

/** Which names of a kind may be used: those that `allow` matches (all if it is absent), except those that `deny` matches. */
export interface NameRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** How closely a tool must be as an admin approved it: in everything, or without the texts of the tool itself. */
export const toolPins = ['definition', 'schema'] as const;
export type ToolPin = (typeof toolPins)[number];

/** Which tools may be used, by their names and by what their server says of them. */
export interface ToolRules extends NameRules {
  /** Only tools that their server says change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Only tools as an admin approved them. */
  readonly pinned?: ToolPin | undefined;
}

/** The kinds of things that names are for. */
export type NameKind = 'tools' | 'prompts' | 'resources';

/** The kinds with rules about names, in the order of the rules. */
export const nameKinds = ['tools', 'prompts', 'resources'] as const satisfies readonly NameKind[];

/** Who may use an integration, and which parts of it. A field that is absent restricts nothing. */
export interface PolicyRules {
  readonly tools?: ToolRules | undefined;
  readonly prompts?: NameRules | undefined;
  readonly resources?: NameRules | undefined;
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
  const hasNames = allow !== undefined || (deny !== undefined && deny.length > 0);
  return hasNames || (kind === 'tools' && hasDefinitionRules(rules));
}

/** Whether the definition of a tool decides, not only its name. */
export function hasDefinitionRules({ tools }: PolicyRules): boolean {
  return tools?.readOnly === true || tools?.pinned !== undefined;
}

const EVERYTHING = /^\*+$/;

/** Whether rules may refuse any tool: `allow` with `*` alone refuses no tool. */
export function mayRefuseTools(rules: PolicyRules): boolean {
  const { allow, deny = [] } = rules.tools ?? {};
  const allowsAll = allow?.some((pattern) => EVERYTHING.test(pattern)) && deny.length === 0;
  return hasRulesOf(rules, 'tools') && (!allowsAll || hasDefinitionRules(rules));
}

/** Whether there are rules about names of any kind, so that the body of a request decides. */
export function hasNameRules(rules: PolicyRules): boolean {
  return nameKinds.some((kind) => hasRulesOf(rules, kind));
}
