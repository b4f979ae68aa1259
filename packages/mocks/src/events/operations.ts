import type { Contract, ContractRoute, Routes } from '@gatehouse/contract';
import type { Call } from '../http/operation.ts';
import { connectionKey } from '../state/state.ts';
import {
  attachmentPolicyChanged,
  attachmentsChanged,
  integrationPolicyChanged,
  integrationUpdated,
  sessionsRevoked,
  type Told,
  toolsReviewed,
  unlessEmpty,
  wroteTo,
} from './tell.ts';
import { changedFields, replaced, rowsAdded, rowsRemoved, type Written } from './written.ts';

/** `<resource>.<operation>` of every operation that is no GET. */
type WritingOperation = {
  [Resource in keyof Routes & string]: {
    [Name in keyof Routes[Resource] & string]: Routes[Resource][Name] extends { method: 'GET' }
      ? never
      : `${Resource}.${Name}`;
  }[keyof Routes[Resource] & string];
}[keyof Routes & string];

type RouteOf<Operation> = Operation extends `${infer Resource extends keyof Contract}.${infer Name}`
  ? Contract[Resource][Name & keyof Contract[Resource]]
  : never;

/** The events of an operation, by what it has written; or why it has no event. */
type Events = {
  readonly [Operation in WritingOperation]:
    | ((written: Written<Call<RouteOf<Operation> & ContractRoute>>) => readonly Told[])
    | string;
};

