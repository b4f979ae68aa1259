import type { ListPromise, RequestOptions } from '@gatehouse/sdk';
import type { Equals, Input, Output, QueryOf, ReadonlyDeep, Shape, Wire } from './equality.ts';

/**
 * `true` when what `request` takes and returns for an endpoint is what the operation does, otherwise
 * what is different.
 */
export type Serves<Endpoint extends { response: unknown }, Operation> =
  Answers<Endpoint['response'], Operation> extends true
    ? Endpoint extends { query: infer Query }
      ? Operation extends { query: infer Schema }
        ? Queries<Query, Schema>
        : 'there is no query'
      : Endpoint extends { body: infer Body } | { optionalBody: infer Body }
        ? Writes<Body, Operation>
        : HasBody<Operation> extends true
          ? 'the body is missing'
          : true
    : 'the answer differs';

type Answers<Response, Operation> = [Success<Operation>] extends [never]
  ? Equals<Response, undefined>
  : [Success<Operation>] extends [Response]
    ? Equals<Shape<Response>, Shape<Success<Operation>>>
    : false;

/**
 * `true` when a method takes what the operation takes and returns what it answers, otherwise what is
 * different.
 */
export type Fits<Method extends (...args: never[]) => unknown, Operation> =
  Reads<Method, Operation> extends true
    ? Parameters<Method> extends [...Ids<PathOf<Operation>>, ...infer Others]
      ? Takes<Others, Operation>
      : 'the path parameters differ'
    : 'the answer differs';

/** Every answer of the contract fits the method's type, and the type has no member more or less. */
type Reads<Method, Operation> = [Success<Operation>] extends [never]
  ? Equals<Returned<Method>, void>
  : [Success<Operation>] extends [Returned<Method>]
    ? Equals<Shape<Returned<Method>>, Shape<Success<Operation>>>
    : false;

/** The body of a success; never when there is no body. */
type Success<Operation> = Operation extends { responses: infer Responses }
  ? Wire<Output<Responses[keyof Responses & (200 | 201)]>>
  : never;

type Returned<Method> = Method extends (...args: never[]) => infer Result
  ? Result extends ListPromise<infer Item>
    ? { items: Item[]; nextCursor: string | null }
    : Awaited<Result>
  : never;

type PathOf<Operation> = Operation extends { path: infer Path } ? Path : never;

/** One string for each parameter of a path. */
type Ids<Path> = Path extends `${string}:${infer Rest}` ? [string, ...Ids<Rest>] : [];

/** What comes after the path parameters: a body or a query where there is one, and options. */
type Takes<Args, Operation> = Operation extends { query: infer Schema }
  ? Args extends [(infer Query)?, (infer Options)?]
    ? Both<Queries<Exclude<Query, undefined>, Schema>, Optional<Options>>
    : 'the query differs'
  : HasBody<Operation> extends true
    ? Args extends [infer Body, (infer Options)?]
      ? Both<Writes<Body, Operation>, Optional<Options>>
      : 'the body differs'
    : Args extends [(infer Options)?]
      ? Optional<Options>
      : 'there are too many parameters';

/** An operation without a body declares no body, or an empty object. */
type HasBody<Operation> = Operation extends { body: infer Schema }
  ? string extends keyof NonNullable<Input<Schema>>
    ? false
    : true
  : false;

/** The query has the contract's parameters, each with the type that the contract reads from its text. */
type Queries<Query, Schema> =
  Equals<{ [Key in keyof Query]: Query[Key] }, QueryOf<Input<Schema>, Output<Schema>>> extends true
    ? true
    : 'the query differs';

/** Every body the type allows is accepted by the contract, and no member is missing. */
type Writes<Body, Operation> = Operation extends { body: infer Schema }
  ? [Body] extends [ReadonlyDeep<Input<Schema>>]
    ? Equals<Shape<NonNullable<Body>>, Shape<NonNullable<Input<Schema>>>> extends true
      ? true
      : 'the body differs'
    : 'the body allows more than the contract'
  : never;

type Optional<Options> = [Options] extends [RequestOptions | undefined]
  ? true
  : 'the options differ';

type Both<First, Second> = First extends true ? Second : First;
