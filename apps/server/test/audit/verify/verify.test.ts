import { describe, expect, it } from 'vitest';
import { timeOf } from './chain.ts';
import { exportOf, makeInstallation, OURS, verifyLines } from './make-export.ts';

const made = makeInstallation();
const { keys, ended, crashed, live } = made;
const lines = exportOf(made);
const key = keys[0].key.publicKey;
const times = (from: number, to: number) => ({ from: timeOf(from), to: timeOf(to) });

describe('an export as it was written', () => {
  it('is verified, with how each run ended', async () => {
    const report = await verifyLines(lines, { key, heads: [live.head(), ended.head(4)] });
    expect(report).toEqual({
      verdict: 'verified',
      findings: [],
      runs: [
        { run: ended.run, node: 'n1', first: 3, last: 6, ...times(3, 6), end: 'ended' },
        { run: crashed.run, node: 'n2', first: 1, last: 3, ...times(4, 8), end: 'crashed' },
        { run: live.run, node: 'n1', first: 1, last: 5, ...times(20, 24), end: 'live' },
      ],
      ...{ blocks: 12, calls: 10, events: 18, keyChecked: true, headsChecked: 2 },
      droppedUntil: { calls: null, management: null },
      export: { at: timeOf(61), organizationId: OURS, from: null, to: null },
    });
  });

  it('is verified without a key, which the report says', async () => {
    expect(await verifyLines(lines)).toMatchObject({ verdict: 'verified', keyChecked: false });
  });

  it('is verified with all organizations', async () => {
    const report = await verifyLines(exportOf(made, { organizationId: null }), { key });
    expect(report).toMatchObject({ verdict: 'verified', blocks: 12, calls: 13 });
  });

  it.each([
    [0, 3],
    [3, 7],
    [7, 21],
    [22, 60],
    [30, 60],
  ])('is verified with the blocks of the seconds %i to %i', async (from, to) => {
    const report = await verifyLines(exportOf(made, { from, to }), { key });
    expect(report).toMatchObject({ findings: [], verdict: 'verified' });
    expect(report.runs).toHaveLength(3);
  });
});
