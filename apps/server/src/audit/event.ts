import { z } from 'zod';
import { hashOfText } from './hash.ts';

/** Characters of the longest text in an event outside of its details. */
const LONGEST_TEXT = 4_096;

const text = z.string().max(LONGEST_TEXT);
const optional = text.nullable();
const count = z.int().min(0);

export const ACTOR_KINDS = ['person', 'application', 'operator', 'service', 'unknown'] as const;
export const CALL_ACTIONS = ['call', 'token.refreshed', 'token.issued'] as const;

/** The outcome of a call that was stored before it went upstream, until it ends. */
export const BEGUN = 'begun';

const via = z.strictObject({ kind: text, id: optional });

/** Who did it. The name is the one of that time; `via` is what they did it with, such as a token. */
const actorSchema = z.strictObject({
  kind: z.enum(ACTOR_KINDS),
  id: optional,
  name: optional,
  via,
});

const shared = {
  id: z.uuid(),
  /** When it ended, or was answered on a stream that went on, by its node's clock. */
  at: z.iso.datetime({ precision: 3 }),
};

const told = {
  /** What it was done to, with the name of that time. */
  target: z.strictObject({ kind: text, id: optional, name: optional }),
  outcome: text,
  requestId: optional,
  address: optional,
};

/** What a call event adds: never arguments or results. */
const callDetailsSchema = z.strictObject({
  applicationId: optional,
  integrationId: optional,
  /** The person concerned. */
  userId: optional,
  sessionId: optional,
  httpMethod: optional,
  /** Of MCP. */
  method: optional,
  /** Of the tool or prompt. */
  name: optional,
  /** Scheme and host of a resource. */
  uri: optional,
  /** Where the credential came from. */
  credential: optional,
  /** Of HTTP. */
  status: count,
  reasons: z.array(text).max(100),
  /** Milliseconds. */
  ms: count,
  bytesIn: count,
  bytesOut: count,
  /** The event that was stored before the call went upstream. */
  begun: z.uuid().optional(),
});

export const callEventSchema = z.strictObject({
  id: shared.id,
  kind: z.literal('call'),
  at: shared.at,
  action: z.enum(CALL_ACTIONS),
  actor: actorSchema,
  ...told,
  details: callDetailsSchema,
});

export const managementEventSchema = z.strictObject({
  id: shared.id,
  kind: z.literal('management'),
  at: shared.at,
  action: text,
  actor: actorSchema.extend({
    /** `applicationId`: of a grant, the application that acts for the person. */
    via: via.extend({ applicationId: text.optional() }),
  }),
  ...told,
  details: z.record(z.string(), z.unknown()),
});

/** An event of the audit, as the API and an export show it. */
export const auditEventSchema = z.discriminatedUnion('kind', [
  managementEventSchema,
  callEventSchema,
]);

export type CallEvent = z.infer<typeof callEventSchema>;
export type ManagementEvent = z.infer<typeof managementEventSchema>;
export type AuditEvent = z.infer<typeof auditEventSchema>;

/** The hash of a management event as it is stored, which is how `JSON.stringify` prints it. */
export function digestOf(event: unknown): string {
  return hashOfText(JSON.stringify(event));
}
