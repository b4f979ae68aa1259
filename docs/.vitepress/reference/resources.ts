import { readDocument } from './document.ts';

/** The pages of the HTTP reference: one for each tag of the OpenAPI document, and the schemas. */
export function resources(): string[] {
  return [...readDocument().tags.map(({ name }) => name), 'schemas'];
}
