import type { Contract } from '@gatehouse/contract';
import type { Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import {
  attachmentsOf,
  requireActive,
  requireApplication,
  saveApplication,
} from '../rules/applications.ts';
import {
  requireActive as requireActiveIntegration,
  requireIntegration,
  saveIntegration,
} from '../rules/integrations.ts';
import { policyOf, replacePolicy } from '../rules/policies.ts';
import type { ApplicationRow } from '../state/rows.ts';

type PolicyNames = 'getPolicy' | 'putPolicy';

/** The operations of `/applications/:id/integrations/:integrationId/policy`. */
export const attachmentPolicies: Pick<Operations<Contract['applications']>, PolicyNames> = {
  getPolicy: {
    act(call) {
      const { params, state } = call;
      const application = requireApplication(call, params.id);
      const { id } = requireIntegration(call, params.integrationId);
      const policy = policyOf(state.attachmentPolicies, requireAttached(call, application, id));
      return { status: 200, body: { policy }, version: application.version };
    },
  },

  putPolicy: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const { params, state } = call;
      const policy = call.body ?? {};
      const application = requireApplication(call, params.id);
      const { id } = requireIntegration(call, params.integrationId);
      call.requireMatch(application.version);
      requireActive(application);
      const attachmentId = requireAttached(call, application, id);
      const isChanged = replacePolicy(call, state.attachmentPolicies, attachmentId, policy);
      const { version } = isChanged ? saveApplication(state, application) : application;
      return { status: 200, body: { policy }, version };
    },
  },
};

/** The operations of `/integrations/:id/policy`. */
export const integrationPolicies: Pick<Operations<Contract['integrations']>, PolicyNames> = {
  getPolicy: {
    act(call) {
      const { id, version } = requireIntegration(call, call.params.id);
      const policy = policyOf(call.state.integrationPolicies, id);
      return { status: 200, body: { policy }, version };
    },
  },

  putPolicy: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const policy = call.body ?? {};
      const integration = requireIntegration(call, call.params.id);
      call.requireMatch(integration.version);
      requireActiveIntegration(integration);
      const { state } = call;
      const isChanged = replacePolicy(call, state.integrationPolicies, integration.id, policy);
      const { version } = isChanged ? saveIntegration(state, integration) : integration;
      return { status: 200, body: { policy }, version };
    },
  },
};

/** The id of the attachment. @throws Refusal `not_found` */
function requireAttached({ state }: Caller, { id }: ApplicationRow, integrationId: string): string {
  const attached = attachmentsOf(state, id).find((row) => row.integrationId === integrationId);
  if (attached) return attached.id;
  throw new Refusal('not_found', 'The integration is not attached to the application.');
}
