import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Application } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { mutate, setEtag } from '../../http/mutate.ts';
import type { Db } from '../../platform/database/store.ts';
import { requireIntegration } from '../integrations/service.ts';
import type { RouterDeps } from '../router-deps.ts';
import { updateAttachedIntegration } from './alias-service.ts';
import {
  attachIntegration,
  detachIntegration,
  listIntegrationIds,
  setIntegrations,
} from './attachment-service.ts';
import { replaceAttachmentPolicy, requireAttachmentPolicy } from './policy-service.ts';
import { presentAttached } from './presenter.ts';
import { type AttachedRow, listAttachedIntegrations } from './repository.ts';
import { requireApplication } from './service.ts';

/** The operations of `/applications/:id/integrations`. */
export function attachmentsRouter(deps: RouterDeps) {
  const { store, publicUrl } = deps;
  const operations = {
    listIntegrations: contract.applications.listIntegrations,
    setIntegrations: contract.applications.setIntegrations,
    attachIntegration: contract.applications.attachIntegration,
    updateIntegration: contract.applications.updateIntegration,
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
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
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

    updateIntegration: ({ params, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, params.id),
        act: async (mutation) => {
          const application = await updateAttachedIntegration(mutation, params, body);
          const integration = await readAttached(mutation.tx.db, application, params.integrationId);
          const shown = presentAttached(integration, publicUrl);
          checkFixedFields(operations.updateIntegration.body, req.body, shown);
          return { status: 200, body: { integration: shown }, version: application.version };
        },
      }),

    detachIntegration: ({ params: { id, integrationId }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
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
        authorize: ({ db, actor }) => requireApplication(db, actor, params.id),
        act: async (mutation) => {
          const replaced = await replaceAttachmentPolicy(mutation, params, body ?? {});
          const { application, policy } = replaced;
          return { status: 200, body: { policy }, version: application.version };
        },
      }),
  });
}

async function readAttached(
  db: Db,
  { id, organizationId }: Application,
  integrationId: string,
): Promise<AttachedRow> {
  const attached = await listAttachedIntegrations(db, organizationId, [id]);
  const row = attached.find((integration) => integration.id === integrationId);
  if (row) return row;
  throw new Error('The attachment is locked with its application.');
}
