import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeAuditKey } from '../../../src/audit/keys.ts';
import { type Chain, managementEvent } from './chain.ts';
import {
  codesOf,
  exportOf,
  type Installation,
  makeInstallation,
  seal,
  textOf,
  verify,
  verifyLines,
  withFlipped,
} from './make-export.ts';

const made = makeInstallation();
const { keys, ended, crashed, live, anchor } = made;
const [oldKey, newKey] = keys;
const options = { key: oldKey.key.publicKey };
const lines = exportOf(made);

/** All but the event that is in no block yet, which only the end line covers. */
const covered = lines.slice(0, -2);

/** What an insider finds who can end a file as the server does, but not sign blocks. */
const findingsOf = async (tampered: readonly string[]) =>
  codesOf(await verifyLines(seal(tampered, newKey), options));

const indexOf = (chain: Chain, number: number) =>
  lines.findIndex((line) =>
    line.startsWith(`{"type":"block","run":"${chain.run}","number":${number},`),
  );

const replaced = (index: number, ...by: readonly string[]) => lines.toSpliced(index, 1, ...by);

/** A line with other values; undefined ones are left out. */
function changed(index: number, change: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(lines[index] ?? ''), ...change });
}

/** Rewrites the first line, and takes lines out. */
function withHeads(
  tampered: readonly string[],
  heads: (head: { run: string }) => object,
): string[] {
  const first = JSON.parse(tampered[0] ?? '');
  return [JSON.stringify({ ...first, heads: first.heads.map(heads) }), ...tampered.slice(1)];
}

describe('a file that is changed', () => {
  it('is not verified with any bit flipped', async () => {
    const bytes = Buffer.from(textOf(lines));
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        expect((await verify(withFlipped(bytes, bit), options)).verdict).toBe('failed');
      }),
      { numRuns: 100 },
    );
  });

  it('is not verified with a bit of a block or event flipped, however it was ended', async () => {
    const length = covered.length - 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: length }), fc.nat(), async (index, any) => {
        const line = Buffer.from(lines[index] ?? '');
        const flipped = withFlipped(line, any % (line.length * 8));
        expect(await findingsOf(replaced(index, flipped.toString()))).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('is not verified with white space that changes no value', async () => {
    for (const [index, line] of lines.entries()) {
      const spaced = replaced(index, line.replace(',', ', '));
      expect((await verifyLines(spaced, options)).verdict, line).toBe('failed');
    }
  });

  it('is not verified if it is cut off anywhere', async () => {
    const bytes = Buffer.from(textOf(lines));
    for (const length of [0, 1, 5_000, bytes.length - 100, bytes.length - 1]) {
      expect((await verify(bytes.subarray(0, length), options)).verdict).toBe('failed');
    }
    for (const index of lines.keys()) {
      const codes = codesOf(await verifyLines(lines.slice(0, index), options));
      expect(codes.length, `${index} lines`).toBeGreaterThan(0);
    }
  });

  it('is not verified with any line left out, twice or in another place', async () => {
    for (const index of covered.keys()) {
      expect(await findingsOf(lines.toSpliced(index, 1)), `without ${index}`).not.toEqual([]);
      const line = lines[index] ?? '';
      expect(await findingsOf(lines.toSpliced(index, 0, line)), `twice ${index}`).not.toEqual([]);
    }
    const place = fc.nat(covered.length - 1);
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        fc.pre(one !== other);
        const moved = lines.toSpliced(one, 1).toSpliced(other, 0, lines[one] ?? '');
        expect(await findingsOf(moved)).not.toEqual([]);
        const swapped = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
        expect(await findingsOf(swapped)).not.toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is refused if it is of another version, or nothing of ours', async () => {
    const version = replaced(0, changed(0, { version: 2 }));
    const { findings } = await verifyLines(version, options);
    expect(findings).toEqual([
      {
        code: 'line',
        message: 'The export is of another version; this program reads version 1.',
      },
    ]);
    for (const text of ['', '\n', 'x', '{}\n', '[]\n', '\ufeff{}\n', `${lines[1]}\n`]) {
      expect((await verify(text)).verdict, text).toBe('failed');
    }
    expect(codesOf(await verify(Buffer.from([0xff, 0x0a])))).toContain('line');
  });
});

