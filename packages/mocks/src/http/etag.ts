import { Refusal } from './refusal.ts';

export function etagOf(version: number): string {
  return `"v${version}"`;
}

/** Checks `If-Match` against the present version (RFC 9110 section 13.1.1). @throws Refusal `precondition_failed` */
export function requireMatch(header: string | null, version: number): void {
  if (header === null || header.trim() === '*') return;
  if (header.split(',').some((tag) => tag.trim() === etagOf(version))) return;
  throw new Refusal(
    'precondition_failed',
    'The resource has changed since the version named in If-Match. Read it again, then repeat the change.',
    { headers: { ETag: etagOf(version) } },
  );
}
