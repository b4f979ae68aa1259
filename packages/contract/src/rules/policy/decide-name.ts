import { limits } from '../../shared/limits.ts';
import type { PolicyReason, PolicyReasonCode } from '../../shared/policy-reason.ts';
import { isAmbiguousUri } from './ambiguous-uri.ts';
import { anyMatches } from './pattern-list.ts';
import { reasonsOf } from './policy-reasons.ts';
import { hasRulesOf, type NameKind, type PolicyLevel } from './policy-rules.ts';

/** As long as a pattern may be. A longer name is refused if there are rules of its kind: comparing it would take too long. */
export const MAX_NAME_LENGTH = limits.policyResourcePattern;

/** Whether the tool or prompt with this name, or the resource with this URI, may be used. Anything but text is refused. */
export function decideName(
  levels: readonly PolicyLevel[],
  kind: NameKind,
  name: string | undefined,
): readonly PolicyReason[] {
  return reasonsOf(levels, (level) => nameRefusal(level, kind, name));
}

/** The refusal of one level. */
export function nameRefusal(
  { rules }: PolicyLevel,
  kind: NameKind,
  name: string | undefined,
): PolicyReasonCode | undefined {
  if (!hasRulesOf(rules, kind)) return undefined;
  if (name === undefined || name.length > MAX_NAME_LENGTH) return notAllowed[kind];
  if (kind === 'resources' && isAmbiguousUri(name)) return notAllowed[kind];
  const { allow, deny } = rules[kind] ?? {};
  if (deny !== undefined && anyMatches(deny, name)) return denied[kind];
  return allow === undefined || anyMatches(allow, name) ? undefined : notAllowed[kind];
}

/** The code for what `deny` matches. */
export const denied = {
  tools: 'tool_denied',
  prompts: 'prompt_denied',
  resources: 'resource_denied',
} as const satisfies Record<NameKind, PolicyReasonCode>;

/** The code for what `allow` does not match, and for names that no pattern can be compared with. */
export const notAllowed = {
  tools: 'tool_not_allowed',
  prompts: 'prompt_not_allowed',
  resources: 'resource_not_allowed',
} as const satisfies Record<NameKind, PolicyReasonCode>;
