import { limits } from '@gatehouse/contract';
import express, { type Request, type RequestHandler } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]+\+json)\s*(?:;|$)/i;
const CHARSET = /;\s*charset="?([^\s;"]+)/i;

const parseJson = express.json({
  limit: limits.bodyBytes,
  strict: false,
  inflate: false,
  type: () => true,
});

/** Parses a JSON body. An empty body of any type is `undefined`; the contract decides whether that is valid. */
export const readBody: RequestHandler = async (req, res, next) => {
  if (!(await hasBody(req))) return next();
  if (!isJson(req.headers['content-type'] ?? '')) {
    throw new ProblemError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  parseJson(req, res, (error?: unknown) =>
    next(error === undefined ? undefined : bodyProblem(error)),
  );
};

/** JSON is UTF-8 (RFC 8259 section 8.1). */
function isJson(type: string): boolean {
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  return JSON_TYPE.test(type) && charset.toLowerCase() === 'utf-8';
}

async function hasBody(req: Request): Promise<boolean> {
  if (req.headers['transfer-encoding'] !== undefined) return hasContent(req);
  return Number(req.headers['content-length'] ?? 0) > 0;
}

/** A body of unknown length may be empty: proxies send one where the client sent none. */
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

/** The parser's messages quote the input, so only the `type` of its errors is used. */
function bodyProblem(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new ProblemError('payload_too_large', 'The body is larger than 1 MiB.');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ProblemError(
        'unsupported_media_type',
        'Send the body as UTF-8, without compression.',
      );
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return malformed();
    default:
      return error;
  }
}

function malformed(): ProblemError {
  return new ProblemError('malformed_json', 'The body is not well-formed JSON.');
}
