/**
 * An issue of zod, or of another library that follows Standard Schema. The optional fields are the
 * ones that messages are made from; which are present depends on the code.
 */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: unknown;
  readonly keys?: unknown;
  readonly expected?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly divisor?: unknown;
  readonly values?: unknown;
  /** One list of issues for each member of a union. */
  readonly errors?: unknown;
}

/** The start of zod's default messages, which no message of the contract shares. */
const ZOD_WORDING = /^Invalid /;

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'different values',
};

const messages: Readonly<Record<string, (issue: SchemaIssue) => string>> = {
  invalid_type({ expected }) {
    const noun = NOUNS[String(expected)];
    return noun === undefined ? 'Has the wrong type.' : `Must be ${noun}.`;
  },

  invalid_value({ values }) {
    const allowed = Array.isArray(values) ? values.map(String) : [];
    return allowed.length === 1
      ? `Must be ${allowed[0]}.`
      : `Must be one of: ${allowed.join(', ')}.`;
  },

  too_small({ origin, minimum, inclusive }) {
    const unit = UNITS[String(origin)];
    if (unit !== undefined) {
      return minimum === 1 ? 'Must not be empty.' : `Must have at least ${minimum} ${unit}.`;
    }
    if (!isNumeric(origin)) return 'Is too small.';
    return inclusive ? `Must be at least ${minimum}.` : `Must be greater than ${minimum}.`;
  },

  too_big({ origin, maximum, inclusive }) {
    const unit = UNITS[String(origin)];
    if (unit !== undefined) return `Must not have more than ${maximum} ${unit}.`;
    if (!isNumeric(origin)) return 'Is too large.';
    return inclusive ? `Must be at most ${maximum}.` : `Must be less than ${maximum}.`;
  },

  not_multiple_of: ({ divisor }) => `Must be a multiple of ${divisor}.`,
  unrecognized_keys: () => 'Has a field that does not exist.',
  invalid_union: ({ errors }) => unionMessage(errors),
  invalid_key: () => 'Must not have this name.',
  invalid_element: () => 'Has a value that is not allowed.',

  // The contract's schemas set a message for formats and refinements; zod's default is a fallback.
  invalid_format: ({ message }) => (ZOD_WORDING.test(message) ? 'Has the wrong format.' : message),
  custom: ({ message }) => (ZOD_WORDING.test(message) ? 'Is not valid.' : message),
};

/**
 * The message of an issue, in the API's own words. It depends neither on the version of zod nor on
 * the locale that a program sets for it. Issues of other libraries keep their message.
 */
export function issueMessage(issue: SchemaIssue): string {
  return messages[String(issue.code)]?.(issue) ?? issue.message;
}

function isNumeric(origin: unknown): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint';
}

/** Lists the types of a union, if all its members are plain types. */
function unionMessage(members: unknown): string {
  const nouns = (Array.isArray(members) ? members : []).map((issues: readonly SchemaIssue[]) => {
    const [issue, ...others] = issues;
    const isPlain = issue?.code === 'invalid_type' && !issue.path?.length && others.length === 0;
    return isPlain ? NOUNS[String(issue.expected)] : undefined;
  });
  const last = nouns.at(-1);
  if (last === undefined || nouns.includes(undefined)) return 'Does not have an allowed form.';
  return `Must be ${nouns.slice(0, -1).join(', ')} or ${last}.`;
}
