import * as z from 'zod';
import { idSchema } from '../shared/ids.ts';

/** Where an actor acts from: the request. Commands and jobs act without one. */
const requestSchema = z.strictObject({
  id: z.string(),
  /** The client's, behind trusted proxies too. */
  address: z.string(),
});

const organizationId = idSchema;

const request = requestSchema.optional();

const personVia = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('personal_token'), id: idSchema }),
  z.strictObject({ kind: z.literal('invitation'), id: idSchema }),
  z
    .strictObject({ kind: z.literal('grant'), id: idSchema, applicationId: idSchema })
    .describe('An application that acts for the person.'),
  z.strictObject({ kind: z.literal('browser_session'), id: idSchema }),
  z
    .strictObject({ kind: z.literal('sign_in') })
    .describe('By password, link or identity provider, before a browser session begins.'),
]);

/**
 * `reuse_detection`: a code or refresh token came twice, which ends its grant. `client_document`: the metadata
 * document of a client is gone, or no longer lists the redirect URI of a grant.
 */
const jobNameSchema = z.enum([
  'start',
  'refresh',
  'validation',
  'revocation',
  'reuse_detection',
  'client_document',
  'audit',
]);

/** Who has done something, and by which means. */
export const eventActorSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('person'),
    organizationId,
    userId: idSchema,
    via: personVia,
    request,
  }),
  z
    .strictObject({
      kind: z.literal('application'),
      organizationId,
      applicationId: idSchema,
      via: z.strictObject({ kind: z.literal('client_credentials') }),
      request,
    })
    .describe('An application that acts for itself.'),
  z
    .strictObject({
      kind: z.literal('operator'),
      organizationId,
      via: z.strictObject({ kind: z.literal('command'), name: z.string() }),
    })
    .describe('A person at the server, by a command.'),
  z
    .strictObject({
      kind: z.literal('service'),
      organizationId,
      via: z.strictObject({ kind: z.literal('job'), name: jobNameSchema }),
    })
    .describe('Gatehouse itself.'),
  z
    .strictObject({
      kind: z.literal('unknown'),
      organizationId,
      via: z.strictObject({ kind: z.literal('sign_in') }),
      request,
    })
    .describe('A person who has not shown who they are.'),
]);

export type EventActor = Readonly<z.output<typeof eventActorSchema>>;
export type EventRequest = Readonly<z.output<typeof requestSchema>>;
