import { readDocument } from './document.ts';
import { fieldsOf } from './fields.ts';
import { operationSection } from './operation-section.ts';

/** The Markdown of a page of the HTTP reference. */
export function referencePage(resource: string): string {
  return resource === 'schemas' ? schemasPage() : resourcePage(resource);
}

function resourcePage(resource: string): string {
  const document = readDocument();
  const description = document.tags.find(({ name }) => name === resource)?.description ?? '';
  const sections = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(resource))
      .map(([method, operation]) => operationSection(document, path, method, operation)),
  );
  return [`# ${resource}`, description, ...sections].join('\n\n');
}

function schemasPage(): string {
  const { components } = readDocument();
  const sections = Object.entries(components.schemas).map(([name, schema]) =>
    [`## ${name}`, schema.description ?? '', fieldsOf(schema)].join('\n\n'),
  );
  return ['# Schemas', 'What requests and responses are made of.', ...sections].join('\n\n');
}
