import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { requireMatch, setEtag } from '../../http/etag.ts';
import { mutate } from '../../http/mutate.ts';
import type { Deps } from '../deps.ts';
import {
  attachIntegration,
  detachIntegration,
  listIntegrationIds,
  requireIntegration,
  setIntegrations,
} from './attachments.ts';
import { getApplication } from './service.ts';

const {
  listIntegrations,
  setIntegrations: set,
  attachIntegration: attach,
  detachIntegration: detach,
} = contract.applications;

/** The operations of `/applications/:id/integrations`. */
export function attachmentHandlers(deps: Deps) {
  const operations = {
    listIntegrations,
    setIntegrations: set,
    attachIntegration: attach,
    detachIntegration: detach,
  };
  return initServer().router(operations, {
    listIntegrations: async ({ params, res }) => {
      const application = await getApplication(deps.store.db, actorOf(res), params.id);
      setEtag(res, application.version);
      const integrationIds = await listIntegrationIds(deps.store.db, application.id);
      return { status: 200, body: { integrationIds } };
    },

    setIntegrations: ({ params, body, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const match = (version: number) => requireMatch(req, version);
          const { integrationIds: wanted } = body;
          const application = await setIntegrations(tx, actorOf(res), params.id, wanted, match);
          const integrationIds = await listIntegrationIds(tx.db, application.id);
          return { status: 200, body: { integrationIds }, version: application.version };
        },
      }),

    attachIntegration: ({ params: { id, integrationId }, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: async (db) => {
          await getApplication(db, actor, id);
          await requireIntegration(db, actor, integrationId);
        },
        act: async (tx) => {
          const { version } = await attachIntegration(tx, actor, id, integrationId);
          return { status: 204, body: undefined, version };
        },
      });
    },

    detachIntegration: ({ params: { id, integrationId }, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const match = (version: number) => requireMatch(req, version);
          const actor = actorOf(res);
          const { version } = await detachIntegration(tx, actor, id, integrationId, match);
          return { status: 204, body: undefined, version };
        },
      }),
  });
}