describe('what an insider changes who ends the file as the server does', () => {
  const middle = indexOf(crashed, 2);
  const events = [1, 2, 3].map((offset) => middle + offset);
  const idOf = (index: number) => JSON.parse(lines[index] ?? '').event.id;
  const where = { run: crashed.run, number: 2 };
  const find = async (tampered: readonly string[]) =>
    (await verifyLines(seal(tampered, newKey), options)).findings;

  it('a management event that is left out is named', async () => {
    const [first = 0, second = 0] = events;
    expect(await find(lines.toSpliced(second, 1))).toMatchObject([
      { ...where, code: 'event_missing', eventId: idOf(second) },
    ]);
    expect(await find(lines.toSpliced(first, 3))).toMatchObject([
      { ...where, code: 'event_missing', eventId: idOf(first) },
    ]);
  });

  it('a management event that is changed is named', async () => {
    const [first = 0] = events;
    const { event } = JSON.parse(lines[first] ?? '');
    const other = changed(first, { event: { ...event, outcome: 'refused' } });
    expect(await find(replaced(first, other))).toMatchObject([
      { ...where, code: 'event_changed', eventId: idOf(first) },
    ]);
  });

  it('management events in another order are named', async () => {
    const [first = 0, second = 0] = events;
    const swapped = lines.with(first, lines[second] ?? '').with(second, lines[first] ?? '');
    expect(await find(swapped)).toMatchObject([
      { ...where, code: 'event_missing', eventId: idOf(first) },
    ]);
  });

  it('a foreign management event is named, among others and after all blocks', async () => {
    const event = managementEvent(7);
    const foreign = JSON.stringify({ type: 'event', event });
    expect(await find(lines.toSpliced(middle + 1, 0, foreign))).toMatchObject([
      { code: 'event_foreign', eventId: event.id },
    ]);
    // 54 seconds before the export it could still be on its way into a block.
    const older = { type: 'event', event: { ...event, at: '2026-11-27T10:00:01.000Z' } };
    expect(await find(lines.toSpliced(-1, 0, JSON.stringify(older)))).toMatchObject([
      { code: 'event_foreign', eventId: event.id },
    ]);
  });

  it('a call event that is left out, changed or moved is found in its block', async () => {
    const block = indexOf(crashed, 1);
    const place = { run: crashed.run, number: 1 };
    expect(await find(lines.toSpliced(block + 2, 1))).toMatchObject([
      { ...place, code: 'event_missing', eventId: idOf(block + 2) },
    ]);
    const { event } = JSON.parse(lines[block + 2] ?? '');
    const other = changed(block + 2, { event: { ...event, address: '192.0.2.2' } });
    expect(await find(replaced(block + 2, other))).toMatchObject([
      { ...place, code: 'calls_changed' },
    ]);
    const target = indexOf(live, 2) + 1;
    const moved = lines.toSpliced(target, 0, lines[block + 1] ?? '').toSpliced(block + 1, 1);
    expect(await find(moved)).toMatchObject([
      { ...place, code: 'event_missing' },
      { run: live.run, number: 2, code: 'event_missing' },
    ]);
  });

  it('a block that is left out is named, and so is one that comes twice', async () => {
    const [first, second] = [indexOf(live, 2), indexOf(live, 3)];
    expect(await find(lines.toSpliced(first, second - first))).toMatchObject([
      { run: live.run, number: 2, code: 'block_missing' },
    ]);
    const again = lines.slice(first, second);
    for (const at of [second, indexOf(live, 4)]) {
      expect(await find(lines.toSpliced(at, 0, ...again))).toMatchObject([
        { run: live.run, number: 2, code: 'block_order' },
      ]);
    }
  });

  it('a block that is shown as that of another organization is found', async () => {
    const at = indexOf(live, 3);
    const { organizationId: _, ...line } = JSON.parse(lines[at] ?? '');
    const { id, from, to, calls, applications, integrations, people, managed, body, ...head } =
      line;
    const hidden = lines.toSpliced(at, 2, JSON.stringify(head));
    expect([id, from, to, calls, applications, integrations, people, managed, body]).toHaveLength(
      9,
    );
    expect(await find(hidden)).toMatchObject([{ run: live.run, number: 3, code: 'content' }]);
  });

  it("what a block says about another organization's events is not taken", async () => {
    const all = exportOf(made, { organizationId: null });
    const foreign = all.find((line) => line.includes('"organizationId":"organization-2"')) ?? '';
    const at = indexOf(ended, 4);
    const tampered = replaced(at, foreign, ...all.slice(all.indexOf(foreign) + 1).slice(0, 4));
    expect(await find(tampered)).toMatchObject([{ run: ended.run, number: 4, code: 'content' }]);
  });

  it('events that retention is said to have dropped while it kept older ones are found', async () => {
    const at = indexOf(live, 3);
    const dropped = lines.toSpliced(at, 2, changed(at, { bodyDropped: true }));
    expect(await find(dropped)).toMatchObject([{ run: live.run, number: 3, code: 'dropped' }]);
  });

  it('what retention has dropped is reported', async () => {
    const at = indexOf(crashed, 1);
    const [, second, third] = events.map((one) => lines[one] ?? '');
    const block = changed(middle, { managedDropped: true });
    const tampered = lines
      .toSpliced(middle, 4, block, second ?? '', third ?? '')
      .toSpliced(at, 4, changed(at, { bodyDropped: true }));
    expect(await verifyLines(seal(tampered, newKey), options)).toMatchObject({
      findings: [],
      droppedUntil: { calls: '2026-11-27T10:00:04.000Z', management: '2026-11-27T10:00:07.000Z' },
    });
  });

  it('an anchor that is missing, changed or not signed is found', async () => {
    for (const anchors of [
      [],
      [{ ...anchor, number: 1 }],
      [{ ...anchor, hash: ended.head(1).hash }],
      [{ ...anchor, number: 3, hash: ended.head(3).hash }],
    ]) {
      const findings = await find(replaced(0, changed(0, { anchors })));
      expect(findings, JSON.stringify(anchors)).toMatchObject([{ run: ended.run }]);
    }
  });
});

