import * as z from 'zod/mini';
import { optional } from '../search-fields.ts';

/** What a URL says of the rules of an attachment. */
export const attachmentPolicySearch = z.object({ show: optional(z.literal('refused')) });

/** What a URL says of the rules of an integration. */
export const integrationPolicySearch = z.object({
  show: optional(z.literal('refused')),
  /** The application with the rules that are shown; absent for those of every application. */
  application: optional(z.string()),
});
