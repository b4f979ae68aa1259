import type {
  Contract,
  ContractRequest,
  ContractResponse,
  ContractRoute,
  fixedFieldErrors,
} from '@gatehouse/contract';
import type { AddressPolicy } from '../rules/egress.ts';
import type { AnyResult, ResultExtras } from '../state/results.ts';
import type { State } from '../state/state.ts';
import type { Actor } from './actor.ts';

/** The parts of a mock Gatehouse that operations use. */
export interface Environment {
  readonly state: State;
  /** Origin of the mocked service, without a trailing slash. */
  readonly publicUrl: string;
  readonly addresses: AddressPolicy;
  /** Where `returnTo` may lead. */
  readonly allowedOrigins: readonly string[];
}

export interface Caller extends Environment {
  readonly actor: Actor;
  readonly requestId: string;
  /** Checks `If-Match` against a version. @throws Refusal `precondition_failed` */
  requireMatch(version: number): void;
  /** Rejects a body that would change what the write cannot. @throws Refusal `validation_failed` */
  requireFixed(schema: FixedFieldsSchema, before: object): void;
}

/** The schema of a body with fixed fields. */
export type FixedFieldsSchema = Parameters<typeof fixedFieldErrors>[0];

/** A call of one operation, with path, query and body as parsed by the contract. */
export type Call<R extends ContractRoute> = Caller & ContractRequest<R>;

export type Result<R extends ContractRoute> = Extract<ContractResponse<R>, { status: Success }> &
  ResultExtras;

type Success = 200 | 201 | 204;

/** One operation of the service. Its functions throw a `Refusal` to reject a request. */
export interface Operation<R extends ContractRoute> {
  /** Rejects a body that is invalid for any stored data. */
  check?(call: Call<R>): void;
  /** Rejects what the caller may not see or do, before a stored result is replayed. */
  authorize?(call: Call<R>): unknown;
  act(call: Call<R>): Result<R>;
}

export type Operations<Router extends Readonly<Record<string, ContractRoute>>> = {
  readonly [Name in keyof Router]: Router[Name] extends ContractRoute
    ? Operation<Router[Name]>
    : never;
};

export type Implementations = { readonly [Name in keyof Contract]: Operations<Contract[Name]> };

/** An operation of a route that the compiler does not know. */
export interface AnyOperation {
  check?(call: Caller): void;
  authorize?(call: Caller): unknown;
  act(call: Caller): AnyResult;
}