describe('a tail that is cut off', () => {
  /** A run without its last block, and a first line that says so. */
  const without = (chain: Chain, state: string) => {
    const number = chain.blocks.length - 1;
    const at = indexOf(chain, number + 1);
    const next = lines.findIndex((line, index) => index > at && !line.includes('"type":"event"'));
    return withHeads(lines.toSpliced(at, next - at), (head) =>
      head.run === chain.run ? { ...head, ...chain.head(number), state } : head,
    );
  };

  it.each([
    ['ended', ended, 'crashed'],
    ['crashed', crashed, 'crashed'],
  ] as const)('of the run that %s shows by what another run has seen', async (_, chain, state) => {
    const { findings } = await verifyLines(seal(without(chain, state), newKey), options);
    expect(findings).toMatchObject([{ run: chain.run, number: chain.blocks.length, code: 'tail' }]);
  });

  it('shows by a head that was kept, if no run has seen it', async () => {
    const cut = seal(without(live, 'live'), newKey);
    expect(await verifyLines(cut, options)).toMatchObject({ verdict: 'verified' });
    const { findings } = await verifyLines(cut, { ...options, heads: [live.head()] });
    expect(findings).toMatchObject([{ run: live.run, number: 5, code: 'head' }]);
  });

  it('shows by the first line, unless that was rewritten', async () => {
    const tampered = without(live, 'live').with(0, lines[0] ?? '');
    const { findings } = await verifyLines(seal(tampered, newKey), options);
    expect(findings).toMatchObject([{ run: live.run, number: 5, code: 'tail' }]);
  });

  it('shows when a whole run is missing', async () => {
    const from = indexOf(crashed, 1);
    const tampered = lines.toSpliced(from, indexOf(live, 1) - from);
    expect(await findingsOf(tampered)).toEqual(['run_missing']);
    const first = JSON.parse(lines[0] ?? '');
    const heads = first.heads.filter(({ run }: { run: string }) => run !== crashed.run);
    const rewritten = tampered.with(0, JSON.stringify({ ...first, heads }));
    expect(await findingsOf(rewritten)).toEqual(['run_missing']);
  });

  it('shows in an export of some time, where a block beside it is missing', async () => {
    const part = exportOf(made, { from: 22, to: 24 });
    for (const [at, code] of [
      ['10:00:21', 'block_missing'],
      ['10:00:24', 'tail'],
    ]) {
      const beside = part.findIndex(
        (line) => line.includes(live.run) && line.includes(`"at":"2026-11-27T${at}`),
      );
      expect(await findingsOf(part.toSpliced(beside, 1))).toEqual([code]);
    }
  });

  it('is no crash: a run that ended goes on no more, and says how it ended', async () => {
    const states = withHeads(lines, (head) => ({ ...head, state: 'crashed' }));
    expect(await findingsOf(states)).toEqual(['end']);
    const other = makeInstallation();
    other.ended.add({ at: 7, key: other.keys[0] });
    const [key] = other.keys;
    const found = await verifyLines(exportOf(other), { key: key.key.publicKey });
    expect(codesOf(found)).toEqual(['end']);
  });
});

