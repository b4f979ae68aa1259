import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { AggregateSession, Sessions } from '../../src/sessions/sessions.ts';
import { createKeyring } from '../../src/vault/keyring.ts';
import { answerSealContext } from '../../src/vault/seal-contexts.ts';
import { createVault } from '../../src/vault/vault.ts';
import { deafStore } from '../support/deaf-store.ts';
import { useStore } from '../support/store.ts';
import { at, createWorld, openNode, type World } from './fixture.ts';

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'client', version: '1' },
};
const TEXT = '{"answer":"geheim ✓"}';

const store = useStore();
const vault = createVault(createKeyring([{ id: 'test', key: randomBytes(32) }]));
const deaf = deafStore();
let world: World;
/** The node that asks. It does not hear of answers until `deaf.listenAgain`. */
let asking: Sessions;
/** The node that gets the answers. */
let other: Sessions;
let session: AggregateSession;
let clientSessionId: string;
let errors: unknown[];
let answers: string[];

const placeOf = () => {
  const { organizationId } = at(world.routes, 0);
  return { organizationId, applicationId: at(world.applicationIds, 0) };
};

beforeEach(async () => {
  world = await createWorld(store);
  errors = [];
  answers = [];
  deaf.isLost = ({ kind }) => kind === 'answer';
  asking = openNode(deaf.wrap(store), {}, vault, (error) => errors.push(error));
  other = openNode(store, {}, vault);
  ({ session, clientSessionId } = await other.aggregates.open(
    placeOf(),
    at(world.callers, 0),
    HELLO,
  ));
  return async () => {
    await asking.close();
    await other.close();
  };
});

const ask = () => asking.questions.ask(session, (body) => answers.push(body.toString()));
const answer = (id: string, text = TEXT) => other.questions.answer(session, id, Buffer.from(text));
const count = () => store.db.forwardedAnswer.count();
const idIn = (rawId: string) => rawId.split('.')[1] ?? '';

function listen() {
  const announced: string[] = [];
  const unsubscribe = store.changes.subscribe({
    react: (changes) =>
      announced.push(...(changes === 'everything' ? [] : changes.map(({ id }) => id))),
  });
  onTestFinished(unsubscribe);
  return announced;
}

it('an answer on another node is stored sealed, announced, and taken once', async () => {
  const { id } = ask();
  const announced = listen();
  expect(await answer(id)).toBe(true);
  expect(announced).toEqual([expect.stringMatching(`^[0-9a-f-]{36}:${idIn(id)}$`)]);
  const row = await store.db.forwardedAnswer.findUniqueOrThrow({ where: { id: idIn(id) } });
  expect(Buffer.from(row.sealed).toString()).not.toContain('geheim');
  expect(row.aggregateSessionId).toBe(session.id);
  deaf.listenAgain();
  await expect.poll(() => answers).toEqual([TEXT]);
  expect(await count()).toBe(0);
  deaf.isLost = () => false;
  await answer(id, 'another');
  await expect.poll(count).toBe(0);
  expect(answers).toEqual([TEXT]);
});

it('an answer on another node is not replaced by another one', async () => {
  const { id } = ask();
  await answer(id);
  await answer(id, 'another');
  deaf.listenAgain();
  await expect.poll(() => answers).toEqual([TEXT]);
});

it('an answer on another node opens in its own session alone', async () => {
  const { id } = ask();
  const { organizationId } = session;
  const foreign = {
    organizationId,
    id: idIn(id),
    aggregateSessionId: at(world.routes, 0).attachmentId,
  };
  const sealed = vault.seal(TEXT, answerSealContext(foreign));
  await store.db.forwardedAnswer.create({
    data: { ...foreign, ...sealed, aggregateSessionId: session.id, expiresAt: new Date() },
  });
  deaf.listenAgain();
  await expect
    .poll(() => errors)
    .toMatchObject([{ message: expect.stringContaining('not authentic') }]);
  expect(answers).toEqual([]);
});

it('an answer goes with its session, and is not stored after that', async () => {
  const { id } = ask();
  await answer(id);
  await other.aggregates.end(session);
  expect(await count()).toBe(0);
  await answer(ask().id);
  expect(await count()).toBe(0);
  await expect(
    (async () => other.aggregates.require(placeOf(), at(world.callers, 0), clientSessionId))(),
  ).rejects.toMatchObject({ code: 'session_not_found' });
});

it('an answer that no call waits for is taken away', async () => {
  const { id, forget } = ask();
  forget();
  deaf.isLost = () => false;
  await answer(id);
  await expect.poll(count).toBe(0);
  expect(answers).toEqual([]);
});

it('an answer is looked for again a second after the database has failed', async () => {
  const { id } = ask();
  await answer(id);
  await store.db.$executeRaw`ALTER TABLE "ForwardedAnswer" RENAME TO "Away"`;
  deaf.listenAgain();
  await expect.poll(() => errors.length).toBe(1);
  await store.db.$executeRaw`ALTER TABLE "Away" RENAME TO "ForwardedAnswer"`;
  await expect.poll(() => answers, { timeout: 3_000 }).toEqual([TEXT]);
});
