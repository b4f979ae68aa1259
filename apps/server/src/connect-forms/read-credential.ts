import {
  credentialErrorMessage,
  credentialPropertyValue,
  requestProblem,
  type SetConnectionBody,
  setConnectionBodySchema,
} from '@gatehouse/contract';
import type { FormFields } from '../http/pages/read-form.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { CredentialField } from './credential-fields.ts';

/**
 * The credential that a person has filled in; what was left empty is not given.
 *
 * @throws ProblemError `validation_failed`, with pointers as the fields have them
 */
export function readCredential(
  fields: readonly CredentialField[],
  form: FormFields,
): SetConnectionBody {
  const given = fields.flatMap((field) => {
    const text = form.get(field.name) ?? '';
    return text === '' ? [] : [[field, text] as const];
  });
  if (given.length === 0) throw allMissing(fields);
  const [token] = given.filter(([{ property }]) => property === undefined);
  const body =
    token === undefined
      ? { fields: Object.fromEntries(given.map(([field, text]) => entryOf(field, text))) }
      : { token: token[1] };
  const parsed = setConnectionBodySchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { errors } = requestProblem({ body: parsed.error.issues });
  throw new ProblemError('validation_failed', 'The credential cannot be stored.', { errors });
}

function entryOf({ name, property, choices }: CredentialField, text: string) {
  const chosen = choices?.find(({ value }) => String(value) === text);
  const value = chosen?.value ?? credentialPropertyValue(property?.type, text);
  return [property?.name ?? name, value] as const;
}

function allMissing(fields: readonly CredentialField[]): ProblemError {
  const required = fields.filter(({ isRequired }) => isRequired);
  const asked = required.length > 0 ? required : fields.slice(0, 1);
  const message = credentialErrorMessage('required', undefined);
  return new ProblemError('validation_failed', 'No credential was given.', {
    errors: asked.map(({ pointer }) => ({ pointer, code: 'required', message })),
  });
}
