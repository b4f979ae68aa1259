import type { SetConnectionBody } from '../connections/connections.schema.ts';
import type { JsonValue } from '../shared/json.ts';
import { jsonPointer } from '../shared/json-pointer.ts';
import { type CredentialProperty, credentialProperties } from './credential-properties.ts';
import { credentialPropertyKeyword, credentialPropertyValue } from './credential-property.ts';

/** A value that a person chooses instead of typing it. */
export interface CredentialChoice {
  readonly label: string;
  readonly value: string | number | boolean;
}

/** One field of the form where a person enters a credential. */
export interface CredentialField {
  /** In the form. */
  readonly name: string;
  /** Undefined for the token of an integration without a credential schema. */
  readonly property: CredentialProperty | undefined;
  /** The pointer that refusals of the credential use for this field. */
  readonly pointer: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isRequired: boolean;
  /** True if the value is neither shown while typed nor sent back. */
  readonly isSecret: boolean;
  /** Undefined where it is typed. */
  readonly choices: readonly CredentialChoice[] | undefined;
  readonly initial: string | undefined;
}

/** Formats of values that are not secret, so that people may see what they type. */
const PLAIN_FORMATS = new Set<unknown>(['email', 'hostname', 'uri', 'date', 'date-time']);

const YES_OR_NO: readonly CredentialChoice[] = [
  { label: 'Yes', value: true },
  { label: 'No', value: false },
];

const TOKEN: CredentialField = {
  name: 'token',
  property: undefined,
  pointer: '/token',
  label: 'Access token',
  hint: undefined,
  isRequired: true,
  isSecret: true,
  choices: undefined,
  initial: undefined,
};

/** The fields for an integration's credential schema; without one a single token. */
export function credentialFieldsOf(schema: unknown): readonly CredentialField[] {
  const properties = credentialProperties(schema);
  return properties.length === 0
    ? [TOKEN]
    : properties.map((property) => fieldOf(schema, property));
}

/**
 * The body that stores what a person entered, without empty fields; undefined if all are empty. Its values
 * are not checked.
 *
 * @param entered the texts by the names of the fields
 */
export function credentialBodyOf(
  fields: readonly CredentialField[],
  entered: ReadonlyMap<string, string>,
): SetConnectionBody | undefined {
  const given = fields.flatMap((field) => {
    const text = entered.get(field.name) ?? '';
    return text === '' ? [] : [[field, text] as const];
  });
  if (given.length === 0) return undefined;
  const [token] = given.filter(([{ property }]) => property === undefined);
  if (token !== undefined) return { token: token[1] };
  return { fields: Object.fromEntries(given.map(([field, text]) => entryOf(field, text))) };
}

function entryOf({ name, property, choices }: CredentialField, text: string) {
  const chosen = choices?.find(({ value }) => String(value) === text);
  const value = chosen?.value ?? credentialPropertyValue(property?.type, text);
  return [property?.name ?? name, value] as const;
}

function fieldOf(schema: unknown, property: CredentialProperty): CredentialField {
  const { name, definition, isRequired, type } = property;
  const say = (keyword: string) => credentialPropertyKeyword(schema, definition, keyword);
  const choices = type === 'boolean' ? YES_OR_NO : choicesOf(say('enum'));
  const isSecret = choices === undefined && isSecretText(type, say);
  const initial = isSecret ? undefined : textOf(say('default'));
  return {
    // Property names are arbitrary, so they are encoded for ids and forms.
    name: `field-${encodeURIComponent(name)}`,
    property,
    pointer: `/fields${jsonPointer([name])}`,
    label: textOf(say('title')) ?? name,
    hint: textOf(say('description')),
    isRequired,
    isSecret,
    choices,
    initial,
  };
}

/** Text is a secret unless the schema says otherwise; a number is not unless it says so. */
function isSecretText(
  type: CredentialProperty['type'],
  say: (keyword: string) => JsonValue | undefined,
): boolean {
  const writeOnly = say('writeOnly');
  if (typeof writeOnly === 'boolean') return writeOnly;
  const format = say('format');
  if (format === 'password') return true;
  return type !== 'number' && type !== 'integer' && !PLAIN_FORMATS.has(format);
}

function choicesOf(values: JsonValue | undefined): readonly CredentialChoice[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const choices = values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ label: String(value), value }]
      : [],
  );
  return choices.length === 0 ? undefined : choices;
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
