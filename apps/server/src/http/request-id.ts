import { randomUUID } from 'node:crypto';
import { requestIdPattern } from '@gatehouse/contract';

/** The caller's `X-Request-Id` if it is safe to log and echo, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : randomUUID();
}
