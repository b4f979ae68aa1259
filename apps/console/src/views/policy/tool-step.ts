import { matches, type PolicyInput } from '@gatehouse/contract';

type ToolRules = NonNullable<PolicyInput['tools']>;

/** What one click does with a tool at the place that is edited. */
export interface ToolStep {
  readonly label: string;
  /** The rules with it. */
  readonly rules: ToolRules;
}

const without = (patterns: readonly string[], name: string) =>
  patterns.filter((pattern) => pattern !== name);

/**
 * Denies or allows a tool by its name. What a pattern with a star denies is allowed by removing the pattern, which may
 * allow others too, so the step names it. Undefined for a name with a star, which a pattern cannot say alone.
 */
export function toolStepOf(rules: ToolRules, name: string): ToolStep | undefined {
  if (name.includes('*')) return undefined;
  const { allow, deny = [] } = rules;
  const denying = deny.filter((pattern) => matches(pattern, name));
  const wider = denying.find((pattern) => pattern !== name);
  if (wider !== undefined) {
    return { label: `Remove ${wider}`, rules: withDeny(rules, without(deny, wider)) };
  }
  const isAllowed = allow === undefined || allow.some((pattern) => matches(pattern, name));
  if (denying.length === 0 && isAllowed) {
    return { label: 'Deny', rules: withDeny(rules, [...deny, name]) };
  }
  const allowed = withDeny(rules, without(deny, name));
  return {
    label: 'Allow',
    rules: isAllowed ? allowed : { ...allowed, allow: [...(allow ?? []), name] },
  };
}

function withDeny(rules: ToolRules, deny: readonly string[]): ToolRules {
  return { ...rules, deny: deny.length > 0 ? [...deny] : undefined };
}
