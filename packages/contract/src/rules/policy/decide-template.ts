import type { PolicyReason, PolicyReasonCode } from '../../shared/policy-reason.ts';
import { isAmbiguousUri } from './ambiguous-uri.ts';
import { denied, MAX_NAME_LENGTH, nameRefusal, notAllowed } from './decide-name.ts';
import { haveCommonName, matchesPieces, type Pieces } from './pattern.ts';
import { anyMatches, patternListOf } from './pattern-list.ts';
import { reasonsOf } from './policy-reasons.ts';
import { hasRulesOf, type PolicyLevel } from './policy-rules.ts';

/** An expression of RFC 6570, which may expand to anything. One that is not closed goes on to the next brace or the end. */
const EXPRESSION = /\{[^{}]*\}?/;

/**
 * Whether a URI template may be shown. It may if one of its expansions can be allowed: a pattern in `deny` hides it only
 * if it matches every expansion, and a pattern in `allow` is enough if it matches any.
 */
export function decideTemplate(
  levels: readonly PolicyLevel[],
  template: string | undefined,
): readonly PolicyReason[] {
  return reasonsOf(levels, (level) => templateRefusal(level, template));
}

/** Whether a URI may be an expansion of a URI template. */
export function isExpansionOf(template: string, uri: string): boolean {
  return matchesPieces(template.split(EXPRESSION), uri);
}

/** The refusal of one level. */
function templateRefusal(
  level: PolicyLevel,
  template: string | undefined,
): PolicyReasonCode | undefined {
  if (!hasRulesOf(level.rules, 'resources')) return undefined;
  if (template === undefined || template.length > MAX_NAME_LENGTH) return notAllowed.resources;
  const pieces = template.split(EXPRESSION);
  if (pieces.length === 1) return nameRefusal(level, 'resources', template);
  if (isAmbiguousUri(template)) return notAllowed.resources;

  const { allow, deny } = level.rules.resources ?? {};
  // No pattern contains U+0000: only its `*` matches an expression.
  const expressionsAsNul = pieces.join('\0');
  if (deny !== undefined && anyMatches(deny, expressionsAsNul)) return denied.resources;
  return allow === undefined || anyCanMatch(allow, pieces) ? undefined : notAllowed.resources;
}

function anyCanMatch(patterns: readonly string[], pieces: Pieces): boolean {
  const { literals, wildcards } = patternListOf(patterns);
  for (const other of wildcards) if (haveCommonName(other, pieces)) return true;
  for (const literal of literals) if (matchesPieces(pieces, literal)) return true;
  return false;
}
