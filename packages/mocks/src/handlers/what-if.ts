import { type Contract, decidePeople, limits, type WhatIfChange } from '@gatehouse/contract';
import type { Call, Operation } from '../http/operation.ts';
import { Refusal } from '../http/refusal.ts';
import { levelsOf, policyCallerOf } from '../rules/policies.ts';
import { allowedTools } from '../rules/tools.ts';
import type { UserRow } from '../state/rows.ts';
import type { State } from '../state/state.ts';
import { edgesOf, isCredentialOnly, staticReasons } from './access-graph.ts';
import { applications } from './applications.ts';
import { groups } from './groups.ts';
import { integrations } from './integrations.ts';
import { members } from './members.ts';

type WhatIf = Contract['applications']['whatIf'];

/** Makes the changes in a copy, and compares. */
export const whatIf: Operation<WhatIf> = {
  act(call) {
    const { state, actor, body } = call;
    checkMembers(state, actor.organizationId, body.changes);
    const copy = copyOf(state);
    body.changes.forEach((change, index) => {
      makeAt({ ...call, state: copy }, change, index);
    });
    const before = usesOf(state, actor.organizationId);
    const after = usesOf(copy, actor.organizationId);
    const gained = without(after, before);
    const lost = without(before, after);
    return {
      status: 200,
      body: {
        edges: lists(edgesIn(gained), edgesIn(lost)),
        tools: toolsIn(state, copy, actor.organizationId),
        people: lists(gained, lost),
      },
    };
  },
};

/** @throws Refusal `validation_failed` for an organization that can ask about changes of members alone */
function checkMembers(
  state: State,
  organizationId: string,
  changes: readonly WhatIfChange[],
): void {
  if (changes.every(({ kind }) => kind === 'member')) return;
  if (membersOf(state, organizationId).length <= limits.whatIfMembers) return;
  const message = `The changes concern too many members. An organization of more than ${limits.whatIfMembers} members can ask about changes of members alone.`;
  throw new Refusal('validation_failed', message, {
    errors: [{ pointer: '/changes', code: 'too_big', message }],
  });
}

function membersOf(state: State, organizationId: string): UserRow[] {
  return [...state.users.values()].filter((row) => row.organizationId === organizationId);
}

interface Pair {
  readonly applicationId: string;
  readonly integrationId: string;
}

interface Use extends Pair {
  readonly userId: string;
}

function lists<Item>(gained: readonly Item[], lost: readonly Item[]) {
  return {
    gained: gained.slice(0, limits.whatIfNamed),
    lost: lost.slice(0, limits.whatIfNamed),
    total: { gained: gained.length, lost: lost.length },
  };
}

interface ToolsOfPair {
  readonly pair: Pair;
  readonly names: readonly string[];
  readonly total: number;
}

/** What rules allow of the tools of each attached integration. */
function toolsOf(state: State, organizationId: string): Map<string, ToolsOfPair> {
  const tools = new Map<string, ToolsOfPair>();
  for (const { attachment, integration } of edgesOf(state, organizationId)) {
    if (isCredentialOnly(integration)) continue;
    const pair = { applicationId: attachment.applicationId, integrationId: integration.id };
    const found = allowedTools(state, integration.id, levelsOf(state, attachment));
    tools.set(Object.values(pair).join(), { pair, ...found });
  }
  return tools;
}

function toolsIn(state: State, copy: State, organizationId: string) {
  const [before, after] = [toolsOf(state, organizationId), toolsOf(copy, organizationId)];
  const lacking = (some: ReadonlyMap<string, ToolsOfPair>, others: typeof some) =>
    [...some].flatMap(([key, { pair, names }]) =>
      names
        .filter((name) => others.get(key)?.names.includes(name) !== true)
        .map((name) => ({ ...pair, name })),
    );
  const changed = [...new Map([...before, ...after])].flatMap(([key, { pair, total }]) => {
    const countOf = (of: typeof before) => of.get(key)?.names.length ?? 0;
    const allowed = { before: countOf(before), after: countOf(after) };
    return allowed.before === allowed.after ? [] : [{ ...pair, allowed, total }];
  });
  const compared = lists(lacking(after, before), lacking(before, after));
  const { gained, lost } = compared.total;
  return {
    ...compared,
    truncated: Math.max(gained, lost, changed.length) > limits.whatIfNamed,
    changed: changed.slice(0, limits.whatIfNamed),
  };
}

