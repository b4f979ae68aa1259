// Proves the hand-written types equal to the contract's. A failing line names the operation: either
// the contract changed and the type must follow, or the method is bound to another answer.
import type { Contract, Problem as ContractProblem } from '@gatehouse/contract';
import type {
  Applications,
  Gatehouse,
  Integrations,
  ListPromise,
  Members,
  Problem,
  Tokens,
} from '@gatehouse/sdk';
import type { Assert, Equals, Input, Output, ReadonlyDeep, Shape, Wire } from './equality.ts';

type Success<Operation> = Operation extends { responses: infer Responses }
  ? Wire<Output<Responses[keyof Responses & (200 | 201)]>>
  : never;

type Returned<Method> = Method extends (...args: never[]) => infer Result
  ? Result extends ListPromise<infer Item>
    ? { items: Item[]; nextCursor: string | null }
    : Awaited<Result>
  : never;

/** Every answer of the contract fits the method's type, and the type has no member more or less. */
type Reads<Method, Operation> = [Success<Operation>] extends [Returned<Method>]
  ? Equals<Shape<Returned<Method>>, Shape<Success<Operation>>>
  : false;

/** Every body the type allows is accepted by the contract, and no member is missing. */
type Writes<Body, Operation> = Operation extends { body: infer Schema }
  ? [Body] extends [ReadonlyDeep<Input<Schema>>]
    ? Equals<Shape<Body>, Shape<Input<Schema>>>
    : false
  : false;

/** The query has the contract's parameters; numbers and flags become text on the way. */
type Queries<Query, Operation> = Operation extends { query: infer Schema }
  ? Equals<keyof NonNullable<Query>, keyof Input<Schema>>
  : false;

type First<Method extends (...args: never[]) => unknown> = Parameters<Method>[0];
type Second<Method extends (...args: never[]) => unknown> = Parameters<Method>[1];

type I = Contract['integrations'];
type A = Contract['applications'];
type S = Contract['sessions'];
type T = Contract['tokens'];
type M = Contract['members'];

export type Pins = [
  Assert<Reads<Integrations['create'], I['create']>>,
  Assert<Writes<First<Integrations['create']>, I['create']>>,
  Assert<Reads<Integrations['list'], I['list']>>,
  Assert<Queries<First<Integrations['list']>, I['list']>>,
  Assert<Reads<Integrations['get'], I['get']>>,
  Assert<Reads<Integrations['update'], I['update']>>,
  Assert<Writes<Second<Integrations['update']>, I['update']>>,
  Assert<Reads<Integrations['restore'], I['restore']>>,
  Assert<Reads<Integrations['validate'], I['validate']>>,
  Assert<Reads<Applications['create'], A['create']>>,
  Assert<Writes<First<Applications['create']>, A['create']>>,
  Assert<Reads<Applications['list'], A['list']>>,
  Assert<Queries<First<Applications['list']>, A['list']>>,
  Assert<Reads<Applications['get'], A['get']>>,
  Assert<Reads<Applications['update'], A['update']>>,
  Assert<Writes<Second<Applications['update']>, A['update']>>,
  Assert<Reads<Applications['restore'], A['restore']>>,
  Assert<Reads<Applications['rotateSecret'], A['rotateSecret']>>,
  Assert<Reads<Applications['accessGraph'], A['accessGraph']>>,
  Assert<Queries<First<Applications['accessGraph']>, A['accessGraph']>>,
  Assert<Reads<Applications['oauth']['get'], A['getOauth']>>,
  Assert<Reads<Applications['oauth']['update'], A['updateOauth']>>,
  Assert<Writes<Second<Applications['oauth']['update']>, A['updateOauth']>>,
  Assert<Reads<Applications['integrations']['list'], A['listIntegrations']>>,
  Assert<Reads<Applications['integrations']['set'], A['setIntegrations']>>,
  Assert<Writes<Second<Applications['integrations']['set']>, A['setIntegrations']>>,
  Assert<Reads<Applications['sessions']['list'], S['list']>>,
  Assert<Queries<Second<Applications['sessions']['list']>, S['list']>>,
  Assert<Reads<Gatehouse['me'], Contract['me']['get']>>,
  Assert<Reads<Tokens['create'], T['create']>>,
  Assert<Writes<First<Tokens['create']>, T['create']>>,
  Assert<Reads<Tokens['list'], T['list']>>,
  Assert<Queries<First<Tokens['list']>, T['list']>>,
  Assert<Reads<Members['create'], M['create']>>,
  Assert<Writes<First<Members['create']>, M['create']>>,
  Assert<Reads<Members['list'], M['list']>>,
  Assert<Queries<First<Members['list']>, M['list']>>,
  Assert<Reads<Members['update'], M['update']>>,
  Assert<Writes<Second<Members['update']>, M['update']>>,
  Assert<Equals<Shape<Problem>, Shape<Wire<ContractProblem>>>>,
];
