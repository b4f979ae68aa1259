import {
  isJsonContentType,
  JsonBodyError,
  limits,
  parseJsonBody,
  refusalTexts,
} from '@gatehouse/contract';
import type { Request, RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';
import { type BodyRefusals, readBytes } from './read-bytes.ts';

const refusals: BodyRefusals = {
  tooLarge: 'The body is larger than 1 MiB.',
  compressed: refusalTexts.bodyCompressed,
  incomplete: malformed,
};

/** Parses a JSON body. An empty body of any type is `undefined`; the contract decides whether that is valid. */
export const readBody: RequestHandler = async (req, _res, next) => {
  if (!(await hasBody(req))) return next();
  if (!isJsonContentType(req.headers['content-type'] ?? '')) {
    throw new ProblemError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  req.body = parse(await readBytes(req, limits.bodyBytes, refusals));
  next();
};

/** @throws ProblemError `malformed_json`, `validation_failed` */
function parse(bytes: Uint8Array): unknown {
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    if (error.reason === 'malformed') throw malformed();
    throw new ProblemError('validation_failed', 'The body has too much in it.', {
      errors: [{ pointer: '', code: 'too_big', message: error.message }],
    });
  }
}

async function hasBody(req: Request): Promise<boolean> {
  if (req.headers['transfer-encoding'] !== undefined) return hasContent(req);
  return Number(req.headers['content-length'] ?? 0) > 0;
}

/** A body of unknown length may be empty: proxies add one even if the client sent no body. */
function hasContent(req: Request): Promise<boolean> {
  return new Promise((resolve, reject) => {
    req.once('close', () => reject(malformed()));
    req.once('end', () => resolve(false));
    req.once('readable', () => {
      const chunk: unknown = req.read();
      if (chunk !== null) req.unshift(chunk);
      resolve(chunk !== null);
    });
  });
}

function malformed(): ProblemError {
  return new ProblemError('malformed_json', 'The body is not well-formed JSON.');
}
