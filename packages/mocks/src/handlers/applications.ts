import {
  type Contract,
  changedAggregate,
  contract,
  fittingApplications,
  keptLimits,
  limits as most,
  refusalTexts,
  secretPrefixes,
} from '@gatehouse/contract';
import { eraseStoredSecrets } from '../http/idempotency.ts';
import type { Caller, Operations } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { invalidField, Refusal } from '../http/refusal.ts';
import {
  presentApplication,
  presentOauth,
  presentOauthWithSecret,
  requireActive,
  requireApplication,
  requireMayAllow,
  saveApplication,
} from '../rules/applications.ts';
import { isSameJson } from '../rules/equal.ts';
import { endAccess, endForSettings } from '../rules/grants.ts';
import { randomText } from '../state/random.ts';
import type { ApplicationRow } from '../state/rows.ts';
import { accessGraph } from './access-graph.ts';
import { getAggregate } from './aggregate.ts';
import { attachments } from './attachments.ts';
import { attachmentPolicies } from './policies.ts';

/** The operations of `/applications` without `whatIf`, which uses them. */
export const applications: Omit<Operations<Contract['applications']>, 'whatIf'> = {
  accessGraph,

  create: {
    authorize: (call) => requireMayAllow(call, call.body.oauth.scopes),
    act(call) {
      const { state, actor, body } = call;
      requireMayAllow(call, body.oauth.scopes);
      const { id, createdAt } = state.createId();
      const application: ApplicationRow = {
        id,
        organizationId: actor.organizationId,
        ownerUserId: actor.userId,
        name: body.name,
        oauth: body.oauth,
        limits: keptLimits(body.limits ?? null),
        aggregate: { mode: 'list', nameLength: most.aggregateNameLength.max },
        clientSecret: body.oauth.type === 'confidential' ? newClientSecret() : null,
        createdAt,
        updatedAt: createdAt,
        archivedAt: null,
        version: 1,
      };
      state.applications.set(id, application);
      return {
        status: 201,
        body: withSecret(call, application),
        version: application.version,
        location: `/applications/${id}`,
        ...(application.clientSecret === null ? {} : { secretOf: id }),
      };
    },
  },

  list: {
    act(call) {
      const { state, actor, query } = call;
      const { organizationId, userId } = actor;
      const { all, includeArchived } = query;
      const found = [...state.applications.values()].filter(
        (row) =>
          row.organizationId === organizationId &&
          (all || row.ownerUserId === userId) &&
          (includeArchived || row.archivedAt === null),
      );
      const list = { list: 'applications', organizationId, filters: { includeArchived } };
      const scope = all ? list : { ...list, userId };
      const { rows, nextCursor } = readPage(state, scope, query, found, (page) => {
        const attachments = [...state.attachments.values()];
        const countOf = ({ id }: ApplicationRow) =>
          attachments.filter(({ applicationId }) => applicationId === id).length;
        return fittingApplications(page.map(countOf));
      });
      const items = rows.map((row) => presentApplication(call, row));
      return { status: 200, body: { items, nextCursor } };
    },
  },

  get: {
    act: (call) => present(call, requireApplication(call, call.params.id)),
  },

  update: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const current = requireApplication(call, call.params.id);
      call.requireMatch(current.version);
      requireActive(current);
      call.requireFixed(contract.applications.update.body, presentApplication(call, current));
      const { name = current.name, limits = current.limits } = call.body;
      const aggregate = changedAggregate(current.aggregate, call.body.aggregate);
      const changed = { ...current, name, limits: keptLimits(limits), aggregate };
      if (isSameJson(changed, current)) return present(call, current);
      return present(call, saveApplication(call.state, changed));
    },
  },

  archive: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const { state, params } = call;
      const current = requireApplication(call, params.id);
      call.requireMatch(current.version);
      if (current.archivedAt !== null) return archived(current);
      endAccess(state, allOf(current));
      eraseStoredSecrets(state, current.id);
      const archivedAt = new Date().toISOString();
      return archived(saveApplication(state, { ...current, archivedAt }));
    },
  },

  restore: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const current = requireApplication(call, call.params.id);
      if (current.archivedAt === null) return present(call, current);
      return present(call, saveApplication(call.state, { ...current, archivedAt: null }));
    },
  },

  rotateSecret: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const current = requireApplication(call, call.params.id);
      requireActive(current);
      if (current.oauth.type === 'public') {
        throw new Refusal(
          'public_client_has_no_secret',
          'The application is a public client. Change its type to confidential to give it a secret.',
        );
      }
      eraseStoredSecrets(call.state, current.id);
      const clientSecret = newClientSecret();
      const rotated = saveApplication(call.state, { ...current, clientSecret });
      return {
        status: 200,
        body: withSecret(call, rotated),
        version: rotated.version,
        secretOf: rotated.id,
      };
    },
  },

  revokeAccess: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const current = requireApplication(call, call.params.id);
      return { status: 200, body: { revoked: endAccess(call.state, allOf(current)) } };
    },
  },

  getOauth: {
    act: (call) => oauthOf(requireApplication(call, call.params.id)),
  },

  updateOauth: {
    authorize(call) {
      const { oauth } = requireApplication(call, call.params.id);
      requireMayAllow(call, call.body.scopes ?? [], oauth.scopes);
    },
    act(call) {
      const { state, body } = call;
      const current = requireApplication(call, call.params.id);
      requireMayAllow(call, body.scopes ?? [], current.oauth.scopes);
      call.requireMatch(current.version);
      requireActive(current);
      const oauth = merged(current.oauth, body);
      if (oauth.type === 'public' && oauth.redirectUris.length === 0) {
        const message = refusalTexts.redirectUriRequired;
        throw invalidField('/redirectUris', 'invalid_value', message);
      }
      call.requireFixed(contract.applications.updateOauth.body, presentOauth(current));
      if (isSameJson(oauth, current.oauth)) return oauthOf(current);
      endForSettings(state, { ...current, oauth }, current.oauth);
      if (oauth.type === current.oauth.type) {
        return oauthOf(saveApplication(state, { ...current, oauth }));
      }
      eraseStoredSecrets(state, current.id);
      return oauthOf(saveApplication(state, { ...current, oauth, clientSecret: null }));
    },
  },

  getAggregate,

  ...attachments,
  ...attachmentPolicies,
};

/** The grants and sessions of an application. */
function allOf({ id }: ApplicationRow) {
  const isOfIt = ({ applicationId }: { readonly applicationId: string }) => applicationId === id;
  return { grants: isOfIt, sessions: isOfIt, applicationId: id };
}

function newClientSecret(): string {
  return secretPrefixes.clientSecret + randomText(32);
}

function merged(
  oauth: ApplicationRow['oauth'],
  body: { readonly [Key in keyof ApplicationRow['oauth']]?: unknown },
): ApplicationRow['oauth'] {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return { ...oauth, ...Object.fromEntries(given) };
}

function present(call: Caller, row: ApplicationRow) {
  const body = { application: presentApplication(call, row) };
  return { status: 200 as const, body, version: row.version };
}

function withSecret(call: Caller, row: ApplicationRow) {
  return { application: presentApplication(call, row), oauth: presentOauthWithSecret(row) };
}

function oauthOf(row: ApplicationRow) {
  return { status: 200 as const, body: { oauth: presentOauth(row) }, version: row.version };
}

function archived({ version }: ApplicationRow) {
  return { status: 204 as const, body: undefined, version };
}
