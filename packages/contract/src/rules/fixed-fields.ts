import { isJsonObject } from '../shared/json.ts';
import type { ProblemError } from '../shared/problem.ts';

/**
 * Fields of a read that a PATCH takes only as they are, because someone may have meant to change them.
 * The other fields that it ignores change by themselves (counters, validation), so that a value read a
 * moment ago is no mistake.
 */
export const fixedFields = {
  integration: ['id', 'createdAt', 'archivedAt'],
  application: ['id', 'ownerUserId', 'createdAt', 'archivedAt', 'integrations', 'oauth'],
  applicationOauth: ['clientId'],
  member: ['id', 'email', 'createdAt'],
} as const;

/** The errors for fixed fields in a body whose values are not those of the resource. */
export function fixedFieldErrors(
  body: unknown,
  resource: object,
  names: readonly string[],
): ProblemError[] {
  const shown = new Map<string, unknown>(Object.entries(resource));
  const given = new Map<string, unknown>(isJsonObject(body) ? Object.entries(body) : []);
  return names
    .filter((name) => given.has(name) && textOf(given.get(name)) !== textOf(shown.get(name)))
    .map((name) => ({
      pointer: `/${name}`,
      code: 'read_only',
      message: 'Cannot be changed here. Leave it out, or send it as it is.',
    }));
}

/**
 * Equal values have equal texts. Of attached integrations only the ids, of an OAuth configuration not
 * whether there is a secret: those change by themselves.
 */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => isJsonObject(item) && 'id' in item)) {
    return JSON.stringify(value.map((item) => item.id));
  }
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([name]) => name !== 'clientSecretConfigured')
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  );
}
