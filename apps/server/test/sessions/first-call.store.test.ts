import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import { useStore } from '../support/store.ts';
import { at, useNode } from './fixture.ts';

const store = useStore();
const own = useNode(store);

const firstCall = async (index: number) => {
  const where = { id: at(own.world.applicationIds, index) };
  return (await store.db.application.findUniqueOrThrow({ where })).firstCallAt;
};

/** A grant of the console, or of another client. */
async function insertGrant(clientId: string): Promise<string> {
  const { organizationId, applicationId } = at(own.world.routes, 0);
  const { subjectId: userId } = at(own.world.callers, 0);
  const browser = { ...createId(), organizationId, userId, hash: Buffer.from(randomUUID()) };
  const isConsole = clientId === 'console';
  if (isConsole)
    await store.db.browserSession.create({ data: { ...browser, lastSeenAt: browser.createdAt } });
  const grant = await store.db.grant.create({
    data: {
      ...{ ...createId(), organizationId, userId, applicationId, clientId },
      redirectUri: '',
      resources: [],
      scopes: ['mcp'],
      browserSessionId: isConsole ? browser.id : null,
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
  return grant.id;
}

async function call(bearerId: string): Promise<void> {
  const { subjectId } = at(own.world.callers, 0);
  const caller = { subjectId, bearerId };
  await own.node.legacy.open(at(own.world.routes, 0), caller, 'upstream');
  await own.node.modern.findOrOpen(at(own.world.routes, 0), caller);
}

it('the first call of an application is that of a client other than the console', async () => {
  await call(await insertGrant('console'));
  expect(await firstCall(0)).toBeNull();
  await call(await insertGrant('dyn_editor'));
  const first = await firstCall(0);
  expect(Math.abs(Date.now() - (first?.getTime() ?? 0))).toBeLessThan(60_000);
  await call(randomUUID());
  expect(await firstCall(0)).toEqual(first);
  expect(await firstCall(1)).toBeNull();
});
