import {
  type AggregateListState,
  type Contract,
  decidePeople,
  isOauthConfigured,
  notAggregateText,
  refusalTexts,
} from '@gatehouse/contract';
import type { Caller, Operation } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { attachmentsOf } from '../rules/applications.ts';
import { presentConnection } from '../rules/connections.ts';
import { hasServerTokenFor } from '../rules/destinations.ts';
import { levelsOf, policyCallerOf } from '../rules/policies.ts';
import type { ApplicationRow, AttachmentRow, IntegrationRow } from '../state/rows.ts';

/** No list is ever read here: what could be listed is `unread`. */
export const getAggregate: Operation<Contract['applications']['getAggregate']> = {
  act(call) {
    const { id } = requireServed(call, call.params.id);
    const integrations = attachmentsOf(call.state, id).flatMap((attachment) => {
      const integration = call.state.integrations.get(attachment.integrationId);
      if (!integration || !isServed(call, integration, attachment)) return [];
      const counts = { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 };
      const { alias } = attachment;
      return [{ id: integration.id, alias, state: stateOf(call, integration), counts }];
    });
    return { status: 200, body: { integrations, leftOut: [] } };
  },
};

/** The application of a URL that everyone in the organization may use. @throws Refusal `not_found` */
function requireServed({ state, actor, publicUrl }: Caller, id: string): ApplicationRow {
  const application = state.applications.get(id);
  if (application?.organizationId !== actor.organizationId || application.archivedAt !== null) {
    throw new Refusal('not_found', refusalTexts.noSuchAggregateUrl);
  }
  if (application.aggregate.mode !== 'off') return application;
  const urls = attachmentsOf(state, id).map(({ integrationId }) => {
    const name = state.integrations.get(integrationId)?.name ?? '';
    return `${publicUrl}/mcp/${id}/${integrationId} (${name})`;
  });
  throw new Refusal('not_found', notAggregateText(urls));
}

function isServed(
  { state, actor }: Caller,
  { category, archivedAt }: IntegrationRow,
  attachment: AttachmentRow,
): boolean {
  if (category !== 'gateway_remote_mcp' || archivedAt !== null) return false;
  const person = policyCallerOf(state, actor.userId);
  return decidePeople(levelsOf(state, attachment), person).length === 0;
}

function stateOf({ state, actor }: Caller, integration: IntegrationRow): AggregateListState {
  const { authMode, oauth, url } = integration;
  if (authMode === 'none') return 'unread';
  if (authMode === 'server_token') return hasServerTokenFor(integration, url) ? 'unread' : 'failed';
  if (authMode === 'oauth' && !isOauthConfigured(oauth)) return 'failed';
  const { connected, reason } = presentConnection(state, integration, actor.userId);
  const isUsable = connected && reason !== 'expired' && reason !== 'needs_reauth';
  return isUsable ? 'unread' : 'connect';
}
