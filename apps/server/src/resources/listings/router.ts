import {
  contract,
  type ListedPrompt,
  type ListedResource,
  listedPromptPageSchema,
  listedResourcePageSchema,
  type PageQuery,
} from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { ListedKind } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { jsonInParts } from '../../http/json-in-parts.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import { definitionIn } from '../definition-text.ts';
import { requireIntegration } from '../integrations/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import { type ListedRow, listListed } from './repository.ts';

/** Definitions of at most 8 KiB that are parsed in one turn. */
const IN_ONE_TURN = { part: 10 };

export function listingsRouter({ store, cursors }: RouterDeps) {
  const read = async (
    actor: PersonCaller,
    id: string,
    query: PageQuery,
    list: { readonly name: string; readonly kinds: readonly ListedKind[] },
  ) => {
    await requireIntegration(store.db, actor, id);
    const scope = { list: list.name, actor, perUser: false, filters: { integrationId: id } };
    return readPage(cursors, scope, query, ({ before: after, take }) =>
      listListed(store.db, id, { kinds: list.kinds, after, take }),
    );
  };

  return initServer().router(contract.listings, {
    prompts: async ({ params: { id }, query, res }) => {
      const list = { name: 'prompts', kinds: ['prompt'] } as const;
      const { rows, nextCursor } = await read(actorOf(res), id, query, list);
      const body = { items: presented(rows, presentPrompt), nextCursor };
      return {
        status: 200,
        body: await jsonInParts(res, listedPromptPageSchema, body, IN_ONE_TURN),
      };
    },

    resources: async ({ params: { id }, query, res }) => {
      const list = { name: 'resources', kinds: ['resource', 'resource_template'] } as const;
      const { rows, nextCursor } = await read(actorOf(res), id, query, list);
      const body = { items: presented(rows, presentResource), nextCursor };
      return {
        status: 200,
        body: await jsonInParts(res, listedResourcePageSchema, body, IN_ONE_TURN),
      };
    },
  });
}

/** Each is made when it is written. */
function* presented<Item>(rows: readonly ListedRow[], present: (row: ListedRow) => Item) {
  for (const row of rows) yield present(row);
}

function presentPrompt({ key, definition, listedAt }: ListedRow): ListedPrompt {
  return {
    name: key,
    definition: definitionIn(definition),
    listedAt: listedAt.toISOString(),
  };
}

function presentResource({ kind, key, definition, listedAt }: ListedRow): ListedResource {
  return {
    kind: kind === 'resource_template' ? kind : 'resource',
    uri: key,
    definition: definitionIn(definition),
    listedAt: listedAt.toISOString(),
  };
}
