import {
  type CredentialField,
  credentialBodyOf,
  credentialErrorMessage,
  credentialFieldsOf,
  requestProblem,
  type SetConnectionBody,
  setConnectionBodySchema,
} from '@gatehouse/contract';
import { askedFor, giveCredential } from '../credentials/connect/give-credential.ts';
import type { Integration } from '../generated/prisma/client.ts';
import type { FormFields } from '../http/pages/forms.ts';
import type { PersonActor } from '../identity/actor.ts';
import type { Store } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Vault } from '../vault/vault.ts';

/** The values that a person sent, and the errors in them. */
export interface CredentialRefusal {
  readonly form: FormFields;
  /** Above the form. */
  readonly message: string;
  /** The errors by field pointer. */
  readonly errors: ReadonlyMap<string, string>;
}

const CHANGED: CredentialRefusal = {
  form: new Map(),
  message: 'What is asked for here has changed meanwhile, so nothing was saved. Look at it again.',
  errors: new Map(),
};

/**
 * Stores what a person has entered, if the integration is still what the form was for.
 *
 * @returns what is wrong; undefined when it is stored
 * @throws ProblemError `unauthenticated`
 */
export async function saveCredential(
  deps: { readonly store: Store; readonly vault: Vault },
  actor: PersonActor,
  integration: Integration,
  form: FormFields,
): Promise<CredentialRefusal | undefined> {
  if (form.get('asked') !== askedFor(integration)) return CHANGED;
  const fields = credentialFieldsOf(integration.credentialSchema);
  try {
    const body = readCredential(fields, form);
    const isStored = await giveCredential(deps, actor, integration, body);
    return isStored ? undefined : CHANGED;
  } catch (error) {
    const refusal = refusalOf(error, fields, form);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Drops errors that belong to another integration or schema. */
export function fittingRefusal(
  refusal: CredentialRefusal,
  integration: Integration,
): CredentialRefusal {
  return refusal.form.get('asked') === askedFor(integration) ? refusal : CHANGED;
}

function refusalOf(
  error: unknown,
  fields: readonly CredentialField[],
  form: FormFields,
): CredentialRefusal | undefined {
  if (!(error instanceof ProblemError) || error.code !== 'validation_failed') return undefined;
  const errors = new Map(error.errors.map(({ pointer = '', message }) => [pointer, message]));
  const shown = new Set(fields.map(({ pointer }) => pointer));
  const general = [...errors].find(([pointer]) => !shown.has(pointer));
  const message = general?.[1] ?? 'It was not saved. See below what to change.';
  return { form, message, errors };
}

/**
 * The credential that a person entered, without empty fields.
 *
 * @throws ProblemError `validation_failed`, with pointers as the fields have them
 */
function readCredential(fields: readonly CredentialField[], form: FormFields): SetConnectionBody {
  const body = credentialBodyOf(fields, form);
  if (body === undefined) throw allMissing(fields);
  const parsed = setConnectionBodySchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { errors } = requestProblem({ body: parsed.error.issues });
  throw new ProblemError('validation_failed', 'The credential cannot be stored.', { errors });
}

function allMissing(fields: readonly CredentialField[]): ProblemError {
  const required = fields.filter(({ isRequired }) => isRequired);
  const asked = required.length > 0 ? required : fields.slice(0, 1);
  const message = credentialErrorMessage('required', undefined);
  return new ProblemError('validation_failed', 'No credential was given.', {
    errors: asked.map(({ pointer }) => ({ pointer, code: 'required', message })),
  });
}
