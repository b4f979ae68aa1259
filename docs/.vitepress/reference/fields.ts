import type { Schema } from './document.ts';
import { cell, typeText } from './type-text.ts';

/** The fields of an object as a table, or what else the value may be. */
export function fieldsOf(schema: Schema): string {
  if (!schema.properties) return typeText(schema);
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties).map(
    ([name, field]) =>
      `| \`${name}\` | ${cell(typeText(field))} | ${required.has(name) ? 'yes' : ''} | ${cell(field.description ?? '')} |`,
  );
  return ['| field | value | always there | |', '|---|---|---|---|', ...rows].join('\n');
}
