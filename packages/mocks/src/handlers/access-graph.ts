import {
  type AccessPolicy,
  type AccessReasonCode,
  accessReasonMessages,
  type Contract,
  decidePeople,
  isOauthConfigured,
  limits,
  type PolicyCaller,
  policyMessage,
} from '@gatehouse/contract';
import type { Operation } from '../http/operation.ts';
import { hasServerTokenFor } from '../rules/destinations.ts';
import { levelsOf } from '../rules/policies.ts';
import { requirePerson } from '../rules/policy-person.ts';
import type { ApplicationRow, AttachmentRow, IntegrationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

interface Edge {
  readonly application: ApplicationRow;
  readonly integration: IntegrationRow;
  readonly attachment: AttachmentRow;
}

const MAX = limits.accessGraphEdges;

export const accessGraph: Operation<Contract['applications']['accessGraph']> = {
  act({ state, actor, query }) {
    const { organizationId } = actor;
    const { includePolicy } = query;
    const person = requirePerson({ state, actor }, query);
    const applications = newestFirst(state.applications, organizationId);
    const integrations = newestFirst(state.integrations, organizationId);
    const activeApplications = applications.filter(({ archivedAt }) => archivedAt === null);
    const activeIntegrations = integrations.filter(({ archivedAt }) => archivedAt === null);
    const found = [...state.attachments.values()].reverse().flatMap((row) => {
      const application = state.applications.get(row.applicationId);
      const integration = state.integrations.get(row.integrationId);
      if (!application || !integration) return [];
      return application.organizationId === organizationId
        ? [{ application, integration, attachment: row }]
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
        edges: edges.map((edge) => ({
          applicationId: edge.application.id,
          integrationId: edge.integration.id,
          attachedAt: edge.attachment.createdAt,
          use: isCredentialOnly(edge.integration) ? 'handed_out_to' : 'called_through',
          ...(includePolicy ? { policy: accessPolicy(state, edge, person) } : {}),
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

function accessPolicy(state: State, edge: Edge, person: PolicyCaller): AccessPolicy {
  const refusals = decidePeople(levelsOf(state, edge.attachment), person);
  const reasons = [
    ...staticReasons(edge),
    ...refusals.map((reason) => ({ ...reason, message: policyMessage([reason]) })),
  ];
  return { allowed: reasons.length === 0, reasons };
}

function staticReasons({ application, integration }: Edge): AccessPolicy['reasons'] {
  const { authMode, oauth, url } = integration;
  const found: Readonly<Record<AccessReasonCode, boolean>> = {
    application_archived: application.archivedAt !== null,
    integration_archived: integration.archivedAt !== null,
    not_proxied: isCredentialOnly(integration) && !isReceiver(application, integration),
    validation_invalid: integration.validationStatus === 'invalid',
    server_token_missing: authMode === 'server_token' && !hasServerTokenFor(integration, url),
    oauth_not_configured: authMode === 'oauth' && !isOauthConfigured(oauth),
  };
  const codes = (Object.keys(found) as AccessReasonCode[]).filter((code) => found[code]);
  return codes.map((code) => ({ code, message: accessReasonMessages[code] }));
}
