import type { Response } from 'express';
import { etagOf, type Precondition } from '../identity/mutation.ts';

/** A version as a strong tag. Versions are positive 32-bit integers. */
const TAG = /^"v([1-9]\d{0,9})"$/;

export function setEtag(res: Response, version: number): void {
  res.setHeader('ETag', etagOf(version));
}

/**
 * Reads an `If-Match` header. The comparison is strong, so a weak tag names no version; nor does a
 * tag that is not one of ours (RFC 9110 section 13.1.1).
 */
export function preconditionOf(header: string | undefined): Precondition {
  if (header === undefined) return 'none';
  if (header.trim() === '*') return 'any';
  const versions = header.split(',').flatMap((tag) => {
    const version = TAG.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { versions };
}