/** Who can use what. */
function usesOf(state: State, organizationId: string): Map<string, Use> {
  const uses = new Map<string, Use>();
  const people = membersOf(state, organizationId);
  for (const edge of edgesOf(state, organizationId)) {
    if (staticReasons(edge).length > 0) continue;
    const levels = levelsOf(state, edge.attachment);
    const { applicationId, integrationId } = edge.attachment;
    for (const { id: userId } of people) {
      if (decidePeople(levels, policyCallerOf(state, userId)).length > 0) continue;
      const use = { applicationId, integrationId, userId };
      uses.set(Object.values(use).join(), use);
    }
  }
  return uses;
}

function without(uses: ReadonlyMap<string, Use>, others: ReadonlyMap<string, Use>): Use[] {
  return [...uses].flatMap(([key, use]) => (others.has(key) ? [] : [use]));
}

function edgesIn(uses: readonly Use[]): Pair[] {
  const edges = uses.map(({ applicationId, integrationId }) => ({ applicationId, integrationId }));
  return [...new Map(edges.map((edge) => [Object.values(edge).join(), edge])).values()];
}

/** Rows are replaced, never changed in place. */
function copyOf(state: State): State {
  const copied = Object.entries(state).map(([name, value]) => [
    name,
    value instanceof Map ? new Map(value) : value,
  ]);
  return { ...state, ...Object.fromEntries(copied) };
}

/** @throws Refusal `validation_failed` at the place of a change that its own operation refuses */
function makeAt(call: Call<WhatIf>, change: WhatIfChange, index: number): void {
  try {
    make(call, change);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    const found = error.errors.map((one) => ({ ...one, pointer: `/policy${one.pointer}` }));
    const errors = found.length > 0 ? found : [{ code, message, pointer: '' }];
    throw new Refusal('validation_failed', 'One of the changes cannot be made.', {
      errors: errors.map((one) => ({ ...one, pointer: `/changes/${index}${one.pointer}` })),
    });
  }
}

function make(call: Call<WhatIf>, change: WhatIfChange): void {
  switch (change.kind) {
    case 'attach':
      applications.attachIntegration.act({ ...call, ...at(change), body: undefined });
      return;
    case 'detach':
      applications.detachIntegration.act({ ...call, ...at(change) });
      return;
    case 'attachment_policy':
      applications.putPolicy.act({ ...call, ...at(change), body: change.policy });
      return;
    case 'integration_policy': {
      const params = { id: change.integrationId };
      integrations.putPolicy.act({ ...call, params, body: change.policy });
      return;
    }
    case 'archive':
    case 'restore': {
      const { applicationId: id, integrationId = '' } = change;
      const resource = id === undefined ? integrations : applications;
      resource[change.kind].act({ ...call, params: { id: id ?? integrationId }, body: undefined });
      return;
    }
    case 'member':
      makeMemberChange(call, change);
  }
}

function at({ applicationId: id, integrationId }: Pair) {
  return { params: { id, integrationId } };
}

function makeMemberChange(
  call: Call<WhatIf>,
  { userId, role, groupIds, removed }: Extract<WhatIfChange, { kind: 'member' }>,
): void {
  const params = { id: userId };
  if (removed === true) members.remove.act({ ...call, params });
  else members.update.act({ ...call, params, body: role === undefined ? {} : { role } });
  if (groupIds === undefined) return;
  const own = [...call.state.groups.values()].filter((group) => group.memberIds.includes(userId));
  const ownIds = own.map(({ id }) => id);
  for (const id of groupIds) {
    if (ownIds.includes(id)) continue;
    groups.addMember.act({ ...call, params: { id, memberId: userId }, body: undefined });
  }
  for (const id of ownIds) {
    if (groupIds.includes(id)) continue;
    groups.removeMember.act({ ...call, params: { id, memberId: userId } });
  }
}
