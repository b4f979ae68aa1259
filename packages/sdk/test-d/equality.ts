/** Compiles only with `true`. */
export type Assert<Condition extends true> = Condition;

/** Exact equality, also of optional and readonly members. */
export type Equals<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A zod schema's parsed type, read structurally so that zod need not be installed here. */
export type Output<Schema> = Schema extends { _zod: { output: infer Type } } ? Type : never;

/** What a zod schema accepts. */
export type Input<Schema> = Schema extends { _zod: { input: infer Type } } ? Type : never;

/** A type as it arrives in JSON: an optional member is absent, never `undefined`. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? string extends keyof T
      ? { [Key in keyof T]: Wire<T[Key]> }
      : { [Key in keyof T]: Wire<Present<T, Key>> }
    : T;

type Present<T, Key extends keyof T> =
  Record<never, never> extends Pick<T, Key> ? Exclude<T[Key], undefined> : T[Key];

/** Members, optionality and kinds of values, with every word widened to `string`. */
export type Shape<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Shape<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Shape<T[Key]> }
      : T;

/** The same with arrays and members readonly, as write types are. */
export type ReadonlyDeep<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyDeep<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T;

/** A query as programs give it, by what a schema takes and makes of it: numbers and flags, not text. */
export type QueryOf<Taken, Made> = {
  readonly [Key in keyof Taken]: Key extends keyof Made
    ? Exclude<Made[Key], undefined> | IfOptional<Taken, Key>
    : never;
};

type IfOptional<T, Key extends keyof T> =
  Record<never, never> extends Pick<T, Key> ? undefined : never;
