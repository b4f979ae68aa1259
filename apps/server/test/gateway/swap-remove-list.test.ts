import { expect, test } from 'vitest';
import { type ListMember, SwapRemoveList } from '../../src/gateway/swap-remove-list.ts';

class Marble implements ListMember {
  listIndex = -1;

  listedAt(index: number): void {
    this.listIndex = index;
  }
}

test('a swap-remove list contains what was added and not deleted, in any order of operations', () => {
  const list = new SwapRemoveList<Marble>();
  const marbles = Array.from({ length: 6 }, () => new Marble());
  const [first, second, third, fourth, fifth, last] = marbles as [
    Marble,
    Marble,
    Marble,
    Marble,
    Marble,
    Marble,
  ];
  for (const marble of marbles) list.add(marble);
  for (const marble of [first, fourth, last]) list.delete(marble);
  list.add(first);
  expect(new Set(list.toArray())).toEqual(new Set([second, third, fifth, first]));
  expect(list.size).toBe(4);
  for (const marble of [second, third, fifth, first]) list.delete(marble);
  expect(list.toArray()).toEqual([]);
});

test('adding a member twice, or deleting one that is not in the list, changes nothing', () => {
  const list = new SwapRemoveList<Marble>();
  const marble = new Marble();
  list.delete(marble);
  list.add(marble);
  list.add(marble);
  expect(list.toArray()).toEqual([marble]);
  list.delete(marble);
  list.delete(marble);
  expect(list.size).toBe(0);
});

test('members may be deleted while a copy is iterated', () => {
  const list = new SwapRemoveList<Marble>();
  for (let i = 0; i < 5; i += 1) list.add(new Marble());
  for (const marble of list.toArray()) list.delete(marble);
  expect(list.size).toBe(0);
});
