import { expect, it } from 'vitest';
import { BodyMemory } from '../../src/gateway/body-memory.ts';

it('long bodies of one caller leave room for those of others', () => {
  const memory = new BodyMemory(1_000);
  expect(memory.take(250, 'one')).toBe(true);
  expect(memory.take(1, 'one')).toBe(false);
  expect(memory.take(1)).toBe(true);
  expect(memory.take(250, 'another')).toBe(true);
  memory.giveBack(250, 'one');
  expect(memory.take(200, 'one')).toBe(true);
  expect(memory.used).toBe(451);
});
