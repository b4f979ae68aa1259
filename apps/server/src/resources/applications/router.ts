import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Application } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { readPage } from '../../http/cursor.ts';
import { checkFixedFields } from '../../http/fixed-fields.ts';
import { locationOf, mutate, setEtag } from '../../http/mutate.ts';
import type { PersonCaller } from '../../identity/caller.ts';
import type { Db } from '../../platform/database/store.ts';
import type { RouterDeps } from '../router-deps.ts';
import {
  countFitting,
  listApplicationDetails,
  readApplicationDetails,
} from './application-details.ts';
import { attachmentsRouter } from './attachment-router.ts';
import { mcpUrlOf, presentApplication, presentOauth, presentOauthWithSecret } from './presenter.ts';
import { listApplications } from './repository.ts';
import { listedFor, requireMayAllow } from './rules.ts';
import {
  archiveApplication,
  createApplication,
  requireApplication,
  restoreApplication,
  revokeAccess,
  rotateSecret,
  updateApplication,
  updateOauth,
} from './service.ts';

const { accessGraph: _accessGraph, whatIf: _whatIf, ...operations } = contract.applications;

/** The operations of `/applications` without the access graph. */
export function applicationsRouter(deps: RouterDeps) {
  const { store, sessions, cursors, publicUrl } = deps;

  const present = async (db: Db, actor: PersonCaller, application: Application) =>
    presentApplication(await readApplicationDetails(db, sessions, application), {
      actor,
      publicUrl,
    });

  return initServer().router(operations, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ actor }) => requireMayAllow(actor, body.oauth.scopes),
        act: async (mutation) => {
          const { application, clientSecret } = await createApplication(mutation, body);
          return {
            status: 201,
            body: {
              application: await present(mutation.tx.db, mutation.actor, application),
              oauth: presentOauthWithSecret(application, clientSecret),
            },
            version: application.version,
            location: locationOf(publicUrl, `/applications/${application.id}`),
            ...(clientSecret === undefined ? {} : { secretOf: application.id }),
          };
        },
      }),

    list: async ({ query, res }) => {
      const actor = actorOf(res);
      const { all, includeArchived } = query;
      const filter = { ...listedFor(actor, all), includeArchived };
      const scope = { list: 'applications', actor, perUser: !all, filters: { includeArchived } };
      const { rows, nextCursor } = await readPage(
        cursors,
        scope,
        query,
        (page) => listApplications(store.db, filter, page),
        (page) => countFitting(store.db, page),
      );
      const details = await listApplicationDetails(store.db, sessions, actor.organizationId, rows);
      const items = details.map((item) => presentApplication(item, { actor, publicUrl }));
      return { status: 200, body: { items, nextCursor } };
    },

    get: async ({ params: { id }, res }) => {
      const actor = actorOf(res);
      const application = await requireApplication(store.db, actor, id);
      setEtag(res, application.version);
      return { status: 200, body: { application: await present(store.db, actor, application) } };
    },

    update: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
        act: async (mutation) => {
          const { before, after } = await updateApplication(mutation, id, body);
          const shown = await present(mutation.tx.db, mutation.actor, after);
          const read = { ...shown, mcpUrl: mcpUrlOf(before, publicUrl) };
          checkFixedFields(contract.applications.update.body, req.body, read);
          return { status: 200, body: { application: shown }, version: after.version };
        },
      }),

    archive: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
        act: async (mutation) => {
          const { version } = await archiveApplication(mutation, id);
          return { status: 204, body: undefined, version };
        },
      }),

    restore: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
        act: async (mutation) => {
          const application = await restoreApplication(mutation, id);
          return {
            status: 200,
            body: { application: await present(mutation.tx.db, mutation.actor, application) },
            version: application.version,
          };
        },
      }),

    rotateSecret: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
        act: async (mutation) => {
          const { application, clientSecret } = await rotateSecret(mutation, id);
          return {
            status: 200,
            body: {
              application: await present(mutation.tx.db, mutation.actor, application),
              oauth: presentOauthWithSecret(application, clientSecret),
            },
            version: application.version,
            secretOf: application.id,
          };
        },
      }),

    revokeAccess: ({ params: { id }, req, res }) =>
      mutate(deps, req, res, {
        authorize: ({ db, actor }) => requireApplication(db, actor, id),
        act: async (mutation) => {
          const revoked = await revokeAccess(mutation, deps, id);
          return { status: 200, body: { revoked } };
        },
      }),

    getOauth: async ({ params: { id }, res }) => {
      const application = await requireApplication(store.db, actorOf(res), id);
      setEtag(res, application.version);
      return { status: 200, body: { oauth: presentOauth(application) } };
    },

    updateOauth: ({ params: { id }, body, req, res }) =>
      mutate(deps, req, res, {
        authorize: async ({ db, actor }) => {
          const { scopes } = await requireApplication(db, actor, id);
          requireMayAllow(actor, body.scopes ?? [], scopes);
        },
        act: async (mutation) => {
          const { before, after } = await updateOauth(mutation, { id, publicUrl }, body);
          checkFixedFields(contract.applications.updateOauth.body, req.body, presentOauth(before));
          return {
            status: 200,
            body: { oauth: presentOauth(after) },
            version: after.version,
          };
        },
      }),

    getAggregate: async ({ params: { id }, res }) => {
      return { status: 200, body: await deps.aggregateState(actorOf(res), id) };
    },

    ...attachmentsRouter(deps),
  });
}
