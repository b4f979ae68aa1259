import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import type { AggregateSession, Question, Sessions } from '../../src/sessions/sessions.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createVault } from '../../src/vault/vault.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const MINUTE = 60_000;
const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'client', version: '1' },
};
const TEXT = '{"answer":"geheim ✓"}';

const store = useStore();
const vault = createVault(createKeyring([{ id: 'test', key: randomBytes(32) }]));
let world: World;
let node: Sessions;
let session: AggregateSession;
let clientSessionId: string;

const placeOf = () => {
  const { organizationId } = at(world.routes, 0);
  return { organizationId, applicationId: at(world.applicationIds, 0) };
};

beforeEach(async () => {
  world = await createWorld(store);
  node = openNode(store, {}, vault);
  ({ session, clientSessionId } = await node.aggregates.open(
    placeOf(),
    at(world.callers, 0),
    HELLO,
  ));
  return () => node.close();
});

const newQuestion = (): Question => ({ nodeId: 'node', id: createId().id });
const forward = (question: Question, text = TEXT) =>
  node.answers.store(session, question, text, MINUTE);
const count = () => store.db.forwardedAnswer.count();

function listen() {
  const announced: string[] = [];
  const unsubscribe = store.changes.subscribe({
    react: (changes) =>
      announced.push(...(changes === 'everything' ? [] : changes.map(({ id }) => id))),
  });
  onTestFinished(unsubscribe);
  return announced;
}

it('a forwarded answer is stored sealed, announced, and taken once', async () => {
  const question = newQuestion();
  const announced = listen();
  await forward(question);
  expect(announced).toEqual([`node:${question.id}`]);
  const row = await store.db.forwardedAnswer.findUniqueOrThrow({ where: { id: question.id } });
  expect(Buffer.from(row.sealed).toString()).not.toContain('geheim');
  expect(row.aggregateSessionId).toBe(session.id);
  expect(await node.answers.findAnswered([createId().id, question.id])).toEqual([question.id]);
  expect(await node.answers.take(session, question.id)).toBe(TEXT);
  expect(await node.answers.take(session, question.id)).toBeUndefined();
  expect(await node.answers.findAnswered([question.id])).toEqual([]);
});

it('a forwarded answer is not replaced by another one', async () => {
  const question = newQuestion();
  await forward(question);
  await forward(question, 'another');
  expect(await node.answers.take(session, question.id)).toBe(TEXT);
});

it('a forwarded answer opens in its own session alone', async () => {
  const question = newQuestion();
  await forward(question);
  const other = { ...session, id: createId().id };
  await expect(node.answers.take(other, question.id)).rejects.toThrow('not authentic');
});

it('a forwarded answer goes with its session, and is not stored after that', async () => {
  await forward(newQuestion());
  await node.aggregates.end(session);
  expect(await count()).toBe(0);
  await forward(newQuestion());
  expect(await count()).toBe(0);
  await expect(
    (async () => node.aggregates.require(placeOf(), at(world.callers, 0), clientSessionId))(),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});

it('a forwarded answer that no call waits for is discarded', async () => {
  const question = newQuestion();
  await forward(question);
  await node.answers.discard(question.id);
  expect(await count()).toBe(0);
});
