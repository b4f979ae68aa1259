import { addOrganization } from '../../support/organization.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { operationOf } from '../operations.ts';
import type { Plan } from '../plans/plan.ts';
import type { FuzzAnswer, FuzzRequest } from '../request.ts';
import { createSender, type Sender } from '../send.ts';
import type { Actor } from '../world/entity.ts';
import { learn } from '../world/learn.ts';
import { createWorld, type World } from '../world/world.ts';
import type { Exchange } from './mirror.ts';

/** A server where every run has its own organizations. */
export interface ModelledServer {
  begin(): Promise<ModelledRun>;
  close(): Promise<void>;
}

/** The beginning of one run: people and foreigners, and how they came to be. */
export interface ModelledRun {
  readonly world: World;
  /** Bearers of the owners of the run's first organizations. */
  readonly owners: readonly string[];
  /** What was asked and answered up to the beginning. */
  readonly beginning: readonly Exchange[];
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  /** How many requests were sent since the beginning. */
  readonly sent: number;
}

const UPSTREAM = 'http://127.0.0.1:1/upstream';

export async function startModelledServer(): Promise<ModelledServer> {
  const server = await startTestServer();
  const sender = createSender(server.baseUrl);
  return {
    begin: () => beginRun(server, sender),
    async close() {
      sender.close();
      await server.close();
    },
  };
}

async function beginRun({ store }: TestServer, sender: Sender): Promise<ModelledRun> {
  const world = createWorld(UPSTREAM);
  const owners = [await addOrganization(store), await addOrganization(store)];
  const beginning: Exchange[] = [];
  const call = async (operation: string, actor: Actor, body?: unknown) => {
    const request = simpleRequest(operation, actor, body);
    const answer = await sender.send(request);
    if (answer.status >= 300) throw new Error(`${operation} answered ${answer.status}`);
    learn(world, request, answer);
    beginning.push({ request, answer });
    return answer.body as Readonly<Record<string, Readonly<Record<string, never>>>>;
  };
  const [home, foreign] = owners.map((bearer, index) => ownerOf(bearer, index));
  if (!home || !foreign) throw new Error('There are two owners.');
  for (const owner of [home, foreign]) await addOwner(world, owner, call);
  const oauth = { type: 'confidential', redirectUris: ['https://app.example.com/callback'] };
  await call('integrations.create', foreign, { name: 'Foreign', url: UPSTREAM });
  await call('applications.create', foreign, { name: 'Foreign', oauth });
  for (const role of ['admin', 'member', 'member'] as const)
    await addMember(world, home, role, call);
  let sent = 0;
  return {
    world,
    owners,
    beginning,
    get sent() {
      return sent;
    },
    send(request) {
      sent += 1;
      return sender.send(request);
    },
  };
}

type Call = (
  operation: string,
  actor: Actor,
  body?: unknown,
) => Promise<Readonly<Record<string, Readonly<Record<string, never>>>>>;

const ALL: Actor['scopes'] = ['mcp', 'management:read', 'management:write'];

function ownerOf(bearer: string, index: number): Actor {
  return {
    bearer,
    kind: 'personal',
    organization: index === 0 ? 'home' : 'foreign',
    userId: '',
    role: 'owner',
    scopes: ALL,
    isBase: true,
  };
}

/** Both sides read who the owner is, so that the ids are known to both. */
async function addOwner(world: World, owner: Actor, call: Call): Promise<void> {
  const { user } = await call('me.get', owner);
  const { items } = await call('tokens.list', owner);
  const userId: string = user?.id ?? '';
  const tokenId = (items as unknown as readonly { id: string }[])[0]?.id ?? '';
  const common = { organization: owner.organization, isProtected: true, userId };
  world.entities('member').set(userId, { ...common, kind: 'member', id: userId, role: 'owner' });
  world.entities('token').set(tokenId, { ...common, kind: 'token', id: tokenId });
  world.actors.set(owner.bearer, { ...owner, userId, tokenId });
}

let members = 0;

async function addMember(
  world: World,
  owner: Actor,
  role: 'admin' | 'member',
  call: Call,
): Promise<void> {
  members += 1;
  const email = `${role}-of-the-model-${members}@example.com`;
  const made = await call('members.create', owner, { email, name: role, role });
  const invitation = world.actors.get(String(made.invitation));
  if (!invitation) throw new Error('The invitation was not noticed.');
  const { secret, token } = await call('tokens.create', invitation, { name: role, scopes: ALL });
  const actor = world.actors.get(String(secret));
  if (!actor) throw new Error('The token was not noticed.');
  world.actors.set(actor.bearer, { ...actor, isBase: true });
  protect(world, 'member', actor.userId);
  protect(world, 'token', String(token?.id));
}

function protect(world: World, kind: 'member' | 'token', id: string): void {
  const row = world.entities(kind).get(id);
  if (row) world.entities(kind).set(id, { ...row, isProtected: true });
}

/** A request of an operation without path parameters, with nothing special about it. */
export function simpleRequest(
  id: string,
  actor: Actor,
  body?: unknown,
  query: Readonly<Record<string, string>> = {},
): FuzzRequest {
  const operation = operationOf(id);
  const plan: Plan = {
    operation: operation.id,
    isValid: true,
    actor: { who: 'base', pick: 0 },
    ids: [],
    query,
    body,
    cursor: 'none',
    ifMatch: 'none',
    key: 'none',
    pick: 0,
    isTwin: false,
    mutations: [],
  };
  return {
    plan,
    operation,
    actor,
    bearer: actor.bearer,
    params: {},
    query,
    method: operation.route.method,
    path: operation.route.path,
    search: new URLSearchParams(query).toString(),
    headers: body === undefined ? [] : [['content-type', 'application/json']],
    hosts: undefined,
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    isChunked: false,
  };
}
