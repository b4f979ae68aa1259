import { isJsonObject, type JsonObject, type JsonValue } from '@gatehouse/contract';

/** How a value is typed in. `json` is everything that has no simpler control. */
export type Kind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

/** A property of a tool's input, as a form shows it. */
export interface ArgumentField {
  /** Of the property. */
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** The values of a choice. */
  readonly options: readonly JsonValue[];
  /** What stands in the form at first, as text. */
  readonly initial: string;
}

/** More than these are typed in as JSON: a form of hundreds of fields helps nobody. */
const MOST_FIELDS = 100;
const MOST_OPTIONS = 1_000;

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
};

/** The fields for an input schema; undefined where only JSON will do. */
export function fieldsOf(inputSchema: unknown): readonly ArgumentField[] | undefined {
  if (inputSchema === undefined) return [];
  if (!isJsonObject(inputSchema)) return undefined;
  const { properties = {}, required } = inputSchema;
  if (!isJsonObject(properties)) return undefined;
  const entries = Object.entries(properties);
  if (entries.length > MOST_FIELDS) return undefined;
  const names = Array.isArray(required) ? required : [];
  return entries.map(([name, schema]) => fieldOf(name, schema, names.includes(name)));
}

function fieldOf(name: string, schema: unknown, isRequired: boolean): ArgumentField {
  const property: JsonObject = isJsonObject(schema) ? schema : {};
  const { title, description } = property;
  const options = optionsOf(property);
  const kind = kindOf(options, typeOf(property));
  return {
    name,
    label: beginningOf(typeof title === 'string' && title.trim() !== '' ? title : name, 200),
    hint: typeof description === 'string' ? beginningOf(description, 1_000) : undefined,
    kind,
    isRequired,
    options,
    initial: textOf(kind, options, property.default),
  };
}

function kindOf({ length }: readonly JsonValue[], type: string): Kind {
  if (length > 0 && length <= MOST_OPTIONS) return 'choice';
  return length === 0 && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'json') : 'json';
}

function beginningOf(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function optionsOf(property: JsonObject): readonly JsonValue[] {
  if (Array.isArray(property.enum)) return property.enum as JsonValue[];
  return property.const === undefined ? [] : [property.const as JsonValue];
}

/** Of several types, one besides null; that of any other form of a schema is not looked for. */
function typeOf({ type }: JsonObject): string {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type];
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : '';
}

/** A value as a control holds it; empty where there is no value. A choice holds the place of its option. */
export function textOf(kind: Kind, options: readonly JsonValue[], value: unknown): string {
  if (value === undefined) return '';
  if (kind === 'choice') {
    const place = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value));
    return place < 0 ? '' : String(place);
  }
  return kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}

/** An option as people read it. */
export function optionLabel(option: JsonValue): string {
  return typeof option === 'string' ? option : JSON.stringify(option);
}
