import type { Request, Response } from 'express';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * Holds the caller's `If-Match` against the version of the locked row.
 *
 * @throws ProblemError `precondition_failed`
 */
export type Precondition = (version: number) => void;

function etagOf(version: number): string {
  return `"v${version}"`;
}

export function setEtag(res: Response, version: number): void {
  res.setHeader('ETag', etagOf(version));
}

/**
 * Holds `If-Match` against the present configuration version (RFC 9110 section 13.1.1; strong
 * comparison, so a weak tag never matches).
 *
 * @throws ProblemError `precondition_failed`
 */
export function requireMatch(req: Request, version: number): void {
  const header = req.headers['if-match'];
  if (header === undefined || header.trim() === '*') return;
  const wanted = etagOf(version);
  if (header.split(',').some((tag) => tag.trim() === wanted)) return;
  throw new ProblemError(
    'precondition_failed',
    'The resource has changed since the version named in If-Match. Read it again, then repeat the change.',
  );
}
