import { readDefinition } from '../../../../src/catalogue/fingerprint.ts';
import { CALL } from '../../fixture.ts';
import { type Run, toolsOf } from './arbitraries.ts';
import { PEOPLE } from './arbitrary-rules.ts';
import { TOOLS } from './messages.ts';
import type { Situation } from './oracle/messages.ts';
import type { Someone } from './oracle/people.ts';
import type { Rules, RulesOfLevels } from './oracle/rules.ts';
import { isCatalogued, type Tool, type Version } from './oracle/tools.ts';
import { at, type Worlds } from './world.ts';

/** All rules of an integration that is attached to both applications. */
export interface AllRules {
  readonly integration: Rules;
  readonly perApplication: readonly (Rules | undefined)[];
  readonly attachments: readonly Rules[];
}

const NO_RULES: AllRules = { integration: {}, perApplication: [], attachments: [{}, {}] };

/** One run: a new integration, what is known of its tools, and its rules. */
export interface RunState {
  readonly integrationId: string;
  readonly authMode: Run['authMode'];
  /** By name. */
  readonly tools: Map<string, Tool>;
  /** Ids of legacy sessions, by person and application. */
  readonly sessions: Map<string, string>;
  rules: AllRules;
}

export interface Caller {
  readonly person: number;
  readonly application: number;
}

/** As the server lists it. */
export const toolOf = (name: string, { text, schema, readOnly }: Version) => ({
  name,
  description: `Text ${text}`,
  inputSchema: { type: 'object', title: `Schema ${schema}` },
  annotations: { readOnlyHint: readOnly },
});

export const definitionOf = (name: string, version: Version) =>
  readDefinition(Buffer.from(JSON.stringify(toolOf(name, version))), name);

export async function startRun(worlds: Worlds, run: Run): Promise<RunState> {
  const { fixture, world, send } = worlds;
  const { authMode } = run;
  const secret = authMode === 'server_token' ? { serverToken: 'secret' } : {};
  const integrationId = await fixture.integrate({ authMode, ...secret });
  const other = at(world.applicationIds, 1);
  await fixture.api('POST', `/applications/${other}/integrations/${integrationId}`);
  for (const { token } of authMode === 'user_token' ? world.people : []) {
    const path = `/integrations/${integrationId}/connection`;
    await fixture.api('POST', path, { token: 'secret' }, token);
  }
  await fillCatalogue(worlds, integrationId, run.histories);
  const tools = toolsOf(run.histories);
  const sessions = new Map<string, string>();
  const state = { integrationId, authMode, tools, sessions, rules: NO_RULES };
  const posts = run.rounds.flatMap((round) => round.posts);
  for (const { caller } of posts.filter(({ post }) => post.era === 'session')) {
    const key = keyOf(caller);
    if (sessions.has(key) || isForItself(state, caller)) continue;
    const body = { ...CALL, method: 'initialize', params: {} };
    const token = tokenOf(worlds, state, caller);
    const { headers } = await send(urlOf(worlds, state, caller), { token, body });
    sessions.set(key, String(headers['mcp-session-id']));
  }
  return state;
}

export const keyOf = ({ person, application }: Caller) => `${person} ${application}`;

async function fillCatalogue(
  { fixture }: Worlds,
  integrationId: string,
  histories: Run['histories'],
): Promise<void> {
  const { db } = fixture.server.store;
  const { organizationId } = await db.integration.findUniqueOrThrow({
    where: { id: integrationId },
  });
  const data = TOOLS.filter(isCatalogued).flatMap((name, place) =>
    at(histories, place).map(({ version, isApproved }, seen) => {
      const definition = definitionOf(name, version);
      const lastSeenAt = new Date(Date.UTC(2026, 0, 1, 0, seen));
      const approvedAt = isApproved ? lastSeenAt : null;
      return { ...definition, integrationId, organizationId, lastSeenAt, approvedAt };
    }),
  );
  await db.toolDefinition.createMany({ data });
}

/** An application calls for itself where a person has no part in the credential. */
export const isForItself = ({ authMode }: RunState, { person, application }: Caller) =>
  person === PEOPLE && application === 1 && authMode !== 'user_token';

/** Otherwise, what is drawn for an application is done by the owner. */
const personOf = ({ world }: Worlds, { person }: Caller) => at(world.people, person % PEOPLE);

export function someoneOf(worlds: Worlds, state: RunState, caller: Caller): Someone {
  if (isForItself(state, caller)) return { kind: 'application' };
  const { userId, role, groupIds } = personOf(worlds, caller);
  return { kind: 'person', userId, role, groupIds };
}

export const tokenOf = (worlds: Worlds, state: RunState, caller: Caller) =>
  isForItself(state, caller) ? worlds.world.applicationToken : personOf(worlds, caller).token;

export const urlOf = ({ fixture, world }: Worlds, { integrationId }: RunState, caller: Caller) =>
  `${fixture.server.origin}/mcp/${at(world.applicationIds, caller.application)}/${integrationId}`;

export function situationOf({ rules, authMode, tools }: RunState, application: number): Situation {
  return { rules: levelsOf(rules, application), authMode, tools };
}

export const levelsOf = (rules: AllRules, application: number): RulesOfLevels => ({
  integration: rules.integration,
  application: rules.perApplication[application] ?? {},
  attachment: at(rules.attachments, application),
});
