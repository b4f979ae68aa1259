import { hostname } from 'node:os';

/** Host and process, for people. */
export function nodeName(): string {
  return `${hostname()}:${process.pid}`;
}
