import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { actorOf } from '../../http/context.ts';
import { setEtag } from '../../http/etag.ts';
import { mutate } from '../../http/mutate.ts';
import { requireIntegration } from '../integrations/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import {
  attachIntegration,
  detachIntegration,
  listIntegrationIds,
  setIntegrations,
} from './attachment-service.ts';
import { replaceAttachmentPolicy, requireAttachmentPolicy } from './policy-service.ts';
import { requireApplication } from './service.ts';

/** The operations of `/applications/:id/integrations`. */
export function attachmentsRouter(deps: RouterDeps) {
  const { store, publicUrl } = deps;
  const operations = {
    listIntegrations: contract.applications.listIntegrations,
    setIntegrations: contract.applications.setIntegrations,
    attachIntegration: contract.applications.attachIntegration,
    detachIntegration: contract.applications.detachIntegration,
    getPolicy: contract.applications.getPolicy,
    putPolicy: contract.applications.putPolicy,
  };
  return initServer().router(operations, {
    listIntegrations: async ({ params: { id }, res }) => {
      const application = await requireApplication(store.db, actorOf(res), id);
      setEtag(res, application.version);
      const integrationIds = await listIntegrationIds(store.db, id);
      return { status: 200, body: { integrationIds } };
    },

    setIntegrations: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          const set = await setIntegrations(mutation, { id, publicUrl }, body.integrationIds);
          const { application, integrationIds } = set;
          return { status: 200, body: { integrationIds }, version: application.version };
        },
      }),

    attachIntegration: ({ params: { id, integrationId }, req, res }) =>
      mutate(deps, req, res, {
        authorize: async ({ db, actor }) => {
          await requireApplication(db, actor, id);
          await requireIntegration(db, actor, integrationId);
        },
        act: async (mutation) => {
          const { version } = await attachIntegration(mutation, id, integrationId);
          return { status: 204, body: undefined, version };
        },
      }),

    detachIntegration: ({ params: { id, integrationId }, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          const { version } = await detachIntegration(mutation, { id, publicUrl }, integrationId);
          return { status: 204, body: undefined, version };
        },
      }),

    getPolicy: async ({ params, res }) => {
      const { application, policy } = await requireAttachmentPolicy(store.db, actorOf(res), params);
      setEtag(res, application.version);
      return { status: 200, body: { policy } };
    },

    putPolicy: ({ params, body, req, res }) =>
      mutate(deps, req, res, {
        act: async (mutation) => {
          const replaced = await replaceAttachmentPolicy(mutation, params, body ?? {});
          const { application, policy } = replaced;
          return { status: 200, body: { policy }, version: application.version };
        },
      }),
  });
}
