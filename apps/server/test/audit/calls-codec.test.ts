import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOfCall, callIdOf, createBlockId } from '../../src/audit/block.ts';
import { decodeCalls, UnreadableBody } from '../../src/audit/decode-calls.ts';
import { type CallInput, encodeCalls } from '../../src/audit/encode-calls.ts';
import type { CallEvent } from '../../src/audit/event.ts';
import { deflateBody, inflateBody } from '../../src/audit/stored-block.ts';
import { callInputs } from './arbitraries.ts';

const lists = fc.array(callInputs, { minLength: 1, maxLength: 12 });
const id = createBlockId();

const decode = (events: readonly CallInput[]) => {
  const { body, ...sets } = encodeCalls(events);
  return { body, sets, events: decodeCalls({ id, ...sets }, body) };
};
const inputOf = ({ id: _id, kind: _kind, at, ...event }: CallEvent): CallInput => ({
  ...event,
  at: Date.parse(at),
});

describe('call events in a block', () => {
  it('are decoded as they were encoded, with ids that count up from the block', () => {
    fc.assert(
      fc.property(lists, (inputs) => {
        const { events } = decode(inputs);
        expect(events.map(inputOf)).toEqual(inputs);
        expect(events.map((event) => event.id)).toEqual(inputs.map((_, at) => callIdOf(id, at)));
      }),
      { numRuns: 500 },
    );
  });

  it('are encoded again to the same bytes', () => {
    fc.assert(
      fc.property(lists, (inputs) => {
        const { events, ...encoded } = decode(inputs);
        const { body, ...sets } = encodeCalls(events.map(inputOf));
        expect({ body, sets }).toEqual(encoded);
      }),
      { numRuns: 500 },
    );
  });

  it('keep every name that an id had', () => {
    const [input] = fc.sample(callInputs, 1);
    if (input === undefined) throw new Error('There is no sample.');
    const named = (name: string): CallInput => ({
      ...input,
      actor: { ...input.actor, kind: 'person', id: 'p', name },
      details: { ...input.details, userId: 'p' },
    });
    const { events, sets } = decode([named('Ada'), named('Ada B.'), named('Ada')]);
    expect(events.map(({ actor }) => actor.name)).toEqual(['Ada', 'Ada B.', 'Ada']);
    expect(sets.people.filter((one) => one === 'p')).toHaveLength(2);
  });

  it('name the earliest and the latest time', () => {
    const [first, second] = fc.sample(callInputs, 2).map((input, at) => ({ ...input, at: 9 - at }));
    if (first === undefined || second === undefined) throw new Error('There is no sample.');
    const { sets } = decode([first, second]);
    expect(sets).toMatchObject({
      from: '1970-01-01T00:00:00.008Z',
      to: '1970-01-01T00:00:00.009Z',
    });
  });

  it.each(['', '[[],[],[],[]]\n[]', '[[],[],[],["a"]]\n[0,0,0,7]', 'x\n'])(
    'are refused if the body is %j',
    (body) => {
      const block = { id, from: '1970-01-01T00:00:00.000Z' };
      const sets = { applications: [], integrations: [], people: [] };
      expect(() => decodeCalls({ ...block, ...sets }, body)).toThrow(UnreadableBody);
    },
  );

  it('survive deflation', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (inputs) => {
        const { body } = encodeCalls(inputs);
        expect(await inflateBody(deflateBody(body))).toBe(body);
      }),
      { numRuns: 50 },
    );
  });

  it('are not inflated without bound', async () => {
    const bomb = deflateBody('x'.repeat(17 * 1024 * 1024));
    await expect(inflateBody(bomb)).rejects.toThrow();
  });

  it('have ids that lead back to the block', () => {
    expect(id).toMatch(/^[0-9a-f-]{32}0000$/);
    expect(blockOfCall(callIdOf(id, 499))).toEqual({ blockId: id, index: 499 });
  });
});
