import type { Contract, ListedPrompt, ListedResource } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { requireIntegration } from '../rules/integrations.ts';
import type { ListedEntryRow } from '../state/rows.ts';
import { listedKey } from '../state/state.ts';

type Listings = Operations<Contract['listings']>;
type Call = Parameters<Listings['prompts']['act']>[0];

export const listings: Listings = {
  prompts: {
    act(call) {
      const { rows, nextCursor } = pageOf(call, 'prompts', ({ kind }) => kind === 'prompt');
      const items = rows.map(
        ({ key, definition, listedAt }): ListedPrompt => ({ name: key, definition, listedAt }),
      );
      return { status: 200, body: { items, nextCursor } };
    },
  },

  resources: {
    act(call) {
      const { rows, nextCursor } = pageOf(call, 'resources', ({ kind }) => kind !== 'prompt');
      const items = rows.flatMap(({ kind, key, definition, listedAt }): ListedResource[] =>
        kind === 'prompt' ? [] : [{ kind, uri: key, definition, listedAt }],
      );
      return { status: 200, body: { items, nextCursor } };
    },
  },
};

/** By kind, and by name or URI. */
function pageOf(call: Call, list: string, isListed: (row: ListedEntryRow) => boolean) {
  const { state, actor, params, query } = call;
  const { id } = requireIntegration(call, params.id);
  const scope = {
    list,
    organizationId: actor.organizationId,
    filters: { integrationId: id },
  };
  const after = query.cursor === undefined ? '' : state.cursors.decode(scope, query.cursor);
  const found = [...state.listedEntries]
    .filter(([key, row]) => row.integrationId === id && isListed(row) && key > after)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  const hasMore = found.length > rows.length && last !== undefined;
  return { rows, nextCursor: hasMore ? state.cursors.encode(scope, listedKey(last)) : null };
}
