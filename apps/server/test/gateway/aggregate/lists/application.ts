import { randomBytes, randomUUID } from 'node:crypto';
import type { AggregateMode, PolicyLevel } from '@gatehouse/contract';
import { vi } from 'vitest';
import type { CredentialOutcome } from '../../../../src/credentials/outcome.ts';
import { answerList } from '../../../../src/gateway/aggregate/answer-list.ts';
import type { AggregateApplication } from '../../../../src/gateway/aggregate/applications.ts';
import type { InSession } from '../../../../src/gateway/aggregate/client-call.ts';
import type { Collected } from '../../../../src/gateway/aggregate/collect.ts';
import { within } from '../../../../src/gateway/aggregate/lists/gather.ts';
import { AggregateLists } from '../../../../src/gateway/aggregate/lists/lists.ts';
import type { OwnRequest } from '../../../../src/gateway/aggregate/lists/lost-sessions.ts';
import { stateFor } from '../../../../src/gateway/aggregate/state-for.ts';
import { findTarget, type RequestTarget } from '../../../../src/gateway/aggregate/target.ts';
import { type Route, routePolicyOf } from '../../../../src/gateway/routes.ts';
import { createCursors } from '../../../../src/http/cursor.ts';
import { readEnvelope } from '../../../../src/mcp/envelope/read-envelope.ts';
import type { Era } from '../../../../src/mcp/era.ts';
import { type ListKey, listKeyOf } from '../../../../src/mcp/methods.ts';
import type { Reply, WrittenResult } from '../../../../src/mcp/server/reply.ts';
import type { SpokenEras } from '../../../../src/mcp/spoken-eras.ts';
import type { Change, ChangeSet } from '../../../../src/platform/changes/changes.ts';
import { ProblemError } from '../../../../src/platform/problem-error.ts';
import { createKeyring } from '../../../../src/vault/keyring.ts';
import { createMac } from '../../../../src/vault/mac.ts';

const ORGANIZATION = 'organization';

/** A request for one page of a list. */
export interface Asked {
  readonly list: ListKey;
  readonly cursor: string | undefined;
  readonly client: InSession;
}

/** What an integration answers to it: a result, or what becomes of a request that is not answered. */
export type Answering = (asked: Asked) => object | Promise<object>;

const answerOfStatus = (status: number): Collected => ({
  kind: 'status',
  status,
  retryAfter: undefined,
});
export const fails: Answering = () => answerOfStatus(500);
export const hangs: Answering = () => new Promise<never>(() => {});
export const toolOf = (name: string) => ({ name, inputSchema: { type: 'object' } });
export const lists =
  (key: ListKey, ...entries: readonly object[]): Answering =>
  () => ({ [key]: entries });

/** An integration as the rows have it, and its server. */
export class TestIntegration {
  readonly attachmentId = randomUUID();
  readonly integrationId = randomUUID();
  readonly key = this.integrationId;
  alias: string;
  route: Route;
  credential: CredentialOutcome | Promise<CredentialOutcome> = {
    ...{ kind: 'ready', headers: [], source: 'none', connectionId: undefined },
  };
  readonly asked: Asked[] = [];
  readonly #answers = new Map<ListKey, Answering>([['tools', lists('tools', toolOf('echo'))]]);

  constructor(alias: string, applicationId: string) {
    const { attachmentId, integrationId, key } = this;
    const ids = { organizationId: ORGANIZATION, applicationId, integrationId, attachmentId, key };
    this.alias = alias;
    this.route = {
      ...ids,
      ...{ destination: 'https://mcp.example', path: '/', loopMark: '', integrationName: alias },
      ...{ policy: undefined, limits: undefined },
      target: {
        ...{ organizationId: ORGANIZATION, integrationId, url: `https://${alias}.example/` },
        ...{ category: 'gateway_remote_mcp', authMode: 'none', credentialSchema: null },
        ...{ oauthIssuer: undefined, oauthClientId: undefined, isOauthConfigured: false },
      },
      spokenEras: { legacy: '2025-11-25', modern: '2026-07-28' },
    };
  }

  on(list: ListKey, answer: Answering): void {
    this.#answers.set(list, answer);
  }

  onAll(answer: Answering): void {
    for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates'] as const)
      this.on(list, answer);
  }

  /** An admin changes its row, which is read again. */
  change(changed: Partial<Pick<Route, 'integrationName'>> & { readonly url?: string } = {}): void {
    const { url = this.route.target.url, ...others } = changed;
    this.route = { ...this.route, ...others, target: { ...this.route.target, url } };
  }

  speak(spokenEras: SpokenEras): void {
    this.route = { ...this.route, spokenEras };
  }

  setRules(rules: PolicyLevel['rules']): void {
    this.route = { ...this.route, policy: routePolicyOf([{ level: 'integration', rules }], null) };
  }

  /** One that does not know a list says so. */
  async answer(asked: Asked): Promise<Collected> {
    this.asked.push(asked);
    const answer = await this.#answers.get(asked.list)?.(asked);
    if (answer !== undefined && 'kind' in answer) return answer as Collected;
    const error = { code: -32601, message: 'Method not found' };
    const message = JSON.stringify({ ...(answer === undefined ? { error } : { result: answer }) });
    return { kind: 'message', status: 200, message: Buffer.from(message) };
  }
}

/** What a client is listed. */
export interface Listed {
  readonly names: readonly string[];
  /** The state of each integration, and how many of its entries are listed, by alias. */
  readonly states: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a result
  readonly result: any;
}

