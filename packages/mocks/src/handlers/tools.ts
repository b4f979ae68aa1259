import type { Contract, Tool, ToolFingerprintsBody } from '@gatehouse/contract';
import { limits } from '@gatehouse/contract';
import type { Caller, Operations } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { requireActive, requireIntegration } from '../rules/integrations.ts';
import { toolsOf } from '../rules/tools.ts';
import type { ToolDefinitionRow } from '../state/rows.ts';
import { toolKey } from '../state/state.ts';

export const tools: Operations<Contract['tools']> = {
  list: {
    act(call) {
      const { state, actor, params, query } = call;
      const { id } = requireIntegration(call, params.id);
      const filters = { integrationId: id, state: query.state ?? null };
      const scope = { list: 'tools', organizationId: actor.organizationId, filters };
      const after =
        query.cursor === undefined ? undefined : state.cursors.decode(scope, query.cursor);
      const found = toolsOf(state, id).filter(
        (tool) =>
          (after === undefined || tool.name > after) &&
          (query.state === undefined || tool.state === query.state),
      );
      const items = found.slice(0, query.limit);
      const last = items.at(-1);
      const hasMore = found.length > items.length && last !== undefined;
      const nextCursor = hasMore ? state.cursors.encode(scope, last.name) : null;
      return { status: 200, body: { items, nextCursor } };
    },
  },

  approve: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const { state, actor, params, body } = call;
      const integration = requireIntegration(call, params.id);
      requireActive(integration);
      requireLatest(toolsOf(state, integration.id), body);
      const approval = { approvedAt: new Date().toISOString(), approvedBy: actor.userId };
      const isNew = ({ approvedAt }: ToolDefinitionRow) => approvedAt === null;
      return change(call, integration.id, body, isNew, approval);
    },
  },

  withdraw: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const integration = requireIntegration(call, call.params.id);
      requireActive(integration);
      const isApproved = ({ approvedAt }: ToolDefinitionRow) => approvedAt !== null;
      const withdrawn = { approvedAt: null, approvedBy: null };
      return change(call, integration.id, call.body, isApproved, withdrawn);
    },
  },
};

/** @throws Refusal `tools_changed` */
function requireLatest(latest: readonly Tool[], { fingerprints }: ToolFingerprintsBody): void {
  const stale = Object.entries(fingerprints)
    .filter(
      ([name, fingerprint]) =>
        !latest.some((tool) => tool.name === name && tool.fingerprint === fingerprint),
    )
    .map(([name]) => name)
    .sort();
  if (stale.length === 0) return;
  const detail = 'Some of the tools are not as they were seen last. Read them again.';
  throw new Refusal('tools_changed', detail, { tools: stale.slice(0, limits.problemTools) });
}

function change(
  { state }: Caller,
  integrationId: string,
  { fingerprints }: ToolFingerprintsBody,
  isToChange: (row: ToolDefinitionRow) => boolean,
  fields: Pick<ToolDefinitionRow, 'approvedAt' | 'approvedBy'>,
) {
  const changed: string[] = [];
  for (const [name, fingerprint] of Object.entries(fingerprints)) {
    const key = toolKey({ integrationId, name, fingerprint });
    const row = state.toolDefinitions.get(key);
    if (row === undefined || !isToChange(row)) continue;
    state.toolDefinitions.set(key, { ...row, ...fields });
    changed.push(name);
  }
  return { status: 200 as const, body: { changed: changed.sort() } };
}
