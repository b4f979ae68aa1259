import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import { testDatabaseKind } from '../support/database.ts';
import { useNodes } from './nodes.ts';
import { ofIntegration, reserve, reserveMany } from './support.ts';

describe.runIf(testDatabaseKind === 'postgresql')('nodes', () => {
  const { startPair, millisecondsLeft } = useNodes();
  const newKey = () => createId().id;

  it('have the whole limit again with the next minute of the database, and not before', async () => {
    const [one, other] = await startPair();
    const levels = ofIntegration(newKey(), { perMinute: 20 });
    await delay(((await millisecondsLeft()) + 59_000) % 60_000);
    expect(await reserveMany(one, levels, 40)).toBe(20);
    const left = await millisecondsLeft();
    expect(await reserve(other, levels)).toMatchObject({
      kind: 'limited',
      limit: 'perMinute',
      retryAfter: Math.ceil(left / 1000),
    });
    await delay(left + 50);
    expect(await reserveMany(other, levels, 40)).toBe(20);
  });
});
