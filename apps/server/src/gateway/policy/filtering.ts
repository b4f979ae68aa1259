import { decideName, decideTemplate } from '@gatehouse/contract';
import type { ListFilterOptions } from '../../mcp/list-filter/options.ts';
import type { MessageIds } from '../../mcp/message-ids.ts';
import type { Route, Routes } from '../routes.ts';

/** How the lists of a response are filtered. */
export interface Filtering extends ListFilterOptions {
  readonly integrationId: string;
  /** The ids of the requests that await the response; undefined for a GET stream. */
  readonly ids: MessageIds | undefined;
}

/** Filters by the rules of a route, as they are when an entry is read. */
export function filteringOf(
  admitted: Route,
  routes: Pick<Routes, 'peek'>,
  ids: MessageIds | undefined,
): Filtering {
  const levelsNow = () => currentOf(admitted, routes).policy?.levels ?? [];
  return {
    integrationId: admitted.integrationId,
    allows: (list, name) => {
      const levels = levelsNow();
      const reasons =
        list === 'resourceTemplates'
          ? decideTemplate(levels, name)
          : decideName(levels, list, name);
      return reasons.length === 0;
    },
    // A list for one person must not be cached for others.
    makePrivate: admitted.policy?.hasPeopleRules ?? false,
    ids,
  };
}

/** The route as last read. If it is gone, the call ends anyway. */
function currentOf(admitted: Route, routes: Pick<Routes, 'peek'>): Route {
  try {
    return routes.peek(admitted.organizationId, admitted.key) ?? admitted;
  } catch {
    return admitted;
  }
}
