import {
  type AccessPolicy,
  type AccessReasonCode,
  accessReasonMessages,
  type Contract,
  decidePeople,
  fittingApplications,
  isOauthConfigured,
  limits,
  type PolicyCaller,
  policyMessage,
} from '@gatehouse/contract';
import type { Operation } from '../http/operation.ts';
import { readPage } from '../http/page.ts';
import { hasServerTokenFor } from '../rules/destinations.ts';
import { levelsOf } from '../rules/policies.ts';
import { requirePerson } from '../rules/policy-person.ts';
import { allowedTools } from '../rules/tools.ts';
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
    const { includePolicy, applicationId, integrationId } = query;
    const person = requirePerson({ state, actor }, query);
    const found = edgesOf(state, organizationId).filter(
      ({ application, integration }) =>
        (applicationId ?? application.id) === application.id &&
        (integrationId ?? integration.id) === integration.id,
    );
    const ownEdges = (id: string) => found.filter(({ application }) => application.id === id);
    const shown = newestFirst(state.applications, organizationId).filter(
      ({ id, archivedAt }) =>
        ownEdges(id).length > 0 ||
        (archivedAt === null && integrationId === undefined && (applicationId ?? id) === id),
    );
    const filters = { applicationId, integrationId };
    const { rows: applications, nextCursor } = readPage(
      state,
      { list: 'access-graph', organizationId, filters },
      query,
      shown,
      (page) =>
        fittingApplications(
          page.map(({ id }) => ownEdges(id).length),
          MAX,
        ),
    );
    const edges = found.filter(({ application }) => applications.includes(application));
    const isListed = query.cursor === undefined && applicationId === undefined;
    const active = newestFirst(state.integrations, organizationId).filter(
      ({ id, archivedAt }) => isListed && archivedAt === null && (integrationId ?? id) === id,
    );
    const ends = edges.map(({ integration }) => integration);
    return {
      status: 200,
      body: {
        applications,
        integrations: withEnds(active, ends),
        edges: edges.map((edge) => ({
          applicationId: edge.application.id,
          integrationId: edge.integration.id,
          attachedAt: edge.attachment.createdAt,
          use: isCredentialOnly(edge.integration) ? 'handed_out_to' : 'called_through',
          ...(includePolicy ? { policy: accessPolicy(state, edge, person) } : {}),
        })),
        truncated: nextCursor !== null,
        nextCursor,
      },
    };
  },
};

/** What is attached in an organization, newest first. */
export function edgesOf(state: State, organizationId: string): Edge[] {
  return [...state.attachments.values()].reverse().flatMap((attachment) => {
    const application = state.applications.get(attachment.applicationId);
    const integration = state.integrations.get(attachment.integrationId);
    if (!application || !integration) return [];
    return application.organizationId === organizationId
      ? [{ application, integration, attachment }]
      : [];
  });
}

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

export function isCredentialOnly({ category }: IntegrationRow): boolean {
  return category === 'internal_mcp_credentials';
}

/** Whether the application may get the credential of the integration handed out. */
function isReceiver({ oauth }: ApplicationRow, { authMode }: IntegrationRow): boolean {
  const { type, scopes } = oauth;
  return type === 'confidential' && scopes.includes('credentials') && authMode !== 'none';
}

function accessPolicy(state: State, edge: Edge, person: PolicyCaller): AccessPolicy {
  const levels = levelsOf(state, edge.attachment);
  const refusals = decidePeople(levels, person);
  const reasons = [
    ...staticReasons(edge),
    ...refusals.map((reason) => ({ ...reason, message: policyMessage([reason]) })),
  ];
  const allowed = reasons.length === 0;
  if (isCredentialOnly(edge.integration)) return { allowed, reasons };
  const { names, total } = allowedTools(state, edge.integration.id, levels);
  return { allowed, reasons, tools: { allowed: names.length, total } };
}

export function staticReasons({ application, integration }: Edge): AccessPolicy['reasons'] {
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
