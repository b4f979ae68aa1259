import type { WhatIfChange } from '@gatehouse/contract';
import { expect } from 'vitest';
import type { Round } from './arbitraries.ts';
import type { DrawnRules } from './arbitrary-rules.ts';
import { reasonIn } from './ask-gateway.ts';
import type { Rules } from './oracle/rules.ts';
import type { Tool } from './oracle/tools.ts';
import type { AllRules, RunState } from './run.ts';
import { definitionOf } from './run.ts';
import { at, type Worlds } from './world.ts';

/** What a round writes, with ids. */
export function rulesOf({ world }: Worlds, round: Round): AllRules {
  const withIds = ({ groups, userIds, ...rest }: DrawnRules): Rules => ({
    ...rest,
    ...(groups && { groups: groups.map((n) => at(world.groupIds, n)) }),
    ...(userIds && { userIds: userIds.map((n) => at(world.people, n).userId) }),
  });
  return {
    integration: withIds(round.rules),
    perApplication: round.perApplication.map((drawn) => drawn && withIds(drawn)),
    attachments: round.attachments.map(withIds),
  };
}

/** The bodies of the requests that write rules. */
function bodiesOf({ world }: Worlds, { integration, perApplication, attachments }: AllRules) {
  const own = world.applicationIds.flatMap((id, n) => {
    const rules = perApplication[n];
    return rules === undefined ? [] : [[id, rules] as const];
  });
  return {
    integration: { ...integration, perApplication: Object.fromEntries(own) },
    attachments: world.applicationIds.map((id, n) => [id, at(attachments, n)] as const),
  };
}

export async function writeRules(worlds: Worlds, { integrationId }: RunState, rules: AllRules) {
  const { fixture } = worlds;
  const { integration, attachments } = bodiesOf(worlds, rules);
  await fixture.api('PUT', `/integrations/${integrationId}/policy`, integration);
  for (const [id, own] of attachments) {
    await fixture.api('PUT', `/applications/${id}/integrations/${integrationId}/policy`, own);
  }
}

/** Approves the latest definitions of tools, as an admin who has read them. */
export async function approve({ fixture }: Worlds, state: RunState, names: readonly string[]) {
  const fingerprints: Record<string, string> = {};
  for (const name of names) {
    const { latest, approved } = state.tools.get(name) ?? {};
    if (latest === undefined || approved === undefined) continue;
    fingerprints[name] = definitionOf(name, latest).fingerprint;
    state.tools.set(name, { latest, approved: [...approved, latest] });
  }
  if (Object.keys(fingerprints).length === 0) return;
  const path = `/integrations/${state.integrationId}/tools/approve`;
  await fixture.api('POST', path, { fingerprints });
}

/** Waits until the catalogue is written as it was seen: that is done behind. */
export async function untilWritten({ fixture }: Worlds, { integrationId, tools }: RunState) {
  const isWritten = async () => {
    const { body } = await fixture.api('GET', `/integrations/${integrationId}/tools?limit=100`);
    const items: { name: string; fingerprint: string }[] = body.items;
    const latest = new Map(items.map(({ name, fingerprint }) => [name, fingerprint]));
    return [...tools].every(([name, tool]) => latest.get(name) === fingerprintOf(name, tool));
  };
  await expect.poll(isWritten, { interval: 50 }).toBe(true);
}

const fingerprintOf = (name: string, { latest }: Tool) =>
  latest && definitionOf(name, latest).fingerprint;

/** The question that comes before the writes of a round. */
export async function askWhatIf(
  worlds: Worlds,
  { integrationId }: RunState,
  rules: AllRules,
  member: Round['member'],
) {
  const { integration, attachments } = bodiesOf(worlds, rules);
  const changes: unknown[] = [
    { kind: 'integration_policy', integrationId, policy: integration },
    ...attachments.map(([applicationId, policy]) => ({
      ...{ kind: 'attachment_policy', applicationId, integrationId, policy },
    })),
    ...(member ? [memberChange(worlds, member)] : []),
  ];
  const { body } = await worlds.fixture.api('POST', '/applications/access-graph/what-if', {
    changes,
  });
  return body;
}

function memberChange(
  { world }: Worlds,
  { person, role, groups }: NonNullable<Round['member']>,
): Partial<WhatIfChange> {
  return {
    kind: 'member',
    userId: at(world.people, person).userId,
    ...(role && { role }),
    ...(groups && { groupIds: groups.map((n) => at(world.groupIds, n)) }),
  };
}

/** Each edge of the integration in the graph for someone, by the order of the applications. */
export async function readGraph({ fixture, world }: Worlds, state: RunState, query: string) {
  const path = `/applications/access-graph?includePolicy=true&integrationId=${state.integrationId}`;
  const { body } = await fixture.api('GET', `${path}&${query}`);
  return world.applicationIds.map((id) => {
    const edge = body.edges.find((each: { applicationId: string }) => each.applicationId === id);
    const { allowed, reasons, tools } = edge.policy;
    return { allowed, reasons: reasons.map(reasonIn), tools };
  });
}
