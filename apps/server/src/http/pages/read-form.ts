import type { Request } from 'express';
import { ProblemError } from '../../platform/problem-error.ts';
import { type BodyRefusals, readBytes } from '../read-bytes.ts';

/** A credential has up to 8,192 characters, and a form sends many of them as three bytes. */
const MAX_BYTES = 64 * 1024;

const refusals: BodyRefusals = {
  tooLarge: 'The form has too much in it.',
  compressed: 'Send the form without compression.',
  incomplete: malformed,
};

/** The fields of a form, each once. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * Reads the body of a form's POST.
 *
 * @throws ProblemError `unsupported_media_type`, `payload_too_large`, `validation_failed`
 */
export async function readForm(req: Request): Promise<FormFields> {
  const type = req.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i.test(type)) {
    throw new ProblemError('unsupported_media_type', 'Send the form as a browser does.');
  }
  return parse(await readBytes(req, MAX_BYTES, refusals));
}

function parse(bytes: Buffer): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    if (fields.has(name)) throw malformed();
    fields.set(name, value);
  }
  return fields;
}

function malformed(): ProblemError {
  return new ProblemError('validation_failed', 'The form did not arrive as it was sent.');
}
