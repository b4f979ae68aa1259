import { type Contract, contract, limits, type ProblemError } from '@gatehouse/contract';
import type { Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import {
  attach,
  attachmentsOf,
  presentAttached,
  requireActive,
  requireApplication,
  requireMayAttach,
  saveApplication,
} from '../rules/applications.ts';
import { detachFromGrants } from '../rules/grants.ts';
import { requireIntegration } from '../rules/integrations.ts';
import { revokeSessions } from '../rules/sessions.ts';
import type { ApplicationRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';

type AttachmentOperations = Pick<
  Operations<Contract['applications']>,
  | 'listIntegrations'
  | 'setIntegrations'
  | 'attachIntegration'
  | 'updateIntegration'
  | 'detachIntegration'
>;

/** The operations of `/applications/:id/integrations`. */
export const attachments: AttachmentOperations = {
  listIntegrations: {
    act: (call) => listed(call.state, requireApplication(call, call.params.id)),
  },

  setIntegrations: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const { state, params, body } = call;
      const application = requireApplication(call, params.id);
      call.requireMatch(application.version);
      requireActive(application);
      const present = new Set(idsOf(state, application));
      const wanted = new Set(body.integrationIds);
      const added = [...wanted].filter((id) => !present.has(id));
      const removed = [...present].filter((id) => !wanted.has(id));
      const found = added.flatMap((id) => state.integrations.get(id) ?? []);
      requireMayAttach(
        call,
        application,
        found.filter(({ organizationId }) => organizationId === application.organizationId),
      );
      requireAttachable(call, body.integrationIds, new Set(added));
      if (added.length === 0 && removed.length === 0) return listed(state, application);
      for (const id of removed) detach(call, application, id);
      for (const id of added) attach(state, application.id, id);
      return listed(state, saveApplication(state, application));
    },
  },

  attachIntegration: {
    authorize(call) {
      requireApplication(call, call.params.id);
      requireIntegration(call, call.params.integrationId);
    },
    act(call) {
      const { state, params } = call;
      const application = requireApplication(call, params.id);
      const integration = requireIntegration(call, params.integrationId);
      requireMayAttach(call, application, [integration]);
      requireActive(application);
      const present = idsOf(state, application);
      if (present.includes(integration.id)) return done(application);
      if (integration.archivedAt !== null) {
        throw new Refusal('archived', 'The integration is archived. Restore it first.');
      }
      if (present.length >= limits.attachedIntegrations) {
        const detail = `An application can have at most ${limits.attachedIntegrations} attached integrations.`;
        throw new Refusal('attachment_limit_reached', detail);
      }
      attach(state, application.id, integration.id);
      return done(saveApplication(state, application));
    },
  },

  updateIntegration: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const { state, params, body, publicUrl } = call;
      const application = requireApplication(call, params.id);
      const integration = requireIntegration(call, params.integrationId);
      call.requireMatch(application.version);
      requireActive(application);
      const attached = attachmentsOf(state, application.id);
      const attachment = attached.find((row) => row.integrationId === integration.id);
      if (attachment === undefined) {
        throw new Refusal('not_found', 'The integration is not attached to the application.');
      }
      const { alias = attachment.alias } = body;
      const isChanged = alias !== attachment.alias;
      if (isChanged && attached.some((row) => row.alias === alias)) throw aliasTaken();
      const changed = { ...attachment, alias };
      const shown = presentAttached(changed, integration, publicUrl);
      call.requireFixed(contract.applications.updateIntegration.body, shown);
      if (isChanged) state.attachments.set(attachment.id, changed);
      const { version } = isChanged ? saveApplication(state, application) : application;
      return { status: 200, body: { integration: shown }, version };
    },
  },

  detachIntegration: {
    authorize: (call) => requireApplication(call, call.params.id),
    act(call) {
      const { state, params } = call;
      const application = requireApplication(call, params.id);
      const { id } = requireIntegration(call, params.integrationId);
      call.requireMatch(application.version);
      requireActive(application);
      if (!idsOf(state, application).includes(id)) return done(application);
      detach(call, application, id);
      return done(saveApplication(state, application));
    },
  },
};

function idsOf(state: State, { id }: ApplicationRow): string[] {
  return attachmentsOf(state, id).map(({ integrationId }) => integrationId);
}

/** Sessions of a detached integration stay revoked when it is attached again. */
function detach(
  { state, publicUrl }: Caller,
  { id: applicationId }: ApplicationRow,
  integrationId: string,
): void {
  const attached = attachmentsOf(state, applicationId);
  for (const row of attached) {
    if (row.integrationId !== integrationId) continue;
    state.attachments.delete(row.id);
    state.attachmentPolicies.delete(row.id);
  }
  revokeSessions(
    state,
    (session) => session.applicationId === applicationId && session.integrationId === integrationId,
  );
  detachFromGrants(state, applicationId, `${publicUrl}/mcp/${applicationId}/${integrationId}`);
}

/** Reports every invalid id at its position in the request. */
function requireAttachable(
  { state, actor }: Caller,
  integrationIds: readonly string[],
  added: ReadonlySet<string>,
): void {
  const errors = integrationIds.flatMap((id, index): ProblemError[] => {
    const integration = state.integrations.get(id);
    const isKnown = integration?.organizationId === actor.organizationId;
    const pointer = `/integrationIds/${index}`;
    if (!added.has(id)) return [];
    if (!isKnown) return [{ pointer, code: 'not_found', message: 'There is no such integration.' }];
    if (integration.archivedAt === null) return [];
    return [{ pointer, code: 'archived', message: 'The integration is archived.' }];
  });
  if (errors.length === 0) return;
  throw new Refusal('validation_failed', 'Some of the integrations cannot be attached.', {
    errors: errors.slice(0, limits.problemErrors),
  });
}

function listed(state: State, row: ApplicationRow) {
  const body = { integrationIds: idsOf(state, row) };
  return { status: 200 as const, body, version: row.version };
}

function done({ version }: ApplicationRow) {
  return { status: 204 as const, body: undefined, version };
}

function aliasTaken(): Refusal {
  return new Refusal('alias_taken', 'Another integration of the application has this alias.', {
    errors: [{ pointer: '/alias', code: 'taken', message: 'Another integration has this alias.' }],
  });
}
