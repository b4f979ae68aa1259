import type { Document, Operation, Reference, Response, Schema } from './document.ts';
import { fieldsOf } from './fields.ts';
import { cell, nameOf, typeText } from './type-text.ts';

/** An operation as a section of Markdown. Its anchor is its name, such as `integrations-create`. */
export function operationSection(
  document: Document,
  path: string,
  method: string,
  operation: Operation,
): string {
  return [
    `## ${operation.summary} {#${operation.operationId.replace('.', '-')}}`,
    `\`\`\`http\n${method.toUpperCase()} /api/v1${path}\n\`\`\``,
    `Operation: \`${operation.operationId}\``,
    operation.description,
    parametersOf(document, operation),
    bodyOf(document, operation),
    responsesOf(document, operation),
  ]
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n');
}

function parametersOf({ components }: Document, { parameters = [] }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((given) => {
    const {
      name,
      in: place,
      required,
      description = '',
      schema,
    } = resolved(given, components.parameters);
    const rule = required ? `${place}, required` : place;
    return `| \`${name}\` | ${rule} | ${cell(typeText(schema))} | ${cell(description)} |`;
  });
  return ['| parameter | in | value | |', '|---|---|---|---|', ...rows].join('\n');
}

function bodyOf({ components }: Document, { requestBody }: Operation): string {
  const content = requestBody?.content['application/json'];
  if (!content) return '';
  const schema: Schema = resolved(content.schema, components.schemas);
  const example =
    content.example === undefined
      ? ''
      : `\n\n\`\`\`json\n${JSON.stringify(content.example, null, 2)}\n\`\`\``;
  return `**Body**\n\n${fieldsOf(schema).replace('always there', 'required')}${example}`;
}

function responsesOf({ components }: Document, { responses }: Operation): string {
  const lines = Object.entries(responses).map(([status, given]) => {
    const { description, content } = resolved<Response>(given, components.responses);
    const [body] = Object.values(content ?? {});
    if (Number(status) < 400) {
      return `- **${status}** ${body ? typeText(body.schema) : description}`;
    }
    const codes = [...description.matchAll(/`([a-z_]+)`/g)].map(
      ([, code]) => `[\`${code}\`](/code/problems#${code})`,
    );
    return `- **${status}** ${codes.join(', ')}`;
  });
  return `**Responses**\n\n${lines.join('\n')}`;
}

function resolved<T extends object>(
  given: T | Reference | Schema,
  components: Readonly<Record<string, T>>,
): T {
  const reference = '$ref' in given ? given.$ref : undefined;
  const found = reference === undefined ? undefined : components[nameOf(reference)];
  return found ?? (given as T);
}
