import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyring } from '../../src/vault/keyring.ts';
import { createMac } from '../../src/vault/mac.ts';
import { createVault, isOutdated, type SealContext, VaultError } from '../../src/vault/vault.ts';
import { sealedInFirstFormat } from './first-format.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };
const context: SealContext = {
  organizationId: 'organization',
  table: 'Connection',
  rowId: 'row',
  column: 'sealed',
  destination: 'https://mcp.example',
  boundTo: ['integration', 'user'],
};

describe('the vault', () => {
  const vault = createVault(createKeyring([first]));

  it.each(['', 'token', 'ключ 🔑', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    expect(vault.open(vault.seal(text, context), context)).toBe(text);
  });

  it('reports once each key that a value names but that is not loaded', () => {
    const missing: string[] = [];
    const ours = createVault(createKeyring([second]), (keyId) => missing.push(keyId));
    const values = [vault.seal('one', context), vault.seal('two', context)];
    for (const value of values) expect(codeOf(() => ours.open(value, context))).toBe('unknown_key');
    expect(missing).toEqual(['first']);
  });

  it('seals the same text differently each time, and never readably', () => {
    const sealed = Array.from({ length: 100 }, () => vault.seal('plain text', context).sealed);
    expect(new Set(sealed.map((bytes) => bytes.subarray(1, 13).toString('hex'))).size).toBe(100);
    expect(sealed.every((bytes) => !bytes.includes('plain'))).toBe(true);
  });

  it.each([
    ['organizationId', 'elsewhere'],
    ['table', 'elsewhere'],
    ['rowId', 'elsewhere'],
    ['column', 'elsewhere'],
    ['destination', 'elsewhere'],
    ['boundTo', ['integration', 'another user']],
    ['boundTo', ['integration']],
    ['boundTo', ['user', 'integration']],
    ['boundTo', []],
  ])('does not open at another %s: %j', (part, elsewhere) => {
    const value = vault.seal('token', context);
    expect(isOutdated(value)).toBe(false);
    expect(codeOf(() => vault.open(value, { ...context, [part]: elsewhere }))).toBe(
      'not_authentic',
    );
  });

  it('opens values of the first format, which is bound to less, and mistakes neither format for the other', () => {
    const old = sealedInFirstFormat('token', first, context);
    expect(isOutdated(old)).toBe(true);
    expect(vault.open(old, context)).toBe('token');
    expect(vault.open(old, { ...context, boundTo: [] })).toBe('token');
    expect(codeOf(() => vault.open(old, { ...context, rowId: 'another' }))).toBe('not_authentic');
    const { keyId, sealed } = vault.seal('token', { ...context, boundTo: [] });
    const relabelled = Buffer.concat([Buffer.of(1), sealed.subarray(1)]);
    expect(codeOf(() => vault.open({ keyId, sealed: relabelled }, context))).toBe('not_authentic');
  });

  it('keeps the parts of a context apart', () => {
    const value = vault.seal('token', { ...context, rowId: 'a","b', column: 'c' });
    const shifted = { ...context, rowId: 'a', column: 'b","c' };
    expect(codeOf(() => vault.open(value, shifted))).toBe('not_authentic');
  });

  it('does not open after any one bit was changed', () => {
    const { keyId, sealed } = vault.seal('token', context);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(codeOf(() => vault.open({ keyId, sealed: changed }, context))).toMatch(
        /not_authentic|unknown_format/,
      );
    }
  });

  it('does not open when it was cut short', () => {
    const { keyId, sealed } = vault.seal('token', context);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(
        codeOf(() => vault.open({ keyId, sealed: sealed.subarray(0, length) }, context)),
      ).toMatch(/not_authentic|unknown_format/);
    }
  });

  it('seals with the first key and opens with any that is loaded', () => {
    const old = vault.seal('token', context);
    const rotated = createVault(createKeyring([second, first]));
    expect(rotated.open(old, context)).toBe('token');
    expect(rotated.seal('token', context).keyId).toBe('second');
    expect(codeOf(() => vault.open(rotated.seal('token', context), context))).toBe('unknown_key');
  });

  it('does not open under a key of the same id with other bytes', () => {
    const other = createVault(createKeyring([{ id: 'first', key: randomBytes(32) }]));
    expect(codeOf(() => other.open(vault.seal('token', context), context))).toBe('not_authentic');
  });

  it('says nothing of the context or the value in its errors', () => {
    const value = vault.seal('token', context);
    const error = errorOf(() => vault.open(value, { ...context, rowId: 'other-row' }));
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/mcp\.example|other-row|token/);
  });
});

describe('the keyring', () => {
  it('needs keys of 32 bytes under distinct, plain ids', () => {
    expect(() => createKeyring([])).toThrow(TypeError);
    expect(() => createKeyring([{ id: 'a', key: randomBytes(31) }])).toThrow('32 bytes');
    expect(() => createKeyring([first, { ...second, id: 'first' }])).toThrow('twice');
    for (const id of ['', 'a:b', 'a b', 'x'.repeat(65)]) {
      expect(() => createKeyring([{ id, key: randomBytes(32) }])).toThrow('key id');
    }
  });

  it('has a separate subkey for each purpose, the same every time', () => {
    const ring = createKeyring([first]);
    const subkeys = (['seal', 'cursor', 'idempotency'] as const).map((purpose) =>
      ring.subkey('first', purpose),
    );
    expect(new Set([first.key, ...subkeys].map((key) => key?.toString('hex'))).size).toBe(4);
    expect(createKeyring([first]).subkey('first', 'seal')).toEqual(subkeys[0]);
    expect(ring.subkey('first', 'seal')).toBe(subkeys[0]);
    expect(ring.subkey('second', 'seal')).toBeUndefined();
  });
});

describe('a mac', () => {
  const ring = createKeyring([first]);
  const mac = createMac(ring, 'cursor');

  it('verifies what it signed, across key rotation', () => {
    const { keyId, tag } = mac.sign('data');
    expect(mac.verify(keyId, 'data', tag)).toBe(true);
    expect(createMac(createKeyring([second, first]), 'cursor').verify(keyId, 'data', tag)).toBe(
      true,
    );
  });

  it('verifies nothing else', () => {
    const { keyId, tag } = mac.sign('data');
    const changed = Buffer.from(tag);
    changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
    expect(mac.verify(keyId, 'data', changed)).toBe(false);
    expect(mac.verify(keyId, 'date', tag)).toBe(false);
    expect(mac.verify(keyId, 'data', tag.subarray(0, 31))).toBe(false);
    expect(mac.verify(keyId, 'data', Buffer.alloc(0))).toBe(false);
    expect(mac.verify('second', 'data', tag)).toBe(false);
    expect(createMac(ring, 'idempotency').verify(keyId, 'data', tag)).toBe(false);
  });
});

function errorOf(act: () => unknown): VaultError {
  try {
    act();
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
  throw new Error('It opened.');
}

function codeOf(act: () => unknown): string {
  return errorOf(act).code;
}
