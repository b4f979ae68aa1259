import { isApiError, isGatehouseError } from '@gatehouse/sdk';
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { SignedOutError } from './console-token.ts';
import { Refusal, UNREACHABLE } from './refusal.ts';

/** An error as people read it. */
export interface Explained {
  readonly sentence: string;
  /** Of the response, to quote it to an operator. */
  readonly requestId: string | undefined;
}

const CLIENT_SENTENCES: Readonly<Record<string, string>> = {
  connection_failed: UNREACHABLE,
  timeout: 'Gatehouse did not answer in time.',
  access_token_failed: 'The console got no access. Sign in again, or reload the page.',
  invalid_response: 'The response did not come from Gatehouse. A proxy may have answered.',
};

/** The sentence of a problem, or why there was no response of Gatehouse. */
export function explain(error: unknown): Explained {
  if (isApiError(error)) {
    const { problem, requestId, status } = error;
    const sentence = problem?.detail ?? problem?.title ?? `The answer was HTTP ${status}.`;
    return { sentence, requestId };
  }
  if (error instanceof Refusal) return error;
  const code = isGatehouseError(error) ? error.code : codeOf(error);
  const known = code === undefined ? undefined : CLIENT_SENTENCES[code];
  return { sentence: known ?? 'The console itself failed.', requestId: undefined };
}

/** Of an error that the client of the API has not named, since it was not asked. */
function codeOf(error: unknown): string | undefined {
  return error instanceof SignedOutError ? 'access_token_failed' : undefined;
}

/** The first message in the errors of a field, which may stand deep within its value. */
export function messageWithin(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  for (const within of Object.values(error)) {
    const message = messageWithin(within);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** The name of the body's field that a JSON pointer (RFC 6901) leads into: `redirectUris` of `/redirectUris/0`. */
function topOf(pointer: string): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Shows the errors of a problem at their fields.
 *
 * @param fields the names of the fields that the form shows, by the names of the body; an error within a field
 * is shown at it
 * @returns whether each error has its field, so that nothing is left to say above the form
 */
export function showAtFields<Values extends FieldValues>(
  error: unknown,
  fields: Readonly<Partial<Record<string, FieldPath<Values>>>>,
  setError: UseFormSetError<Values>,
): boolean {
  const errors = (isApiError(error) && error.problem?.errors) || [];
  const shown = errors.map(({ pointer, message }) => {
    const field = fields[topOf(pointer ?? '')];
    if (field === undefined) return false;
    setError(field, { type: 'server', message });
    return true;
  });
  return shown.length > 0 && shown.every(Boolean);
}
