import { hash } from 'node:crypto';
import {
  hasDefinitionRules,
  hasNameRules,
  hasPeopleRules,
  hasRulesOf,
  type NameKind,
  nameKinds,
  type PolicyLevel,
} from '@gatehouse/contract';

/** The rules of a route, and what they are about. */
export interface RoutePolicy {
  readonly levels: readonly PolicyLevel[];
  readonly hasPeopleRules: boolean;
  /** A body must be read before it goes up. */
  readonly hasNameRules: boolean;
  /** What is known of a tool decides too. */
  readonly hasDefinitionRules: boolean;
  /** The kinds of names that rules limit. */
  readonly kinds: ReadonlySet<NameKind>;
  /** Of the rules of each kind: when it changes, a list may. */
  readonly digests: ReadonlyMap<NameKind, string>;
}

/** Undefined without rules. @param toolsReviewedAt when the approved definitions of tools changed last */
export function routePolicyOf(
  levels: readonly PolicyLevel[] | undefined,
  toolsReviewedAt: Date | null,
): RoutePolicy | undefined {
  if (levels === undefined) return undefined;
  const kinds = nameKinds.filter((kind) => levels.some(({ rules }) => hasRulesOf(rules, kind)));
  return {
    levels,
    hasPeopleRules: levels.some(({ rules }) => hasPeopleRules(rules)),
    hasNameRules: levels.some(({ rules }) => hasNameRules(rules)),
    hasDefinitionRules: levels.some(({ rules }) => hasDefinitionRules(rules)),
    kinds: new Set(kinds),
    digests: new Map(kinds.map((kind) => [kind, digestOf(levels, kind, toolsReviewedAt)])),
  };
}

/** The kinds of lists that may differ between two states of the rules. */
export function changedKinds(
  before: RoutePolicy | undefined,
  after: RoutePolicy | undefined,
): readonly NameKind[] {
  return nameKinds.filter((kind) => before?.digests.get(kind) !== after?.digests.get(kind));
}

function digestOf(
  levels: readonly PolicyLevel[],
  kind: NameKind,
  toolsReviewedAt: Date | null,
): string {
  const rules = levels.flatMap(({ level, rules }) =>
    hasRulesOf(rules, kind) ? [[level, rules[kind]]] : [],
  );
  const isReviewed = kind === 'tools' && levels.some(({ rules }) => hasDefinitionRules(rules));
  return hash('sha256', JSON.stringify([rules, isReviewed ? toolsReviewedAt : null]));
}