/** An application with integrations that list what a test says. Nothing is sent to anywhere. */
export class TestApplication {
  readonly id = randomUUID();
  readonly integrations: TestIntegration[] = [];
  readonly cursors = createCursors(
    createMac(createKeyring([{ id: 'test', key: randomBytes(32) }]), 'cursor'),
  );
  mode: AggregateMode = 'list';
  nameLength = 64;
  lists: AggregateLists;
  /** How often a list that was missing has come. */
  comeLate = 0;
  #application: AggregateApplication | undefined;
  readonly #subscribers = new Set<(changes: ChangeSet) => void>();

  constructor() {
    this.lists = this.newNode();
  }

  get callDeps() {
    const find = (key: string) => {
      const found = this.integrations.find((one) => one.key === key);
      if (found === undefined) throw new ProblemError('not_found', 'It is gone.');
      return found;
    };
    const eras = ({ spokenEras }: Route) => spokenEras;
    return {
      routes: { get: async (_: string, key: string) => find(key).route },
      credentials: {
        resolve: async ({ integrationId }: Route['target']) => find(integrationId).credential,
      },
      eras: { find: eras, known: eras },
    };
  }

  /** A node that has listed nothing yet. */
  newNode(): AggregateLists {
    const store = {
      changes: {
        subscribe: ({ drop }: { drop: (changes: ChangeSet) => void }) => {
          this.#subscribers.add(drop);
        },
      },
      transaction: (work: (tx: object) => unknown) => work({ announce: this.announce }),
    };
    const onLate = () => {
      this.comeLate += 1;
    };
    const deps = { store, callDeps: this.callDeps, onLate };
    return new AggregateLists(deps as never, (client, { key }, request) =>
      this.#ask(client, key, request),
    );
  }

  readonly announce = (...changes: readonly Change[]): void => {
    for (const drop of this.#subscribers) drop(changes);
  };

  async #ask(client: InSession, key: string, { body, method, until }: OwnRequest) {
    const integration = this.integrations.find((one) => one.key === key);
    const list = listKeyOf(method) ?? 'tools';
    const { cursor } = JSON.parse(body.toString()).params;
    const answering = integration?.answer({ list, cursor, client });
    const answer = answering && (await within(answering, until - performance.now()));
    return answer ?? answerOfStatus(504);
  }

  attach(alias: string): TestIntegration {
    const integration = new TestIntegration(alias, this.id);
    this.integrations.push(integration);
    this.change();
    return integration;
  }

  /** Its rows are read again. */
  change(): void {
    this.#application = undefined;
  }

  get application(): AggregateApplication {
    this.#application ??= this.#read();
    return this.#application;
  }

  #read(): AggregateApplication {
    const attachments = this.integrations.map(
      ({ attachmentId, integrationId, alias, key, route: { integrationName } }) => ({
        ...{ attachmentId, integrationId, alias, key, integrationName },
      }),
    );
    return {
      ...{ id: this.id, organizationId: ORGANIZATION, name: 'All', loopMark: '' },
      ...{ mode: this.mode, nameLength: this.nameLength, attachments },
      byAlias: new Map(attachments.map((attachment) => [attachment.alias, attachment])),
      integrationIds: attachments.map(({ integrationId }) => integrationId),
      aliases: new Set(attachments.map(({ alias }) => alias)),
    };
  }

  /** A request of a person. @param sessionId of a legacy client */
  client(era: Era = 'legacy', userId = 'person', sessionId = 'session'): InSession {
    const session = era === 'legacy' ? { id: sessionId, hello: {} } : undefined;
    const call = { era };
    const { application } = this;
    return { call, token: '', caller: personOf(userId), application, session } as never;
  }

  async list(client: InSession, list: ListKey, cursor?: unknown): Promise<Listed> {
    const written = writtenIn(await answerList(client, list, cursor, this));
    const integrations: { alias: string; state: string; count: number }[] =
      written._meta['gatehouse/integrations'];
    const entries: { name?: string; uri?: string; uriTemplate?: string }[] = written[list];
    return {
      result: written,
      names: entries.map(({ name, uri, uriTemplate }) => uri ?? uriTemplate ?? name ?? ''),
      states: Object.fromEntries(
        integrations.map(({ alias, state, count }) => [alias, `${state} ${count}`]),
      ),
    };
  }

  /** The integration that a request is for. */
  async target(
    client: InSession,
    method: string,
    params: object,
  ): Promise<(Omit<RequestTarget, 'attachment'> & { readonly alias: string }) | undefined> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 5, method, params }));
    const envelope = readEnvelope(body);
    if (envelope.kind !== 'message') throw new Error(`It is no message: ${envelope.kind}.`);
    const target = await findTarget(client, envelope.message, this.lists);
    return target && { ...target, alias: target.attachment.alias };
  }

  state(userId = 'person') {
    const applications = { get: async () => this.application, close: () => {} };
    const deps = { applications, lists: this.lists, callDeps: this.callDeps as never };
    return stateFor(personOf(userId), this.id, deps);
  }
}

function personOf(userId: string) {
  return {
    ...{ kind: 'person', organizationId: ORGANIZATION, userId, role: 'owner', groupIds: [] },
    ...{ via: { kind: 'personal_token', id: userId }, scopes: ['mcp'], expiresAt: null },
  } as never;
}

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a result
function writtenIn(reply: Reply | WrittenResult): any {
  if (!('written' in reply)) throw new Error(`It is refused: ${JSON.stringify(reply)}`);
  return JSON.parse(Buffer.concat(reply.written).toString());
}

/** Time passes in steps until work has ended. @returns its result, and the milliseconds that have passed */
export async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now();
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  for (let turns = 1; !isOver; turns += 1) {
    if (turns % 10 === 0) await vi.advanceTimersByTimeAsync(50);
    await turn();
  }
  return [await work, performance.now() - begun];
}

/** What waits for nothing but other code goes on. */
export const turn = () => new Promise(setImmediate);

/** Timers, and the clock by which lists become old, move as a test says. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
}
