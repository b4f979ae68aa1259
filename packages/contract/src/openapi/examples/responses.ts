import type { JsonObject } from '../../shared/json.ts';
import {
  accessGraph,
  application,
  applicationOauth,
  grant,
  ids,
  integration,
  integrationOauthConfig,
  me,
  member,
  revoked,
  session,
  token,
} from './resources.ts';
import { discovered, validation } from './validations.ts';

const page = (item: JsonObject): JsonObject => ({ items: [item], nextCursor: null });

const connected = {
  connection: { connected: true, status: 'connected', displayName: 'ada@tracker.example' },
};

const withSecret = {
  application,
  oauth: { ...applicationOauth, clientSecret: 'gh_cs_EXAMPLE' },
};

/** Example responses by operation. */
export const responseExamples: Readonly<Record<string, JsonObject>> = {
  'integrations.create': { integration },
  'integrations.list': page(integration),
  'integrations.discover': discovered,
  'integrations.get': { integration },
  'integrations.update': { integration },
  'integrations.restore': { integration },
  'integrations.validate': validation,
  'integrations.getOauth': { oauth: integrationOauthConfig },
  'integrations.putOauth': { oauth: integrationOauthConfig },
  'connections.set': connected,
  'connections.get': connected,
  'connections.authorize': {
    authorizationUrl:
      'https://gatehouse.example/connect/Zk3pVt0y5wYQm1jH8sXrB2cLdE6nFuGaT9oKiRz7W4A',
    expiresAt: '2026-11-21T09:40:00.000Z',
  },
  'connections.test': validation,
  'applications.accessGraph': accessGraph,
  'applications.create': withSecret,
  'applications.list': page(application),
  'applications.get': { application },
  'applications.update': { application },
  'applications.restore': { application },
  'applications.rotateSecret': withSecret,
  'applications.revokeAccess': { revoked },
  'applications.getOauth': { oauth: applicationOauth },
  'applications.updateOauth': { oauth: applicationOauth },
  'applications.listIntegrations': { integrationIds: [ids.integration] },
  'applications.setIntegrations': { integrationIds: [ids.integration] },
  'sessions.list': page(session),
  'me.get': me,
  'tokens.create': { token, secret: 'gh_pat_EXAMPLE' },
  'tokens.list': page(token),
  'members.create': {
    member,
    invitation: 'gh_inv_EXAMPLE',
    invitationUrl: 'https://gatehouse.example/sign-in/link/EXAMPLE',
  },
  'members.list': page(member),
  'members.update': { member },
  'members.remove': { applications: [{ id: ids.application, name: 'Editor' }] },
  'members.revokeAccess': { revoked },
  'members.createSignInLink': {
    url: 'https://gatehouse.example/sign-in/link/EXAMPLE',
    expiresAt: '2026-11-21T10:30:00.000Z',
  },
  'grants.list': page(grant),
  'openapi.get': {
    openapi: '3.1.0',
    info: { title: 'Gatehouse', version: '1.0.0' },
    paths: {},
  },
};
