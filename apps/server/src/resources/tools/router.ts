import { setImmediate as nextTurn } from 'node:timers/promises';
import { contract, limits, toolPageSchema } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { jsonInParts } from '../../http/json-in-parts.ts';
import { mutate } from '../../http/mutate.ts';
import { requireIntegration } from '../integrations/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentTool } from './presenter.ts';
import { listTools, type ToolRow } from './repository.ts';
import { approveTools, withdrawTools } from './service.ts';

export function toolsRouter(deps: RouterDeps) {
  const { store, cursors, catalogues } = deps;
  return initServer().router(contract.tools, {
    list: async ({ params: { id }, query, res }) => {
      const actor = actorOf(res);
      await requireIntegration(store.db, actor, id);
      await catalogues.write(id);
      // On the embedded database, statements that follow each other run in one turn, and a page is long.
      await nextTurn();
      const { state } = query;
      const filters = { integrationId: id, state: state ?? null };
      const scope = { list: 'tools', actor, perUser: false, filters };
      const { rows, nextCursor } = await readPage(
        cursors,
        scope,
        query,
        ({ before: after, take }) => listTools(store.db, id, { state, after, take }),
        async (read) => countShown(read),
      );
      const body = { items: presented(rows), nextCursor };
      return { status: 200, body: await jsonInParts(res, toolPageSchema, body, { part: 1 }) };
    },

    approve: async ({ params: { id }, body, req, res }) => {
      await catalogues.write(id);
      return mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const changed = await approveTools(mutation, id, body.fingerprints);
          return { status: 200, body: { changed } };
        },
      });
    },

    withdraw: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const changed = await withdrawTools(mutation, id, body.fingerprints);
          return { status: 200, body: { changed } };
        },
      }),
  });
}

/** The first is always shown. */
function countShown(rows: readonly ToolRow[]): number {
  const beyond = rows.findIndex(({ bytesBefore }) => bytesBefore >= limits.pageDefinitionBytes);
  return beyond === -1 ? rows.length : beyond;
}

/** Each is made when it is written: its patch may take milliseconds. */
function* presented(rows: readonly ToolRow[]) {
  for (const row of rows) yield presentTool(row);
}
