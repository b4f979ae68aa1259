import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils';
import { describe, expect, it } from 'vitest';
import {
  failureCode,
  toDatabaseUnavailable,
} from '../../../src/platform/database/database-failure.ts';

/** As Prisma throws it for a raw query. */
function rawQueryFailure(payload: MappedError): unknown {
  return Object.assign(new Error('Raw query failed.'), {
    code: 'P2010',
    meta: { driverAdapterError: new DriverAdapterError(payload) },
  });
}

function answered(state: string): MappedError & { originalCode: string; originalMessage: string } {
  return {
    kind: 'postgres',
    originalCode: state,
    originalMessage: 'as the server says it',
    code: state,
    severity: 'FATAL',
    message: 'as the server says it',
    detail: undefined,
    column: undefined,
    hint: undefined,
  };
}

describe('a failure of a raw query', () => {
  it.each<MappedError>([
    { kind: 'DatabaseNotReachable', host: '127.0.0.1', port: 5432 },
    { kind: 'ConnectionClosed' },
    { kind: 'SocketTimeout' },
    { kind: 'TlsConnectionError', reason: 'certificate has expired' },
    { kind: 'AuthenticationFailed', user: 'gatehouse' },
    { kind: 'DatabaseAccessDenied', db: 'gatehouse' },
    { kind: 'DatabaseDoesNotExist', db: 'gatehouse' },
    { kind: 'TooManyConnections', cause: 'too many' },
    { kind: 'TransactionAlreadyClosed', cause: 'closed' },
  ])('is 503 when the driver could not reach the server: $kind', (payload) => {
    const failure = rawQueryFailure(payload);
    expect(toDatabaseUnavailable(failure)).toMatchObject({
      code: 'database_unavailable',
      headers: { 'Retry-After': '1' },
    });
    expect(failureCode(failure)).toBe(payload.kind);
  });

  it.each([
    ...['08P01', '28000', '28P01', '3D000', '53300', '53100', '57P01', '57P02', '57P03', '57014'],
    ...['58030', '25006', '25P03', '55P03'],
  ])('is 503 when the server cannot serve anybody now: %s', (state) => {
    expect(toDatabaseUnavailable(rawQueryFailure(answered(state)))?.code).toBe(
      'database_unavailable',
    );
  });

  it.each(['23505', '42601', '42P01', '22001', '0A000'])(
    'is not, when the server refused the statement itself: %s',
    (state) => {
      expect(toDatabaseUnavailable(rawQueryFailure(answered(state)))).toBeUndefined();
    },
  );
});
