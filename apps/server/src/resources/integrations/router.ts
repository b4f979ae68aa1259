import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { authorizeAgain } from '../../http/authorize-route.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { locationOf, mutate, setEtag } from '../../http/mutate.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import type { RouterDeps } from '../router-deps.ts';
import { connectionCountsFor } from './connection-counts.ts';
import { removeOauth, replaceOauth } from './oauth-service.ts';
import { replaceIntegrationPolicy, requireIntegrationPolicy } from './policy-service.ts';
import { presentIntegration, presentOauthConfig, presentOneIntegration } from './presenter.ts';
import { type IntegrationRow, listIntegrations } from './repository.ts';
import { requireOauth } from './rules.ts';
import {
  archiveIntegration,
  checkCreateBody,
  checkUpdateBody,
  createIntegration,
  requireIntegration,
  restoreIntegration,
  updateIntegration,
} from './service.ts';
import {
  discoverIntegration,
  recordValidation,
  validateIntegration,
} from './validation-service.ts';

export function integrationsRouter(deps: RouterDeps) {
  const { store, cursors, publicUrl } = deps;
  return initServer().router(contract.integrations, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        check: () => checkCreateBody(deps, body),
        act: async (mutation) => {
          const integration = await createIntegration(mutation, deps, body);
          return {
            status: 201,
            body: { integration: await presentFor(mutation, integration) },
            version: integration.version,
            location: locationOf(publicUrl, `/integrations/${integration.id}`),
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { name, includeArchived } = query;
      const filters = { name, includeArchived };
      const scope = { list: 'integrations', actor, perUser: false, filters };
      const { rows, nextCursor } = await readPage(cursors, scope, query, (page) =>
        listIntegrations(store.db, actor, filters, page),
      );
      const counts = await connectionCountsFor(store.db, actor, rows);
      const items = rows.map((row) => presentIntegration(row, counts));
      return { status: 200, body: { items, nextCursor } };
    },

    discover: async ({ body: { url }, res }) => {
      const actor = await authorizeAgain(store.db, res);
      return { status: 200, body: await discoverIntegration(deps, actor, url) };
    },

    get: async ({ params: { id }, res }) => {
      const actor = actorOf(res);
      const row = await requireIntegration(store.db, actor, id);
      setEtag(res, row.version);
      const integration = await presentFor({ tx: store, actor }, row);
      return { status: 200, body: { integration } };
    },

    update: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        check: () => checkUpdateBody(body),
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const { before, after } = await updateIntegration(mutation, deps, id, body);
          const shown = presentIntegration(before, new Map());
          checkFixedFields(contract.integrations.update.body, req.body, shown);
          return {
            status: 200,
            body: { integration: await presentFor(mutation, after) },
            version: after.version,
          };
        },
      }),

    archive: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const { version } = await archiveIntegration(mutation, id);
          return { status: 204, body: undefined, version };
        },
      }),

    restore: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const integration = await restoreIntegration(mutation, id);
          return {
            status: 200,
            body: { integration: await presentFor(mutation, integration) },
            version: integration.version,
          };
        },
      }),

    validate: async ({ params: { id }, req, res }) => {
      const validation = await validateIntegration(
        store.db,
        deps,
        await authorizeAgain(store.db, res),
        id,
      );
      return mutate(deps, req, res, {
        act: async (mutation) => ({
          status: 200,
          body: await recordValidation(mutation, validation),
        }),
      });
    },

    getOauth: async ({ params: { id }, res }) => {
      const integration = await requireIntegration(store.db, actorOf(res), id);
      requireOauth(integration);
      setEtag(res, integration.version);
      return { status: 200, body: { oauth: presentOauthConfig(integration, publicUrl) } };
    },

    putOauth: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const { before, after } = await replaceOauth(mutation, deps, id, body);
          checkFixedFields(
            contract.integrations.putOauth.body,
            req.body,
            presentOauthConfig(before, publicUrl),
          );
          return {
            status: 200,
            body: { oauth: presentOauthConfig(after, publicUrl) },
            version: after.version,
          };
        },
      }),

    deleteOauth: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const { version } = await removeOauth(mutation, id);
          return { status: 204, body: undefined, version };
        },
      }),

    getPolicy: async ({ params: { id }, res }) => {
      const { integration, policy } = await requireIntegrationPolicy(store.db, actorOf(res), id);
      setEtag(res, integration.version);
      return { status: 200, body: { policy } };
    },

    putPolicy: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireIntegration(db, actor, id),
        act: async (mutation) => {
          const { integration, policy } = await replaceIntegrationPolicy(mutation, id, body ?? {});
          return { status: 200, body: { policy }, version: integration.version };
        },
      }),
  });
}

interface Reading {
  readonly tx: { readonly db: Db };
  readonly actor: PersonCaller;
}

async function presentFor({ tx: { db }, actor }: Reading, row: IntegrationRow) {
  return presentOneIntegration(row, await connectionCountsFor(db, actor, [row]));
}