export const events: Events = {
  'integrations.create': (written) =>
    rowsAdded(written, 'integrations').map(({ id: targetId, authMode }) => {
      return { action: 'integration.created', targetId, authMode };
    }),
  'integrations.discover': ({ call: { actor, body } }) => [
    {
      action: 'organization.server_discovered',
      targetId: actor.organizationId,
      host: new URL(body.url).host,
    },
  ],
  'integrations.update': (written) =>
    integrationUpdated(written, {
      server_token: typeof written.call.body.serverToken === 'string',
    }),
  'integrations.archive': wroteTo('integrations', 'integration.archived'),
  'integrations.restore': wroteTo('integrations', 'integration.restored'),
  'integrations.validate': (written) =>
    replaced(written, 'integrations').map(({ to: { id: targetId, validationStatus: status } }) => {
      return { action: 'integration.validated', targetId, status };
    }),
  'integrations.putOauth': (written) => {
    const { clientSecret, tokenParams } = written.call.body;
    return integrationUpdated(written, {
      oauth_client_secret: typeof clientSecret === 'string',
      oauth_token_params: Object.keys(tokenParams ?? {}).length > 0,
    });
  },
  'integrations.deleteOauth': (written) => integrationUpdated(written, {}),
  'integrations.putPolicy': (written) => integrationPolicyChanged(written, written.call.params.id),

  'tools.approve': (written) => toolsReviewed(written, 'integration.tools_approved'),
  'tools.withdraw': (written) => toolsReviewed(written, 'integration.tools_withdrawn'),

  'connections.set': ({ call: { params, actor } }) => {
    const targetId = connectionKey(params.id, actor.userId);
    return [{ action: 'connection.created', targetId, mode: 'user_token' }];
  },
  'connections.delete': (written) =>
    rowsRemoved(written, 'connections').map(({ integrationId, userId }) => {
      return { action: 'connection.removed', targetId: connectionKey(integrationId, userId) };
    }),
  'connections.authorize': ({ call: { params, actor } }) => [
    { action: 'connection.link_created', targetId: connectionKey(params.id, actor.userId) },
  ],
  'connections.test': 'It stores nothing.',

  'applications.create': (written) =>
    rowsAdded(written, 'applications').map(({ id: targetId }) => {
      return { action: 'application.created', targetId };
    }),
  'applications.whatIf': 'It changes nothing.',
  'applications.update': (written) =>
    replaced(written, 'applications').map(({ from, to }) => {
      const changes = changedFields(from, to, ['name', 'limits', 'aggregate']);
      return { action: 'application.updated', targetId: to.id, changes };
    }),
  'applications.archive': wroteTo('applications', 'application.archived'),
  'applications.restore': wroteTo('applications', 'application.restored'),
  'applications.rotateSecret': wroteTo('applications', 'application.secret_rotated'),
  'applications.revokeAccess': ({ call: { params } }) => [
    { action: 'application.access_revoked', targetId: params.id },
  ],
  'applications.updateOauth': (written) =>
    replaced(written, 'applications').map(({ from, to }) => {
      const changes = changedFields(from.oauth, to.oauth, [
        'type',
        'redirectUris',
        'pkceRequired',
        'scopes',
        'allowedResources',
        'allowDynamicClients',
      ]);
      return { action: 'application.updated', targetId: to.id, changes };
    }),
  'applications.setIntegrations': (written) => attachmentsChanged(written, written.call.params.id),
  'applications.attachIntegration': (written) =>
    attachmentsChanged(written, written.call.params.id),
  'applications.detachIntegration': (written) =>
    attachmentsChanged(written, written.call.params.id),
  'applications.updateIntegration': (written) =>
    replaced(written, 'attachments').map(({ from, to }) => {
      const { applicationId: targetId, integrationId } = to;
      const changes = changedFields(from, to, ['alias']);
      return { action: 'application.integration_updated', targetId, integrationId, changes };
    }),
  'applications.putPolicy': (written) => attachmentPolicyChanged(written, written.call.params),

  'credentials.handOut': (written) =>
    rowsAdded(written, 'leases').map(({ id: targetId, ...lease }) => {
      const { applicationId, integrationId } = lease;
      const userId = lease.userId === applicationId ? null : lease.userId;
      return { action: 'lease.created', targetId, applicationId, integrationId, userId };
    }),

  'sessions.revoke': sessionsRevoked,
  'sessions.end': sessionsRevoked,

  'organization.update': (written) =>
    replaced(written, 'organizations').flatMap(({ from, to }) =>
      unlessEmpty(changedFields(from, to, ['name']), (changes) => {
        return { action: 'organization.updated', targetId: to.id, changes };
      }),
    ),

  'tokens.create': (written) =>
    rowsAdded(written, 'tokens').map(({ id: targetId, userId, scopes }) => {
      return { action: 'token.created', targetId, userId, scopes };
    }),
  'tokens.revoke': (written) =>
    rowsRemoved(written, 'tokens').map(({ id: targetId, name: targetName }) => {
      return { action: 'token.revoked', targetId, targetName };
    }),

  'members.create': (written) =>
    rowsAdded(written, 'users').map(({ id: targetId, role }) => {
      return { action: 'member.created', targetId, role };
    }),
  'members.update': (written) =>
    replaced(written, 'users').flatMap(({ from, to }) =>
      unlessEmpty(changedFields(from, to, ['name', 'role']), (changes) => {
        return { action: 'member.updated', targetId: to.id, changes };
      }),
    ),
  'members.remove': (written) =>
    rowsRemoved(written, 'users').map(({ id: targetId, name: targetName }) => {
      return { action: 'member.removed', targetId, targetName };
    }),
  'members.revokeAccess': ({ call: { params } }) => [
    { action: 'member.access_revoked', targetId: params.id },
  ],
  'members.createSignInLink': ({ call: { params, body } }) => {
    const purpose = body?.purpose ?? 'invitation';
    return [{ action: 'member.sign_in_link_created', targetId: params.id, purpose }];
  },

  'groups.create': (written) =>
    rowsAdded(written, 'groups').map(({ id: targetId }) => {
      return { action: 'group.created', targetId };
    }),
  'groups.update': (written) =>
    replaced(written, 'groups').map(({ from, to }) => {
      const changes = changedFields(from, to, ['name', 'externalId']);
      return { action: 'group.updated', targetId: to.id, changes };
    }),
  'groups.delete': (written) =>
    rowsRemoved(written, 'groups').map(({ id: targetId, name: targetName }) => {
      return { action: 'group.removed', targetId, targetName };
    }),
  'groups.addMember': (written) =>
    replaced(written, 'groups')
      .filter(({ from, to }) => to.memberIds.length > from.memberIds.length)
      .map(({ to: { id: targetId } }) => {
        return { action: 'group.member_added', targetId, userId: written.call.params.memberId };
      }),
  'groups.removeMember': (written) =>
    replaced(written, 'groups')
      .filter(({ from, to }) => to.memberIds.length < from.memberIds.length)
      .map(({ to: { id: targetId } }) => {
        return { action: 'group.member_removed', targetId, userId: written.call.params.memberId };
      }),

  'grants.end': ({ call: { params } }) => [{ action: 'grant.ended', targetId: params.id }],
};