describe('signatures and keys', () => {
  it('a trusted key is one from which the keys of the blocks are reached', async () => {
    const stranger = makeAuditKey().key.publicKey;
    expect(codesOf(await verifyLines(lines, { key: stranger }))).toContain('key');
    // The newer key does not say anything about the older one.
    expect(codesOf(await verifyLines(lines, { key: newKey.key.publicKey }))).toContain('key');
  });

  it('a successor that the key before it has not signed is not trusted', async () => {
    const other = makeAuditKey();
    const forged = { ...other.key, signedBy: oldKey.key.id, signature: newKey.key.signature };
    const tampered = replaced(0, changed(0, { keys: [oldKey.key, forged] }));
    expect(codesOf(await verifyLines(seal(tampered, other), options))).toContain('key');
  });

  it('an end line that another key has signed is found', async () => {
    expect(codesOf(await verifyLines(seal(lines, makeAuditKey()), options))).toEqual(['file']);
  });

  it.each([
    ['a key that the export does not name', () => makeAuditKey()],
    ['a key that was replaced before', ({ keys: [first] }: Installation) => first],
  ])('a block that is signed with %s is found', async (_, keyOf) => {
    const other = makeInstallation();
    other.live.add({ at: 25, key: keyOf(other) });
    const key = other.keys[0].key.publicKey;
    const { findings } = await verifyLines(exportOf(other), { key });
    expect(findings).toMatchObject([{ code: 'key', run: other.live.run, number: 6 }]);
  });

  it('a block with the signature of another is found', async () => {
    const [at, other] = [indexOf(live, 3), indexOf(live, 4)];
    const { signature } = JSON.parse(lines[other] ?? '');
    expect(await findingsOf(replaced(at, changed(at, { signature })))).toEqual(['signature']);
  });

  it('a block of another installation is found', async () => {
    const other = makeInstallation();
    const start = `{"type":"block","run":"${other.live.run}"`;
    const foreign = exportOf(other).find((line) => line.startsWith(start)) ?? '';
    const codes = await findingsOf(lines.toSpliced(-1, 0, foreign));
    expect(codes).toEqual(['event_foreign', 'block_foreign']);
  });
});

describe('a head that was kept', () => {
  it('shows that everything was written again with the same keys', async () => {
    const again = makeInstallation();
    again.live.add({ at: 25, key: again.keys[1] });
    const report = await verifyLines(exportOf(again), {
      key: again.keys[0].key.publicKey,
      heads: [live.head()],
    });
    expect(report).toMatchObject({ findings: [{ code: 'head', run: live.run }], headsChecked: 0 });
  });

  it.each([
    ['another hash', { hash: ended.head(5).hash, number: 6 }, /is not the one/],
    ['a block that is not there yet', { hash: ended.head(5).hash, number: 7 }, /ends before/],
    ['a block that was dropped', { hash: ended.head(1).hash, number: 1 }, /Retention has dropped/],
  ])('is not verified with %s', async (_, head, message) => {
    const heads = [{ run: ended.run, ...head }];
    const { findings } = await verifyLines(lines, { ...options, heads });
    expect(findings).toMatchObject([{ code: 'head', run: ended.run, number: head.number }]);
    expect(findings[0]?.message).toMatch(message);
  });

  it('is compared with the last block that was dropped', async () => {
    const { headsChecked } = await verifyLines(lines, { ...options, heads: [ended.head(2)] });
    expect(headsChecked).toBe(1);
  });
});
