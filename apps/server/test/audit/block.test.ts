import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anchorHashOf,
  type BlockContent,
  type BlockHead,
  blockHashOf,
  contentHashOf,
  createBlockId,
  makeAnchor,
  ownerOf,
} from '../../src/audit/block.ts';
import { digestOf } from '../../src/audit/event.ts';
import { hashOf } from '../../src/audit/hash.ts';
import {
  auditKeySchema,
  isSignatureOf,
  isSuccessor,
  makeAuditKey,
  readPublicKey,
  signatureSchema,
  signHash,
} from '../../src/audit/keys.ts';

const run = '0190b8f0-0000-7000-8000-000000000001';
const hash = hashOf('block', []);
const head: BlockHead = {
  ...{ run, number: 2, node: 'n1', at: '2026-11-27T10:00:00.000Z', previous: hash, ends: false },
  ...{ keyId: '0'.repeat(32), witnesses: [{ run, number: 1, hash }], content: hash, owner: hash },
};
const content: BlockContent = {
  ...{ id: createBlockId(), organizationId: 'o', calls: 1, body: hash },
  ...{ from: '2026-11-27T10:00:00.000Z', to: '2026-11-27T10:00:01.000Z' },
  ...{ applications: ['a'], integrations: ['i'], people: ['p'], ended: ['e'] },
  managed: [{ id: run, digest: hash, run: null }],
};

/** Each field with other values, nested ones too. */
function* changesOf(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* [null, `${value}x`];
  if (typeof value === 'number') yield value + 1;
  if (typeof value === 'boolean') yield !value;
  if (Array.isArray(value)) {
    yield [];
    yield [...value, ...value];
    for (const change of changesOf(value[0])) yield [change];
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const change of changesOf(member)) yield { ...value, [key]: change };
    }
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

describe('the hash of a block', () => {
  it('covers every field of head and content', () => {
    const heads = [...changesOf(head)].filter((one) => !isSame(one, head));
    expect(heads.length).toBeGreaterThan(15);
    for (const changed of heads) {
      expect(blockHashOf(changed as BlockHead), JSON.stringify(changed)).not.toBe(
        blockHashOf(head),
      );
    }
    const contents = [...changesOf(content)].filter((one) => !isSame(one, content));
    expect(contents.length).toBeGreaterThan(15);
    for (const changed of contents) {
      expect(contentHashOf(changed as BlockContent), JSON.stringify(changed)).not.toBe(
        contentHashOf(content),
      );
    }
  });

  it('differs for values that move from one field to the next', () => {
    const moved = { ...content, applications: ['a', 'i'], integrations: [] };
    expect(contentHashOf(moved)).not.toBe(contentHashOf(content));
    expect(hashOf('block', ['a'])).not.toBe(hashOf('content', ['a']));
  });

  it('says which organization a block belongs to only to those who know the organization', () => {
    expect(ownerOf(run, 1, 'o')).not.toBe(ownerOf(run, 2, 'o'));
    expect(ownerOf(run, 1, 'o')).not.toBe(ownerOf(run, 1, null));
  });
});

describe('a key of the audit', () => {
  const first = makeAuditKey();
  const second = makeAuditKey(first);

  it('is signed by its predecessor alone, whatever else it says', () => {
    expect(auditKeySchema.parse(second.key)).toEqual(second.key);
    expect(isSuccessor(second.key, first.key)).toBe(true);
    expect(isSuccessor(first.key, second.key)).toBe(false);
    expect(isSuccessor(makeAuditKey(makeAuditKey()).key, first.key)).toBe(false);
    const later = { ...second.key, createdAt: '2030-01-01T00:00:00.000Z' };
    expect(isSuccessor(later, first.key)).toBe(false);
  });

  it('signs hashes', () => {
    const signature = signHash(hash, first.privateKey);
    const publicKey = readPublicKey(first.key.publicKey);
    expect(isSignatureOf(hash, signature, publicKey)).toBe(true);
    expect(isSignatureOf(hashOf('block', [1]), signature, publicKey)).toBe(false);
    expect(isSignatureOf(hash, signature, readPublicKey(second.key.publicKey))).toBe(false);
  });

  it('signs anchors', () => {
    const anchor = makeAnchor({ run, number: 7, hash }, first.key.id, first.privateKey);
    const publicKey = readPublicKey(first.key.publicKey);
    expect(isSignatureOf(anchorHashOf(anchor), anchor.signature, publicKey)).toBe(true);
    const later = anchorHashOf({ ...anchor, number: 8 });
    expect(isSignatureOf(later, anchor.signature, publicKey)).toBe(false);
  });

  it('has signatures that are written in one way', () => {
    const signature = signHash(hash, first.privateKey);
    expect(signatureSchema.safeParse(signature).success).toBe(true);
    const last = signature.charAt(85);
    const same = Buffer.from(signature, 'base64');
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/']
      .filter((char) => char !== last)
      .map((char) => `${signature.slice(0, 85)}${char}==`)
      .filter((text) => Buffer.from(text, 'base64').equals(same));
    expect(others.length).toBeGreaterThan(0);
    for (const text of [...others, ` ${signature}`, signature.slice(0, -2)]) {
      expect(signatureSchema.safeParse(text).success).toBe(false);
    }
  });
});

it('a management event that was stored, read and printed has the digest of the stored text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (details) => {
      const stored = JSON.stringify({ id: run, kind: 'management', details });
      expect(JSON.stringify(JSON.parse(stored))).toBe(stored);
      expect(digestOf(JSON.parse(stored))).toBe(
        digestOf(JSON.parse(JSON.stringify(JSON.parse(stored)))),
      );
    }),
    { numRuns: 2_000 },
  );
});
