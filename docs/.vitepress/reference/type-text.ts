import { slugify } from '../slugify.ts';
import type { Schema } from './document.ts';

/** The name of a component that a `$ref` refers to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** What a value may be, as Markdown for a cell of a table. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `[${name}](/code/reference/schemas#${slugify(name)})`;
  }
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum) return schema.enum.map(quoted).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeText).join(' or ');
  if (schema.allOf) return schema.allOf.map(typeText).join(' and ');
  if (schema.type === 'array') return `array of ${schema.items ? typeText(schema.items) : 'any'}`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? types : `${types} (${schema.format})`;
}

/** Text for a cell of a table in a page of Vue. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
}

function quoted(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
