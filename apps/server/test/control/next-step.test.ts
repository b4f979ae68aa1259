import { expect, it } from 'vitest';
import { type KeyReport, type KeyState, nextStepOf } from '../../src/control/keys.ts';

type Found = Omit<KeyReport, 'nextStep'>;

function key(id: string, state: Partial<KeyState> = {}): KeyState {
  const none = { isLoaded: true, isSealing: false, hasSealed: true, isRetired: false };
  return { id, ...none, rows: {}, total: 0, nodes: [], missingOn: [], ...state };
}

const node = (name: string, ...keyIds: string[]) => ({ name, version: '1.2.3', keyIds });
const found = (keys: KeyState[], nodes: Found['nodes'] = []): Found => ({
  source: 'environment',
  keys,
  nodes,
});

it.each<[string, Found, RegExp]>([
  ['one key that seals', found([key('a', { isSealing: true })]), /gatehouse keys add$/],
  [
    'a new key that one node lacks',
    found([key('a', { isSealing: true }), key('b', { hasSealed: false, missingOn: ['two'] })]),
    /^Restart two with b /,
  ],
  [
    'a new key that every node has',
    found([key('a', { isSealing: true }), key('b', { hasSealed: false })]),
    /gatehouse keys activate b$/,
  ],
  [
    'a node that seals with the old key',
    found(
      [key('b', { isSealing: true }), key('a')],
      [node('one', 'b', 'a'), node('two', 'a', 'b')],
    ),
    /^Restart two with b first/,
  ],
  [
    'rows of the old key',
    found([key('b', { isSealing: true }), key('a', { total: 1 })], [node('one', 'b', 'a')]),
    /^1 row is sealed with a: gatehouse keys rewrap$/,
  ],
  [
    'an old key without rows',
    found([key('b', { isSealing: true }), key('a')], [node('one', 'b', 'a')]),
    /gatehouse keys retire a$/,
  ],
  [
    'a retired key that is still loaded',
    found([key('b', { isSealing: true }), key('a', { isRetired: true, nodes: ['one'] })]),
    /^Remove a from GATEHOUSE_ENCRYPTION_KEYS, then restart node by node one:/,
  ],
  [
    'a retired key that only a node still has',
    found([
      key('b', { isSealing: true }),
      key('a', { isRetired: true, isLoaded: false, nodes: ['one'], missingOn: ['two'] }),
    ]),
    /^Restart node by node one:/,
  ],
  [
    'rows of a key that is not loaded',
    found([key('b', { isSealing: true }), key('a', { isLoaded: false, total: 1_500 })]),
    /^1,500 rows are sealed with a, which is not loaded here: add it/,
  ],
])('with %s it says what is next', (_, state, expected) => {
  expect(nextStepOf(state)).toMatch(expected);
});
