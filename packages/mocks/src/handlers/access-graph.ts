import {
  type AccessPolicy,
  type AccessPolicyReasonCode,
  accessReasonMessages,
  type Contract,
  isOauthConfigured,
  limits,
} from '@gatehouse/contract';
import type { Operation } from '../http/operation.ts';
import { hasServerTokenFor } from '../rules/destinations.ts';
import type { ApplicationRow, IntegrationRow } from '../state/rows.ts';

const MAX = limits.accessGraphEdges;

export const accessGraph: Operation<Contract['applications']['accessGraph']> = {
  act({ state, actor: { organizationId }, query: { includePolicy } }) {
    const applications = newestFirst(state.applications, organizationId);
    const integrations = newestFirst(state.integrations, organizationId);
    const activeApplications = applications.filter(({ archivedAt }) => archivedAt === null);
    const activeIntegrations = integrations.filter(({ archivedAt }) => archivedAt === null);
    const found = [...state.attachments.values()].reverse().flatMap((row) => {
      const application = state.applications.get(row.applicationId);
      const integration = state.integrations.get(row.integrationId);
      if (!application || !integration) return [];
      return application.organizationId === organizationId
        ? [{ application, integration, attachedAt: row.createdAt }]
        : [];
    });
    const edges = found.slice(0, MAX);
    const nodes = {
      applications: withEnds(
        activeApplications,
        edges.map(({ application }) => application),
      ),
      integrations: withEnds(
        activeIntegrations,
        edges.map(({ integration }) => integration),
      ),
    };
    return {
      status: 200,
      body: {
        ...nodes,
        edges: edges.map(({ application, integration, attachedAt }) => ({
          applicationId: application.id,
          integrationId: integration.id,
          attachedAt,
          use: isCredentialOnly(integration) ? 'handed_out_to' : 'called_through',
          ...(includePolicy ? { policy: accessPolicy(application, integration) } : {}),
        })),
        truncated: [found, activeApplications, activeIntegrations].some(
          ({ length }) => length > MAX,
        ),
      },
    };
  },
};

function newestFirst<Row extends { readonly organizationId: string }>(
  rows: ReadonlyMap<string, Row>,
  organizationId: string,
): Row[] {
  return [...rows.values()].filter((row) => row.organizationId === organizationId).reverse();
}

/** The newest active nodes, and the ends of edges that are archived or older. */
function withEnds<Row extends { readonly id: string }>(
  active: readonly Row[],
  ends: readonly Row[],
): Row[] {
  const newest = [...ends].sort((one, other) => (one.id < other.id ? 1 : -1));
  return [...new Set([...active.slice(0, MAX), ...newest])];
}

function isCredentialOnly({ category }: IntegrationRow): boolean {
  return category === 'internal_mcp_credentials';
}

/** Whether the application may get the credential of the integration handed out. */
function isReceiver({ oauth }: ApplicationRow, { authMode }: IntegrationRow): boolean {
  const { type, scopes } = oauth;
  return type === 'confidential' && scopes.includes('credentials') && authMode !== 'none';
}

function accessPolicy(application: ApplicationRow, integration: IntegrationRow): AccessPolicy {
  const { authMode, oauth, url } = integration;
  const found: Readonly<Record<AccessPolicyReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: isCredentialOnly(integration) && !isReceiver(application, integration),
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: authMode === 'server_token' && !hasServerTokenFor(integration, url),
    oauth_not_configured: authMode === 'oauth' && !isOauthConfigured(oauth),
  };
  const codes = (Object.keys(found) as AccessPolicyReasonCode[]).filter((code) => found[code]);
  return {
    allowed: codes.length === 0,
    reasons: codes.map((code) => ({ code, message: accessReasonMessages[code] })),
  };
}
