import { expect } from 'vitest';
import type { Round, Run } from './arbitraries.ts';
import { askForList, entriesOf } from './ask-for-list.ts';
import { askGateway, postOf } from './ask-gateway.ts';
import { expectDecisions } from './contract-decisions.ts';
import { approve, askWhatIf, readGraph, rulesOf, untilWritten, writeRules } from './management.ts';
import { type DrawnPost, TOOLS } from './messages.ts';
import { outcomeOf } from './oracle/calls.ts';
import { differenceOf, edgeOf, type Moment } from './oracle/graph.ts';
import { areDefinitionsLimited, listedOf, seenAs } from './oracle/lists.ts';
import { isAnyLevel } from './oracle/rules.ts';
import { isCatalogued, UNSEEN } from './oracle/tools.ts';
import { type Caller, levelsOf, type RunState, situationOf, someoneOf, startRun } from './run.ts';
import { at, type Worlds } from './world.ts';

/** Expects that everything that answers by rules agrees with the oracle, round by round. */
export async function expectAgreement(worlds: Worlds, run: Run): Promise<void> {
  await worlds.restoreMembers();
  const state = await startRun(worlds, run);
  try {
    for (const [index, round] of run.rounds.entries()) {
      if (index > 0) await untilWritten(worlds, state);
      await approve(worlds, state, round.approved);
      await expectWhatIf(worlds, state, round);
      await expectGraph(worlds, state, round);
      for (const { caller, post } of round.posts) await expectPost(worlds, state, caller, post);
      for (const list of round.lists) await expectList(worlds, state, list);
    }
  } finally {
    await worlds.fixture.api('DELETE', `/integrations/${state.integrationId}`);
  }
}

/** Asks what a round would do, and does it. */
async function expectWhatIf(worlds: Worlds, state: RunState, round: Round): Promise<void> {
  const { member } = round;
  const before = momentOf(worlds, state);
  const rules = rulesOf(worlds, round);
  const answer = await askWhatIf(worlds, state, rules, member);
  await writeRules(worlds, state, rules);
  state.rules = rules;
  if (member) await worlds.changeMember(member.person, member);
  const difference = differenceOf(before, momentOf(worlds, state));
  const { people, edges, tools } = answer;
  expect({
    people: { gained: people.gained.map(textOf).sort(), lost: people.lost.map(textOf).sort() },
    edges: { gained: edges.gained.map(textOf).sort(), lost: edges.lost.map(textOf).sort() },
    tools: tools.changed.map(countsOf).sort(),
  }).toEqual({ ...difference, tools: difference.tools.sort() });
}

interface Named {
  readonly applicationId: string;
  readonly userId?: string;
  readonly allowed: { readonly before: number; readonly after: number };
}

const textOf = ({ applicationId, userId }: Named) =>
  userId === undefined ? applicationId : `${applicationId} ${userId}`;

const countsOf = ({ applicationId, allowed }: Named) =>
  `${applicationId} ${allowed.before} ${allowed.after}`;

function momentOf({ world }: Worlds, state: RunState): Moment {
  const rules = new Map(world.applicationIds.map((id, n) => [id, levelsOf(state.rules, n)]));
  const people = world.people.map(({ userId, role, groupIds }) => ({
    ...{ kind: 'person' as const, userId, role, groupIds },
  }));
  return { rules, tools: new Map(state.tools), people };
}

/** The graphs of everyone, and of someone who is described. */
async function expectGraph(worlds: Worlds, state: RunState, round: Round): Promise<void> {
  const { world } = worlds;
  const { role, group } = round.described;
  const groupId = group === undefined ? undefined : at(world.groupIds, group);
  const described = { userId: '', role: role ?? 'member', groupIds: groupId ? [groupId] : [] };
  const query = [...(role ? [`forRole=${role}`] : []), ...(groupId ? [`forGroup=${groupId}`] : [])];
  const asked = world.people.map((person) => [person, `forUserId=${person.userId}`] as const);
  const all = query.length > 0 ? [...asked, [described, query.join('&')] as const] : asked;
  for (const [{ userId, ...rest }, by] of all) {
    const someone = { kind: 'person', userId, ...rest } as const;
    const expected = world.applicationIds.map((_, n) =>
      edgeOf(levelsOf(state.rules, n), state.tools, someone),
    );
    expect(await readGraph(worlds, state, by), by).toEqual(expected);
  }
}

async function expectPost(worlds: Worlds, state: RunState, caller: Caller, drawn: DrawnPost) {
  const someone = someoneOf(worlds, state, caller);
  const situation = situationOf(state, caller.application);
  const expected = outcomeOf(postOf(drawn), someone, situation);
  const { outcome, sent, body } = await askGateway(worlds, state, caller, drawn);
  expect({ outcome, sent }).toEqual({
    outcome: expected,
    sent: expected.kind === 'sent' ? [body] : [],
  });
  expectDecisions({ post: drawn, someone, situation });
}

/** Then calls each of its tools: what was listed is what was seen last. */
async function expectList(worlds: Worlds, state: RunState, list: Round['lists'][number]) {
  const { caller, key, via } = list;
  const someone = someoneOf(worlds, state, caller);
  const situation = situationOf(state, caller.application);
  const entries = entriesOf(list);
  const expected = listedOf(key, entries, someone, { ...situation, isStream: via === 'stream' });
  expect(await askForList(worlds, state, list)).toEqual(expected);
  if (key !== 'tools' || expected.kind === 'kept_out') return;
  if (isAnyLevel(situation.rules, areDefinitionsLimited)) {
    for (const entry of entries.filter(({ name }) => isCatalogued(name))) {
      state.tools.set(entry.name, seenAs(state.tools.get(entry.name) ?? UNSEEN, entry));
    }
  }
  for (const name of TOOLS) await expectPost(worlds, state, caller, callOf(name));
}

const callOf = (name: string): DrawnPost => ({
  messages: [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }],
  ...{ era: 'stateless', statesVersion: false, headerFault: undefined, isRepeated: false },
});
