import { isJsonObject, type JsonObject, type JsonValue } from '@gatehouse/contract';
import { type ArgumentField, textOf } from './fields.ts';

/** What stands in the controls, by the names of the properties. */
export type Values = ReadonlyMap<string, string>;

/** What is wrong, by the names of the properties. */
export type Errors = ReadonlyMap<string, string>;

export function initialValues(fields: readonly ArgumentField[]): Values {
  return new Map(fields.map(({ name, initial }) => [name, initial]));
}

/**
 * The arguments that a form holds. A field without text is left out, so that the server's own default holds; the
 * empty text of a required text is a text.
 */
export function readArguments(
  fields: readonly ArgumentField[],
  values: Values,
): { readonly args: JsonObject; readonly errors: Errors } {
  const args: [string, JsonValue][] = [];
  const errors = new Map<string, string>();
  for (const field of fields) {
    const text = values.get(field.name) ?? '';
    const read = readValue(field, text);
    if ('error' in read) errors.set(field.name, read.error);
    else if (read.value !== undefined) args.push([field.name, read.value]);
  }
  return { args: Object.fromEntries(args), errors };
}

type ReadValue = { readonly value: JsonValue | undefined } | { readonly error: string };

function readValue({ kind, isRequired, options }: ArgumentField, text: string): ReadValue {
  if (text === '' && !(kind === 'text' && isRequired)) {
    return isRequired ? { error: 'The tool requires this.' } : { value: undefined };
  }
  switch (kind) {
    case 'text':
      return { value: text };
    case 'choice':
      return { value: options[Number(text)] };
    case 'boolean':
      return { value: text === 'true' };
    case 'number':
    case 'integer':
      return readNumber(text, kind);
    case 'json':
      return readJson(text);
  }
}

function readNumber(text: string, kind: 'number' | 'integer'): ReadValue {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return { error: 'Must be a number.' };
  if (kind === 'integer' && !Number.isInteger(value)) return { error: 'Must be a whole number.' };
  return { value };
}

function readJson(text: string): ReadValue {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return { error: 'Must be JSON, such as [] or {"key": "value"}.' };
  }
}

/** The arguments that are typed in as JSON, or what is wrong with them. */
export function parseArguments(
  text: string,
): { readonly args: JsonObject } | { readonly error: string } {
  const read = text.trim() === '' ? { value: {} } : readJson(text);
  if ('error' in read) return read;
  return isJsonObject(read.value) ? { args: read.value } : { error: 'Must be a JSON object.' };
}

/** What the controls hold for some arguments; undefined where a field is missing for one of them, or cannot hold it. */
export function valuesFor(fields: readonly ArgumentField[], args: JsonObject): Values | undefined {
  const values = new Map<string, string>();
  for (const { name, kind, options } of fields) {
    values.set(name, Object.hasOwn(args, name) ? textOf(kind, options, args[name]) : '');
  }
  const read = readArguments(fields, values).args;
  const isSame = Object.keys(args).every(
    (name) =>
      Object.hasOwn(read, name) && JSON.stringify(read[name]) === JSON.stringify(args[name]),
  );
  return isSame ? values : undefined;
}
