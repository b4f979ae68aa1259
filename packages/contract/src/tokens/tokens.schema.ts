import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { nameSchema } from '../shared/text.ts';
import { futureTimestampSchema, timestampSchema } from '../shared/timestamps.ts';
import { boundedList, unique } from '../shared/unique.ts';

/** What a personal access token may be used for. */
export const tokenScopeSchema = z
  .enum(['mcp', 'management:read', 'management:write'])
  .register(components, {
    id: 'TokenScope',
    description:
      '`mcp`: the gateway; `management:read` and `management:write`: this API, the latter also to read.',
  });

/** A personal access token without its secret. `lastUsedAt` is coarse to the minute. */
export const tokenSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    scopes: z.array(tokenScopeSchema).describe('What the token may be used for.'),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.nullable().describe('When it stops working; null for never.'),
    lastUsedAt: timestampSchema
      .nullable()
      .describe('When it was used last, to the minute; null when it never was.'),
  })
  .register(components, {
    id: 'Token',
    description: 'A personal access token, without its secret.',
  });

/**
 * Without `expiresAt`, or with null, the token does not expire. A token that expires can only create
 * tokens that expire no later.
 */
export const createTokenBodySchema = z
  .strictObject({
    name: nameSchema,
    scopes: boundedList(z.array(tokenScopeSchema).min(1).overwrite(unique)).describe(
      'What the token may be used for. A token gives no scope that it lacks itself.',
    ),
    expiresAt: futureTimestampSchema
      .nullable()
      .optional()
      .describe(
        'When it stops working; absent or null for never. A token that expires cannot create one that expires later.',
      ),
  })
  .register(components, { id: 'CreateTokenBody' });

export const listTokensQuerySchema = pageQuerySchema;
export const tokenPageSchema = pageSchema(tokenSchema).register(components, { id: 'TokenPage' });

/** The secret is delivered only here. */
export const createTokenResponseSchema = z
  .object({
    token: tokenSchema,
    secret: z.string().describe('The bearer token; returned only once.'),
  })
  .register(components, { id: 'CreateTokenResponse' });

export type Token = z.output<typeof tokenSchema>;
export type TokenScope = z.output<typeof tokenScopeSchema>;
export type CreateTokenBody = z.output<typeof createTokenBodySchema>;
export type CreateTokenResponse = z.output<typeof createTokenResponseSchema>;
