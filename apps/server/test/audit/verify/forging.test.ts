import { describe, expect, it } from 'vitest';
import { makeAnchor, ownerOf } from '../../../src/audit/block.ts';
import { type EndLine, endHashOf } from '../../../src/audit/export-lines.ts';
import { makeAuditKey, signHash } from '../../../src/audit/keys.ts';
import { timeOf } from './chain.ts';
import {
  exportOf,
  type Installation,
  makeInstallation,
  OURS,
  seal,
  verifyLines,
} from './make-export.ts';

const made = makeInstallation();
const { keys, ended, crashed, live } = made;
const [oldKey, newKey] = keys;
const lines = exportOf(made);

const findingsIn = async (tampered: readonly string[]) =>
  (await verifyLines(tampered, { key: oldKey.key.publicKey })).findings;
const find = (change: Partial<Installation>) => findingsIn(exportOf({ ...made, ...change }));

/** The first line with other values. */
const withFirst = (change: (first: { heads: { run: string }[] }) => object) => {
  const first = JSON.parse(lines[0] ?? '');
  return seal([JSON.stringify({ ...first, ...change(first) }), ...lines.slice(1)], newKey);
};

describe('what a holder of the signing key writes again', () => {
  it.each([
    ['before it comes in the export', crashed, 0],
    ['after it came in the export', crashed, 2],
  ])('a block that another run has seen is found: %s', async (_, chain, number) => {
    const fork = chain.fork(number);
    while (fork.blocks.length < chain.blocks.length) fork.add({ at: 8, key: oldKey });
    expect(await find({ crashed: fork })).toMatchObject([
      { run: crashed.run, number: number + 1, code: 'witness' },
    ]);
  });

  it('a block is found that the next one does not name', async () => {
    const fork = live.fork(2);
    fork.add({ at: 22, key: newKey });
    fork.blocks.push(...live.blocks.slice(3));
    expect(await find({ live: fork })).toMatchObject([{ run: live.run, number: 4, code: 'chain' }]);
  });

  it('a block that is older than the one before it is found', async () => {
    const fork = live.fork(5);
    fork.add({ at: 23, key: newKey });
    expect(await find({ live: fork })).toMatchObject([{ run: live.run, number: 6, code: 'chain' }]);
  });

  it('a block after the end of its run is found', async () => {
    const fork = ended.fork(6);
    fork.add({ at: 7, key: oldKey, ends: true });
    expect(await find({ ended: fork })).toMatchObject([{ run: ended.run, number: 7, code: 'end' }]);
  });

  it.each([
    ['of another organization', (number: number) => ownerOf(live.run, number, 'organization-2')],
    ['of another number', () => ownerOf(live.run, 1, OURS)],
  ])('a block with the owner %s is found', async (_, ownerAt) => {
    const fork = live.fork(5);
    fork.add({ at: 25, key: newKey, organizationId: OURS, forged: { owner: ownerAt(6) } });
    expect(await find({ live: fork })).toMatchObject([
      { run: live.run, number: 6, code: 'content' },
    ]);
  });

  it("a block of another organization is found that says it is the export's", async () => {
    const fork = live.fork(5);
    const owner = ownerOf(live.run, 6, OURS);
    fork.add({ at: 25, key: newKey, organizationId: 'organization-2', forged: { owner } });
    const part = exportOf({ ...made, live: fork }, { organizationId: null });
    const first = JSON.parse(part[0] ?? '');
    const ours = JSON.stringify({ ...first, organizationId: OURS });
    const foreign = part.findLastIndex((line) => line.startsWith('{"type":"block"'));
    const tampered = lines.toSpliced(-2, 0, part[foreign] ?? '').with(0, ours);
    expect(await findingsIn(seal(tampered, newKey))).toMatchObject([
      { run: live.run, number: 6, code: 'content' },
    ]);
  });

  it('a block that says other things than what its head has the hash of is found', async () => {
    const at = lines.findLastIndex((line) => line.includes('"calls":1,'));
    const line = JSON.parse(lines[at] ?? '');
    const tampered = lines.with(at, JSON.stringify({ ...line, to: timeOf(30) }));
    expect(await findingsIn(seal(tampered, newKey))).toMatchObject([
      { run: live.run, number: 3, code: 'content' },
    ]);
  });
});

describe('the first line', () => {
  it.each([
    ['an earlier block', live.head(4)],
    ['another hash', { ...live.head(), hash: live.head(4).hash }],
    ['a later block', { ...live.head(), number: 6 }],
  ])('is compared with the chains: %s', async (_, head) => {
    const tampered = withFirst(({ heads }) => ({
      heads: heads.map((one) => (one.run === head.run ? { ...one, ...head } : one)),
    }));
    expect(await findingsIn(tampered)).toMatchObject([{ run: live.run, code: 'tail' }]);
  });

  it('does not say that a run was of another node', async () => {
    const tampered = withFirst(({ heads }) => ({
      heads: heads.map((one) => (one.run === live.run ? { ...one, node: 'n2' } : one)),
    }));
    expect(await findingsIn(tampered)).toMatchObject([{ run: live.run, code: 'end' }]);
  });

  it.each([
    ['with another hash', { ...ended.head(1), number: 2 }, oldKey, 'chain', 3],
    ['of an earlier block', ended.head(1), oldKey, 'block_missing', 2],
    ['of a block that is there', ended.head(3), oldKey, 'anchor', 3],
    ['that another key has signed', ended.head(2), makeAuditKey(), 'anchor', 2],
  ] as const)('does not have an anchor %s', async (_, head, { key, privateKey }, code, number) => {
    expect(await find({ anchor: makeAnchor(head, key.id, privateKey) })).toMatchObject([
      { run: ended.run, number, code },
    ]);
  });
});

describe('the end line', () => {
  const end: EndLine = JSON.parse(lines.at(-1) ?? '');

  it.each([{ blocks: end.blocks + 1 }, { events: end.events - 1 }])(
    'does not have other counts: %j',
    async (counts) => {
      const unsigned = { ...end, ...counts };
      const signature = signHash(endHashOf(unsigned), newKey.privateKey);
      const tampered = lines.with(-1, JSON.stringify({ ...unsigned, signature }));
      expect(await findingsIn(tampered)).toMatchObject([{ code: 'file' }]);
    },
  );

  it.each(['', '{}', lines.at(-1) ?? ''])('is the last one, before %j too', async (line) => {
    expect(await findingsIn([...lines, line])).toMatchObject([
      { code: 'line', message: `Line ${lines.length + 1} comes after the end line.` },
    ]);
  });
});
