import { expect, test } from 'vitest';
import { Bag, type Baggable } from '../../src/gateway/bag.ts';

class Marble implements Baggable {
  place = -1;
}

test('a bag holds what was added and not taken out, in whatever order that happens', () => {
  const bag = new Bag<Marble>();
  const marbles = Array.from({ length: 6 }, () => new Marble());
  const [first, second, third, fourth, fifth, last] = marbles as [
    Marble,
    Marble,
    Marble,
    Marble,
    Marble,
    Marble,
  ];
  for (const marble of marbles) bag.add(marble);
  for (const marble of [first, fourth, last]) bag.delete(marble);
  bag.add(first);
  expect(new Set(bag.toArray())).toEqual(new Set([second, third, fifth, first]));
  expect(bag.size).toBe(4);
  for (const marble of [second, third, fifth, first]) bag.delete(marble);
  expect(bag.toArray()).toEqual([]);
});

test('adding a member twice, or taking out one that is not in, changes nothing', () => {
  const bag = new Bag<Marble>();
  const marble = new Marble();
  bag.delete(marble);
  bag.add(marble);
  bag.add(marble);
  expect(bag.toArray()).toEqual([marble]);
  bag.delete(marble);
  bag.delete(marble);
  expect(bag.size).toBe(0);
});

test('members may leave while a copy is walked through', () => {
  const bag = new Bag<Marble>();
  for (let i = 0; i < 5; i += 1) bag.add(new Marble());
  for (const marble of bag.toArray()) bag.delete(marble);
  expect(bag.size).toBe(0);
});
