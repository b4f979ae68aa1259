import type { FuzzOperation } from './operations.ts';
import type { Plan } from './plans/plan.ts';
import type { Actor } from './world/entity.ts';

export type Header = readonly [name: string, value: string];

/** A request byte for byte, with what the oracle needs to know of it. */
export interface FuzzRequest {
  readonly plan: Plan;
  readonly operation: FuzzOperation;
  readonly actor: Actor | undefined;
  readonly bearer: string | undefined;
  /** Path parameters as sent, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly method: string;
  /** Relative to `/api/v1`, without the query. */
  readonly path: string;
  /** After the question mark. */
  readonly search: string;
  /** Without `Host`, `Authorization` and `Content-Length`. */
  readonly headers: readonly Header[];
  /** In place of the one that the address gives. */
  readonly hosts: readonly string[] | undefined;
  readonly body: Buffer | undefined;
  readonly isChunked: boolean;
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body; `undefined` if it is missing or not JSON. */
  readonly body: unknown;
}

/** A header's first value as it is sent. */
export function headerOf({ headers }: FuzzRequest, name: string): string | undefined {
  return headers.find(([found]) => found === name)?.[1];
}
