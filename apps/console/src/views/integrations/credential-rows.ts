import { credentialFieldsOf, isJsonObject, type JsonObject } from '@gatehouse/contract';

/** One value that each person enters, as an admin describes it. */
export interface CredentialRow {
  readonly title: string;
  readonly header: string;
  readonly prefix: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
}

export const emptyRow: CredentialRow = {
  title: '',
  header: '',
  prefix: '',
  isSecret: true,
  isRequired: true,
};

function nameOf(title: string, index: number): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  return name || `field_${index + 1}`;
}

/** The credential schema that asks for the values of the rows; undefined without rows: a single token. */
export function schemaOfRows(rows: readonly CredentialRow[]): JsonObject | undefined {
  if (rows.length === 0) return undefined;
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const [index, { title, header, prefix, isSecret, isRequired }] of rows.entries()) {
    const wanted = nameOf(title, index);
    const name = Object.hasOwn(properties, wanted) ? `${wanted}_${index + 1}` : wanted;
    properties[name] = {
      type: 'string',
      ...(title.trim() && { title: title.trim() }),
      ...(header.trim() && { 'x-header': header.trim() }),
      ...(prefix && { 'x-prefix': prefix }),
      ...(!isSecret && { writeOnly: false }),
    };
    if (isRequired) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const SCHEMA_KEYS = new Set(['type', 'properties', 'required']);
const PROPERTY_KEYS = new Set(['type', 'title', 'x-header', 'x-prefix', 'writeOnly']);

/** The rows of a schema; undefined for one that says more than rows can. */
export function rowsOfSchema(schema: unknown): readonly CredentialRow[] | undefined {
  if (schema === undefined) return [];
  if (!isJsonObject(schema)) return undefined;
  if (Object.keys(schema).some((key) => !SCHEMA_KEYS.has(key))) return undefined;
  const fields = credentialFieldsOf(schema);
  if (fields.some(({ property }) => property === undefined)) return undefined;
  const isSimple = fields.every(
    ({ property }) =>
      property?.type === 'string' &&
      Object.keys(property.definition).every((key) => PROPERTY_KEYS.has(key)),
  );
  if (!isSimple) return undefined;
  return fields.map(({ label, property, isSecret, isRequired }) => ({
    title: label,
    header: property?.header ?? '',
    prefix: property?.prefix ?? '',
    isSecret,
    isRequired,
  }));
}
