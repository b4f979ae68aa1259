import type { ProblemError } from '../../platform/problem-error.ts';

/** What is written on an event stream of the connect server, as events. */
export interface StreamTexts {
  /** At once; empty for nothing. */
  readonly first: string;
  /** The person has connected. The stream ends with it. */
  readonly connected: string;
  /** The gateway ends the stream for another reason. */
  ended(problem: ProblemError): string;
}

/** One event that is a JSON-RPC message. @param json one line */
export function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** @param params raw JSON */
export function notificationOf(method: string, params?: string): string {
  const rest = params === undefined ? '' : `,"params":${params}`;
  return eventOf(`{"jsonrpc":"2.0","method":"notifications/${method}"${rest}}`);
}
