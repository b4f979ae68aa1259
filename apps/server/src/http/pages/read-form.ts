import express, { type Request, type Response } from 'express';
import { ProblemError } from '../../platform/problem-error.ts';

/** A credential has up to 8,192 characters, and a form sends many of them as three bytes. */
const MAX_BYTES = 64 * 1024;

const readBytes = express.raw({ limit: MAX_BYTES, inflate: false, type: () => true });

/** The fields of a form, each once. */
export type FormFields = ReadonlyMap<string, string>;

/**
 * Reads the body of a form's POST.
 *
 * @throws ProblemError `unsupported_media_type`, `payload_too_large`, `validation_failed`
 */
export async function readForm(req: Request, res: Response): Promise<FormFields> {
  const type = req.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i.test(type)) {
    throw new ProblemError('unsupported_media_type', 'Send the form as a browser does.');
  }
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) =>
      error === undefined ? resolve() : reject(problemOf(error)),
    );
  });
  return parse(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0));
}

function parse(bytes: Buffer): FormFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString())) {
    if (fields.has(name)) throw malformed();
    fields.set(name, value);
  }
  return fields;
}

/** The parser's messages quote the input, so only the `type` of its errors is used. */
function problemOf(error: unknown): unknown {
  switch (error instanceof Error && 'type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return new ProblemError('payload_too_large', 'The form has too much in it.');
    case 'encoding.unsupported':
      return new ProblemError('unsupported_media_type', 'Send the form without compression.');
    case 'request.size.invalid':
    case 'request.aborted':
      return malformed();
    default:
      return error;
  }
}

function malformed(): ProblemError {
  return new ProblemError('validation_failed', 'The form did not arrive as it was sent.');
}
