import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { requireMatch, setEtag } from '../../http/etag.ts';
import { locationOf } from '../../http/location.ts';
import { mutate } from '../../http/mutate.ts';
import { readPage } from '../../http/page.ts';
import type { Deps } from '../deps.ts';
import { requireAllowedUrl } from './merge.ts';
import { removeOauth, replaceOauth, requireOauth } from './oauth-service.ts';
import { presentIntegration, presentOauthConfig } from './presenter.ts';
import { listIntegrations } from './repository.ts';
import {
  archiveIntegration,
  changeIntegration,
  checkBody,
  createIntegration,
  requireIntegration,
  restoreIntegration,
} from './service.ts';
import { validateIntegration } from './validate.ts';

export function integrationsRouter(deps: Deps) {
  return initServer().router(contract.integrations, {
    create: ({ body, req, res }) => {
      checkBody(body);
      requireAllowedUrl(deps.egress, body);
      return mutate(deps, req, res, {
        act: async (tx) => {
          const integration = await createIntegration(tx, deps, actorOf(res), body);
          return {
            status: 201,
            body: { integration: presentIntegration(integration) },
            version: integration.version,
            location: locationOf(deps.publicUrl, `/integrations/${integration.id}`),
          };
        },
      });
    },

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { name, includeArchived } = query;
      const filters = { name, includeArchived };
      const scope = { list: 'integrations', actor, perUser: false, filters };
      const { rows, nextCursor } = await readPage(deps.cursors, scope, query, (page) =>
        listIntegrations(deps.store.db, actor, filters, page),
      );
      return { status: 200, body: { items: rows.map(presentIntegration), nextCursor } };
    },

    get: async ({ params, res }) => {
      const integration = await requireIntegration(deps.store.db, actorOf(res), params.id);
      setEtag(res, integration.version);
      return { status: 200, body: { integration: presentIntegration(integration) } };
    },

    update: ({ params, body, req, res }) => {
      const actor = actorOf(res);
      checkBody(body);
      return mutate(deps, req, res, {
        exists: (db) => requireIntegration(db, actor, params.id),
        act: async (tx) => {
          const integration = await changeIntegration(tx, deps, actor, params.id, {
            body,
            precondition: (version) => requireMatch(req, version),
          });
          return {
            status: 200,
            body: { integration: presentIntegration(integration) },
            version: integration.version,
          };
        },
      });
    },

    archive: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const precondition = (version: number) => requireMatch(req, version);
          const { version } = await archiveIntegration(tx, actorOf(res), params.id, precondition);
          return { status: 204, body: undefined, version };
        },
      }),

    restore: ({ params, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => requireIntegration(db, actor, params.id),
        act: async (tx) => {
          const integration = await restoreIntegration(tx, actor, params.id);
          return {
            status: 200,
            body: { integration: presentIntegration(integration) },
            version: integration.version,
          };
        },
      });
    },

    validate: async ({ params, res }) => ({
      status: 200,
      body: await validateIntegration(deps, actorOf(res), params.id),
    }),

    getOauth: async ({ params, res }) => {
      const integration = await requireIntegration(deps.store.db, actorOf(res), params.id);
      const oauth = requireOauth(integration);
      setEtag(res, integration.version);
      return { status: 200, body: { oauth: presentOauthConfig(oauth, integration.secrets) } };
    },

    putOauth: ({ params, body, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const { oauth, integration } = await replaceOauth(tx, deps, actorOf(res), params.id, {
            body,
            precondition: (version) => requireMatch(req, version),
          });
          return {
            status: 200,
            body: { oauth: presentOauthConfig(oauth, integration.secrets) },
            version: integration.version,
          };
        },
      }),

    deleteOauth: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const precondition = (version: number) => requireMatch(req, version);
          const { version } = await removeOauth(tx, actorOf(res), params.id, precondition);
          return { status: 204, body: undefined, version };
        },
      }),
  });
}
