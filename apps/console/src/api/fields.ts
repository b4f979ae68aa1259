/** Reads a value from outside; `undefined` stands for one of another type. */
export type Field<Value> = (value: unknown) => Value | undefined;

type Fields = Readonly<Record<string, Field<unknown>>>;

/** What is there of the fields: each may be absent. */
export type Read<Of extends Fields> = {
  -readonly [Name in keyof Of]?: ReturnType<Of[Name]>;
};

/**
 * Reads an object from outside, such as the search parameters of a URL: what is not among the fields, or not of their
 * type, is left out. The schemas of zod can do far more, in a file as large as a tenth of the first load.
 */
export function fieldsOf<const Of extends Fields>(fields: Of): (outside: unknown) => Read<Of> {
  return (outside) => {
    const values = new Map(Object.entries(Object(outside)));
    // The router merges them over the raw parameters of the URL, so that what is left out must be undefined.
    const read = Object.entries(fields).map(([name, field]) => [name, field(values.get(name))]);
    return Object.fromEntries(read);
  };
}

export const text: Field<string> = (value) => (typeof value === 'string' ? value : undefined);

export const flag: Field<true> = (value) => (value === true ? value : undefined);

export const id = matching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);

/** With a zone; the seconds may be left out. */
export const instant: Field<string> = (value) => {
  const found = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/)(value);
  return found === undefined || Number.isNaN(Date.parse(found)) ? undefined : found;
};

export function oneOf<const Value extends string>(values: readonly Value[]): Field<Value> {
  return (value) => values.find((each) => each === value);
}

export function matching(pattern: RegExp): Field<string> {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
}
