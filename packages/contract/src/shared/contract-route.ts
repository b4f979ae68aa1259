import type * as z from 'zod';
import type { Method } from '../routes.ts';
import type { ProblemStatus } from './problem-codes.ts';

/**
 * One operation as plain data: where it is, and the schemas of its parts. It has the shape of a route
 * of ts-rest without naming its types, which two copies of ts-rest would not agree on.
 */
export interface ContractRoute {
  readonly method: Method;
  /** Relative to `/api/v1`, with parameters such as `:id`. */
  readonly path: string;
  readonly summary?: string;
  readonly description?: string;
  readonly pathParams?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body by status. */
  readonly responses: Readonly<Record<number, z.ZodType>>;
  /** True when no other status is answered. */
  readonly strictStatusCodes?: boolean;
  /** The entry of the route table. */
  readonly metadata?: unknown;
}

/** What the service reads of a request to a route: `params`, `query` and `body`, parsed. */
export type ContractRequest<R extends ContractRoute> = {
  [Part in keyof R as RequestPart<Part>]: R[Part] extends z.ZodType ? z.output<R[Part]> : never;
};

type RequestPart<Part> = Part extends 'pathParams'
  ? 'params'
  : Part extends 'query' | 'body'
    ? Part
    : never;

/** What the service answers on a route, before the body is parsed: a status with its body. */
export type ContractResponse<R extends ContractRoute> = {
  [Status in StatusOf<R>]: { status: Status; body: z.input<R['responses'][Status]> };
}[StatusOf<R>];

// Of known statuses, so that TypeScript infers `status: 200` as 200 while it looks for R.
type StatusOf<R extends ContractRoute> = keyof R['responses'] & (200 | 201 | 204 | ProblemStatus);
