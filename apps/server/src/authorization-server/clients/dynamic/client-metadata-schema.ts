import { limits, nameSchema, redirectUriSchema } from '@gatehouse/contract';
import * as z from 'zod';

/**
 * The metadata of a dynamic client that we use (RFC 7591 section 2). Everything else is ignored, scopes
 * and secrets too: such a client is public, and gets the scope `mcp`. A name is shown to people, so one
 * with control or bidirectional characters is refused; one that is too long is left out.
 */
export const dynamicClientSchema = z.object({
  client_name: z
    .string()
    .trim()
    .max(limits.name)
    .optional()
    .catch(undefined)
    .refine((name) => !name || nameSchema.safeParse(name).success),
  redirect_uris: z.array(redirectUriSchema).min(1).max(limits.redirectUris),
});

export type DynamicClientMetadata = z.output<typeof dynamicClientSchema>;

/** The name shown to people for a client without one. */
export const NAMELESS = 'An application without a name';
