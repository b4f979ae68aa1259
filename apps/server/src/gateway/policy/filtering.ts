import { decideName, decideTemplate, decideTool, type PolicyReason } from '@gatehouse/contract';
import type { ListFilterOptions } from '../../mcp/list-filter/options.ts';
import type { ListKey } from '../../mcp/methods.ts';
import { CurrentRules, type RulesDeps, type RulesNow } from './rules-now.ts';

/** How the lists of a response are filtered. */
export interface Filtering extends Omit<ListFilterOptions, 'messages'> {
  readonly integrationId: string;
}

/** How a response is read to which rules about names apply, but which has no list that they are about. */
export function unfiltered({ route: { integrationId } }: RulesNow): Filtering {
  return { integrationId, allows: undefined, makePrivate: false };
}

/** Filters by the rules of a route, as they are when an entry or `cacheScope` is read. */
export function filteringOf(admitted: RulesNow, deps: RulesDeps): Filtering {
  const rules = new CurrentRules(admitted, deps);
  return {
    integrationId: admitted.route.integrationId,
    allows: (list, name, entry) => reasonsOf(rules.now, list, name, entry).length === 0,
    // A list for one person must not be cached for others.
    get makePrivate() {
      return rules.now.route.policy?.hasPeopleRules ?? false;
    },
  };
}

function reasonsOf(
  { route: { policy }, catalogue }: RulesNow,
  list: ListKey,
  name: string,
  entry: Buffer,
): readonly PolicyReason[] {
  const levels = policy?.levels ?? [];
  if (list === 'resourceTemplates') return decideTemplate(levels, name);
  if (list !== 'tools' || !policy?.hasDefinitionRules) return decideName(levels, list, name);
  return decideTool(levels, name, catalogue?.see(entry, name));
}
