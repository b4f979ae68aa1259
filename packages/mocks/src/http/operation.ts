import type { Contract } from '@gatehouse/contract';
import type {
  AppRoute,
  AppRouter,
  ServerInferRequest,
  ServerInferResponses,
  SuccessfulHttpStatusCode,
} from '@ts-rest/core';
import type { AddressPolicy } from '../rules/egress.ts';
import type { AnswerExtras, AnyAnswer } from '../state/answers.ts';
import type { State } from '../state/state.ts';
import type { Actor } from './actor.ts';

/** What every operation works with. */
export interface Surroundings {
  readonly state: State;
  /** Origin of the mocked service, without a trailing slash. */
  readonly publicUrl: string;
  readonly addresses: AddressPolicy;
}

export interface Caller extends Surroundings {
  readonly actor: Actor;
  /** Holds `If-Match` against a version. @throws Refusal `precondition_failed` */
  requireMatch(version: number): void;
}

/** A call of one operation; path, query and body are as the contract's schemas give them. */
export type Call<R extends AppRoute> = Caller & ServerInferRequest<R>;

export type Answer<R extends AppRoute> = ServerInferResponses<R, SuccessfulHttpStatusCode> &
  AnswerExtras;

/** One operation of the service. All methods refuse by throwing a `Refusal`. */
export interface Operation<R extends AppRoute> {
  /** Refuses a body that is wrong whatever is stored. */
  check?(call: Call<R>): void;
  /** Refuses an unknown resource before a stored answer is looked for. */
  exists?(call: Call<R>): unknown;
  act(call: Call<R>): Answer<R>;
}

export type Operations<Router extends AppRouter> = {
  readonly [Name in keyof Router]: Router[Name] extends AppRoute ? Operation<Router[Name]> : never;
};

export type Implementations = { readonly [Name in keyof Contract]: Operations<Contract[Name]> };

/** An operation whose route is not known to the compiler. */
export interface AnyOperation {
  check?(call: Caller): void;
  exists?(call: Caller): unknown;
  act(call: Caller): AnyAnswer;
}
