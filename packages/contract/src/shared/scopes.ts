import * as z from 'zod';
import { limits } from './limits.ts';
import { atMost } from './text.ts';
import { setSchema } from './unique.ts';

/** RFC 6749 section 3.3 `scope-token`. */
const SCOPE_TOKEN = /^[!#-[\]-~]+$/;

/** One OAuth scope. */
const scopeSchema = atMost(z.string().min(1), limits.scopeLength).regex(
  SCOPE_TOKEN,
  'Must be visible ASCII without spaces, quotes or backslashes.',
);

/** A set of OAuth scopes: at most 64, duplicates collapse. */
export const scopesSchema = setSchema(scopeSchema, limits.scopes);
