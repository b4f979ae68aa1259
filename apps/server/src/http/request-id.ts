import { randomUUID } from 'node:crypto';
import { requestIdPattern } from '@gatehouse/contract';

/** The caller's `X-Request-Id` where it is harmless to log and echo, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : randomUUID();
}
