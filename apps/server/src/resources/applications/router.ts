import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import type { Application } from '../../generated/prisma/client.ts';
import { actorOf } from '../../http/context.ts';
import { requireMatch, setEtag } from '../../http/etag.ts';
import { locationOf } from '../../http/location.ts';
import { mutate } from '../../http/mutate.ts';
import { readPage } from '../../http/page.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Db } from '../../platform/database/store.ts';
import type { Deps } from '../deps.ts';
import { attachmentHandlers } from './attachment-router.ts';
import { readAllDetails, readDetails } from './details.ts';
import { listedFor } from './policy.ts';
import { presentApplication, presentOauth, presentOauthWithSecret } from './presenter.ts';
import { listApplications } from './repository.ts';
import {
  archiveApplication,
  createApplication,
  getApplication,
  renameApplication,
  restoreApplication,
  rotateSecret,
  updateOauth,
} from './service.ts';

const { accessGraph: _accessGraph, ...operations } = contract.applications;

/** Every operation of `/applications` but the access graph. */
export function applicationsRouter(deps: Deps) {
  const { store, sessions, cursors, publicUrl } = deps;

  const present = async (db: Db, actor: Actor, application: Application) =>
    presentApplication(await readDetails(db, sessions, application), { actor, publicUrl });

  return initServer().router(operations, {
    create: ({ body, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const actor = actorOf(res);
          const { application, clientSecret } = await createApplication(tx, actor, body);
          return {
            status: 201,
            body: {
              application: await present(tx.db, actor, application),
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
      const scope = { ...listedFor(actor, all), includeArchived };
      const page = { list: 'applications', actor, perUser: !all, filters: { includeArchived } };
      const { rows, nextCursor } = await readPage(cursors, page, query, (bounds) =>
        listApplications(store.db, scope, bounds),
      );
      const details = await readAllDetails(store.db, sessions, actor.organizationId, rows);
      const items = details.map((one) => presentApplication(one, { actor, publicUrl }));
      return { status: 200, body: { items, nextCursor } };
    },

    get: async ({ params, res }) => {
      const actor = actorOf(res);
      const application = await getApplication(store.db, actor, params.id);
      setEtag(res, application.version);
      return {
        status: 200,
        body: { application: await present(store.db, actor, application) },
      };
    },

    update: ({ params: { id }, body, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => getApplication(db, actor, id),
        act: async (tx) => {
          const match = (version: number) => requireMatch(req, version);
          const application = await renameApplication(tx, actor, id, body, match);
          return {
            status: 200,
            body: { application: await present(tx.db, actor, application) },
            version: application.version,
          };
        },
      });
    },

    archive: ({ params, req, res }) =>
      mutate(deps, req, res, {
        act: async (tx) => {
          const match = (version: number) => requireMatch(req, version);
          const { version } = await archiveApplication(tx, actorOf(res), params.id, match);
          return { status: 204, body: undefined, version };
        },
      }),

    restore: ({ params: { id }, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => getApplication(db, actor, id),
        act: async (tx) => {
          const application = await restoreApplication(tx, actor, id);
          return {
            status: 200,
            body: { application: await present(tx.db, actor, application) },
            version: application.version,
          };
        },
      });
    },

    rotateSecret: ({ params: { id }, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => getApplication(db, actor, id),
        act: async (tx) => {
          const { application, clientSecret } = await rotateSecret(tx, actor, id);
          return {
            status: 200,
            body: {
              application: await present(tx.db, actor, application),
              oauth: presentOauthWithSecret(application, clientSecret),
            },
            version: application.version,
            secretOf: id,
          };
        },
      });
    },

    getOauth: async ({ params, res }) => {
      const application = await getApplication(store.db, actorOf(res), params.id);
      setEtag(res, application.version);
      return { status: 200, body: { oauth: presentOauth(application) } };
    },

    updateOauth: ({ params: { id }, body, req, res }) => {
      const actor = actorOf(res);
      return mutate(deps, req, res, {
        exists: (db) => getApplication(db, actor, id),
        act: async (tx) => {
          const match = (version: number) => requireMatch(req, version);
          const application = await updateOauth(tx, actor, id, body, match);
          return {
            status: 200,
            body: { oauth: presentOauth(application) },
            version: application.version,
          };
        },
      });
    },

    ...attachmentHandlers(deps),
  });
}
