import { describe, expect, it } from 'vitest';
import { hashOfText } from '../../../src/audit/hash.ts';
import { type AuditKey, makeAuditKey } from '../../../src/audit/keys.ts';
import { HashList } from '../../../src/audit/verify/hash-list.ts';
import { readLines, UnreadableLines } from '../../../src/audit/verify/read-lines.ts';
import { Findings } from '../../../src/audit/verify/report.ts';
import { TrustedKeys } from '../../../src/audit/verify/trusted-keys.ts';

const read = async (...chunks: readonly (string | readonly number[])[]) => {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  }
  const lines: string[] = [];
  for await (const line of readLines(bytes())) lines.push(line);
  return lines;
};

describe('the lines of a file', () => {
  it('are the same wherever its pieces end', async () => {
    const text = Buffer.from('a\n\né😀b\r\nc\n');
    for (let cut = 0; cut <= text.length; cut += 1) {
      const lines = await read([...text.subarray(0, cut)], [...text.subarray(cut)]);
      expect(lines).toEqual(['a', '', 'é😀b\r', 'c']);
    }
  });

  it('begin with a byte order mark if the file does', async () => {
    expect(await read('\ufeffa\n')).toEqual(['\ufeffa']);
  });

  it.each([
    ['without an end', ['a\nb']],
    ['not in UTF-8', ['a\n', [0xff, 0x0a]]],
    ['cut off within a character', ['a\n', [0xc3]]],
    ['longer than any of ours', Array<string>(65).fill('x'.repeat(1024 * 1024))],
  ])('are refused: %s', async (_, chunks) => {
    await expect(read(...chunks)).rejects.toThrow(UnreadableLines);
  });
});

it('a list of hashes has each at its number', () => {
  const list = new HashList();
  const numbers = [1, 2, 63, 64, 65, 1_000_000, Number.MAX_SAFE_INTEGER];
  for (const number of numbers) list.set(number, hashOfText(`${number}`));
  for (const number of numbers) expect(list.get(number)).toBe(hashOfText(`${number}`));
  expect([list.get(3), list.get(66), list.get(5_000)]).toEqual([undefined, undefined, undefined]);
});

describe('the keys of an export', () => {
  const first = makeAuditKey();
  const second = makeAuditKey(first);
  const third = makeAuditKey(second);
  const [one, two, three] = [first.key, second.key, third.key];

  const trusted = (keys: readonly AuditKey[], key?: AuditKey) => {
    const findings = new Findings();
    const reached = new TrustedKeys(keys, key?.publicKey, findings);
    return {
      ids: keys.flatMap(({ id }) => reached.orderOf(id) ?? []),
      faults: findings.all.length,
    };
  };

  it('are trusted from the given one on', () => {
    expect(trusted([one, two, three])).toEqual({ ids: [0, 1, 2], faults: 0 });
    expect(trusted([one, two, three], one)).toEqual({ ids: [0, 1, 2], faults: 0 });
    expect(trusted([one, two, three], two)).toEqual({ ids: [1, 2], faults: 0 });
    expect(trusted([one, two, three], makeAuditKey().key)).toEqual({ ids: [], faults: 1 });
  });

  it('are not trusted after one that its predecessor has not signed', () => {
    expect(trusted([one, three], one)).toEqual({ ids: [0], faults: 1 });
    expect(trusted([one, makeAuditKey().key, two], one)).toEqual({ ids: [0], faults: 1 });
    expect(trusted([two, three], two)).toEqual({ ids: [], faults: 1 });
  });

  it('have ids that name them', () => {
    expect(trusted([{ ...one, id: two.id }])).toEqual({ ids: [], faults: 1 });
  });
});
