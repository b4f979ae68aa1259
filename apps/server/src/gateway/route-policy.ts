import {
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
  /** The kinds of names that rules limit. */
  readonly kinds: ReadonlySet<NameKind>;
}

/** Undefined without rules. */
export function routePolicyOf(levels: readonly PolicyLevel[] | undefined): RoutePolicy | undefined {
  if (levels === undefined) return undefined;
  const kinds = nameKinds.filter((kind) => levels.some(({ rules }) => hasRulesOf(rules, kind)));
  return {
    levels,
    hasPeopleRules: levels.some(({ rules }) => hasPeopleRules(rules)),
    hasNameRules: levels.some(({ rules }) => hasNameRules(rules)),
    kinds: new Set(kinds),
  };
}
