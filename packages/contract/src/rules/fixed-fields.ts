import type { ZodType } from 'zod';
import { readOnlyFields } from '../shared/bodies.ts';
import { isJsonObject } from '../shared/json.ts';
import type { ProblemError } from '../shared/problem.ts';

/**
 * The errors for fixed fields of a body that differ from the resource.
 *
 * @param schema of the body
 * @param resource as a read shows it before the write
 */
export function fixedFieldErrors(schema: ZodType, body: unknown, resource: object): ProblemError[] {
  const { fixed = [] } = readOnlyFields.get(schema) ?? {};
  const shown = new Map<string, unknown>(Object.entries(resource));
  const given = new Map<string, unknown>(isJsonObject(body) ? Object.entries(body) : []);
  return fixed
    .filter((name) => given.has(name) && textOf(given.get(name)) !== textOf(shown.get(name)))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'read_only',
      message: 'Cannot be changed here. Leave it out, or send it as it is.',
    }));
}

/** Equal values have equal texts. Of attached integrations only the ids: the rest changes by itself. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => isJsonObject(item) && 'id' in item)) {
    return JSON.stringify(value.map((item) => item.id));
  }
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
