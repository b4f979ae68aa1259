import { describe, expect, it } from 'vitest';
import {
  credentialValueSchema,
  idempotencyKeyPattern,
  idParamSchema,
  isCredentialHeader,
  requestIdPattern,
} from '../../src/index.ts';
import { scopesSchema } from '../../src/shared/scopes.ts';
import { emailSchema, nameSchema } from '../../src/shared/text.ts';
import { futureTimestampSchema, timestampSchema } from '../../src/shared/timestamps.ts';
import { accepts } from './check.ts';

describe('a name', () => {
  it('is trimmed before it is measured', () => {
    expect(nameSchema.parse(`  ${'n'.repeat(200)}\t\n`)).toBe('n'.repeat(200));
  });

  it.each([
    ['blanks only', '   '],
    ['201 characters', 'n'.repeat(201)],
    ['NUL', 'a\0b'],
    ['a line break inside', 'a\nb'],
    ['DEL', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['an unpaired surrogate', 'a\ud800'],
    ['a right-to-left override', 'a\u202eb'],
    ['an Arabic letter mark', 'a\u061cb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a zero-width space', 'a\u200bb'],
    ['a line separator', 'a\u2028b'],
    ['a grapheme joiner', 'a\u034fb'],
    ['tag characters, which spell what nobody sees', 'Bank\u{E0041}\u{E007F}'],
    ['a Hangul filler alone', '\u3164'],
    ['null', null],
    ['a number', 1],
  ])('refuses %s', (_, name) => {
    expect(accepts(nameSchema, name)).toBe(false);
  });

  it('may hold any script and emoji', () => {
    expect(nameSchema.parse('Übersicht 概要 👩‍💻')).toBe('Übersicht 概要 👩‍💻');
  });
});

describe('a credential', () => {
  it.each(['t', 'a b\tc', 'x'.repeat(8192), '!~"\\'])('accepts legal header values', (token) => {
    expect(credentialValueSchema.parse(token)).toBe(token);
  });

  it.each(['', ' t', 't ', 't\n', 'a\r\nX: 1', 'a\0', 'é', 'x'.repeat(8193), 5])(
    'refuses %j',
    (token) => {
      expect(accepts(credentialValueSchema, token)).toBe(false);
    },
  );
});

describe('a header that carries a credential', () => {
  it.each(['X-Api-Key', 'Authorization', 'private-token', 'x_y'])('may be %s', (name) => {
    expect(isCredentialHeader(name)).toBe(true);
  });

  it.each([
    'Host',
    'cookie',
    'Content-Type',
    'content-length',
    'Origin',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
    'Connection',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'Forwarded',
    'X-Forwarded-For',
    'Via',
    '',
    'a b',
    'a:b',
    'é',
    'x'.repeat(129),
  ])('may not be %j', (name) => {
    expect(isCredentialHeader(name)).toBe(false);
  });
});

describe('a set of scopes', () => {
  it('collapses duplicates and keeps the order', () => {
    expect(scopesSchema.parse(['b', 'a', 'b'])).toEqual(['b', 'a']);
  });

  it.each([
    [['a b']],
    [['']],
    [['a"b']],
    [['a\\b']],
    [['é']],
    [['s'.repeat(129)]],
    [Array.from({ length: 65 }, (_, index) => `s${index}`)],
    ['a'],
  ])('refuses %j', (scopes) => {
    expect(accepts(scopesSchema, scopes)).toBe(false);
  });

  it('accepts 64 scopes of 128 characters', () => {
    const scopes = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(128, 's'));
    expect(scopesSchema.parse(scopes)).toEqual(scopes);
  });
});

describe('an e-mail address', () => {
  it('is trimmed and lower-cased', () => {
    expect(emailSchema.parse(' Ada@Example.ORG ')).toBe('ada@example.org');
  });

  it.each(['ada', '@example.org', 'a b@example.org', 'a@b', `${'a'.repeat(250)}@b.org`])(
    'refuses %j',
    (email) => {
      expect(accepts(emailSchema, email)).toBe(false);
    },
  );
});

describe('an id in a path', () => {
  it('may be upper case and is lowered', () => {
    expect(idParamSchema.parse('01936F6E-8C5F-7C1E-9D0A-3F6B5A2C4D10')).toBe(
      '01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10',
    );
  });

  it.each(['1', '', '01936f6e8c5f7c1e9d0a3f6b5a2c4d10', 'access-graph', '\0'])(
    'refuses %j',
    (id) => {
      expect(accepts(idParamSchema, id)).toBe(false);
    },
  );
});

describe('timestamps', () => {
  it('are UTC with milliseconds in answers', () => {
    expect(accepts(timestampSchema, '2026-11-21T09:30:00.000Z')).toBe(true);
    expect(accepts(timestampSchema, '2026-11-21T09:30:00Z')).toBe(false);
    expect(accepts(timestampSchema, '2026-11-21T10:30:00.000+01:00')).toBe(false);
  });

  it('are normalized in requests', () => {
    expect(futureTimestampSchema.parse('2100-01-01T01:00:00+01:00')).toBe(
      '2100-01-01T00:00:00.000Z',
    );
  });

  it.each(['2020-01-01T00:00:00Z', '2100-02-30T00:00:00Z', '2100-01-01', 'tomorrow', ''])(
    'refuses %j as an expiry',
    (value) => {
      expect(accepts(futureTimestampSchema, value)).toBe(false);
    },
  );
});

describe('header patterns', () => {
  it('bound the request id and the idempotency key', () => {
    expect(requestIdPattern.test('a.b_c-1')).toBe(true);
    expect(requestIdPattern.test('a b')).toBe(false);
    expect(requestIdPattern.test('a'.repeat(129))).toBe(false);
    expect(idempotencyKeyPattern.test('!~'.repeat(127))).toBe(true);
    expect(idempotencyKeyPattern.test('a b')).toBe(false);
    expect(idempotencyKeyPattern.test('a'.repeat(256))).toBe(false);
    expect(idempotencyKeyPattern.test('')).toBe(false);
  });
});
