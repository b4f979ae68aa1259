/** The sentence for a value that breaks a keyword of its credential schema. It never repeats the value. */
export function credentialErrorMessage(keyword: string, limit: unknown): string {
  return MESSAGES[keyword]?.(limit) ?? `Does not match ${keyword} of the credential schema.`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
};

const MESSAGES: Readonly<Record<string, (limit: unknown) => string>> = {
  required: () => 'Required.',
  additionalProperties: () => 'Must have only the fields of the credential schema.',
  // What ajv calls the keyword of a schema that is `false`.
  'false schema': () => 'Must not be given.',
  type: (type) => `Must be ${TYPE_NAMES[String(type)] ?? 'of another type'}.`,
  const: () => 'Must be the value that the credential schema requires.',
  enum: () => 'Must be one of the values that the credential schema allows.',
  minLength: (limit) => `Must have at least ${characters(limit)}.`,
  maxLength: (limit) => `Must have at most ${characters(limit)}.`,
  pattern: () => 'Must match the pattern of the credential schema.',
  minimum: (limit) => `Must be ${limit} or more.`,
  maximum: (limit) => `Must be ${limit} or less.`,
  exclusiveMinimum: (limit) => `Must be more than ${limit}.`,
  exclusiveMaximum: (limit) => `Must be less than ${limit}.`,
  multipleOf: (divisor) => `Must be a multiple of ${divisor}.`,
};

function characters(limit: unknown): string {
  return Number(limit) === 1 ? '1 character' : `${limit} characters`;
}
