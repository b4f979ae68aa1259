import { describe, expect, test } from 'vitest';
import { createLogger, SECRET_NAMES } from '../../src/platform/logging.ts';

function logged(entry: object): string {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).info(entry, 'message');
  return lines.join('');
}

describe('the log', () => {
  test.each(SECRET_NAMES)('never holds the value of %s, at any of three depths', (name) => {
    for (const entry of [
      { [name]: 's3cret' },
      { body: { [name]: 's3cret' } },
      { request: { headers: { [name]: ['s3cret'] } } },
    ]) {
      const line = logged(entry);
      expect(line).not.toContain('s3cret');
      expect(line).toContain('[redacted]');
    }
  });

  test('knows the names under which secrets travel', () => {
    // A separate list: the one above would shrink with its source.
    expect(SECRET_NAMES).toEqual(
      expect.arrayContaining([
        ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'mcp-session-id'],
        ...['token', 'accessToken', 'access_token', 'refreshToken', 'refresh_token', 'id_token'],
        ...['serverToken', 'clientSecret', 'client_secret', 'secret', 'password', 'fields'],
        ...['tokenParams', 'sealed', 'hash', 'secretHash', 'databaseUrl', 'bootstrapToken'],
        ...['encryptionKeys', 'metricsToken'],
      ]),
    );
  });

  test('keeps what is no secret', () => {
    const entry = { requestId: 'r1', status: 200, userId: 'u1' };
    expect(JSON.parse(logged(entry))).toMatchObject({ ...entry, level: 'info', msg: 'message' });
  });

  test('holds the kind, code and places of an error, but no message of it or its causes', () => {
    const cause = Object.assign(new TypeError('invalid header value: Bearer s3cret'), {
      code: 'UND_ERR_INVALID_ARG',
    });
    const err = new Error('calling https://user:s3cret@example.com\n    at s3cret', { cause });
    const line = logged({ err });
    expect(line).not.toContain('s3cret');
    expect(JSON.parse(line).err).toMatchObject({
      type: 'Error',
      at: expect.arrayContaining([expect.stringContaining('logging.test.ts')]),
      cause: { type: 'TypeError', code: 'UND_ERR_INVALID_ARG' },
    });
  });

  test('holds what the database said of a failed statement only as codes', () => {
    const err = Object.assign(new Error('duplicate key value s3cret'), {
      code: 'P2002',
      cause: {
        originalCode: '23505',
        kind: 'UniqueConstraintViolation',
        originalMessage: 's3cret',
      },
    });
    const line = logged({ err });
    expect(line).not.toContain('s3cret');
    expect(JSON.parse(line).err.cause).toEqual({
      type: 'object',
      originalCode: '23505',
      kind: 'UniqueConstraintViolation',
    });
  });
});
