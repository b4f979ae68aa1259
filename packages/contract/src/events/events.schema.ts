import * as z from 'zod';
import { authModeSchema } from '../integrations/integration-enums.ts';
import { memberRoleSchema } from '../members/members.schema.ts';
import { integrationPolicySchema, policySchema } from '../policies/policies.schema.ts';
import { idSchema } from '../shared/ids.ts';
import { validationStatusSchema } from '../shared/validation.ts';
import { tokenScopeSchema } from '../tokens/tokens.schema.ts';
import { eventActorSchema } from './event-actor.schema.ts';

type Target =
  | 'organization'
  | 'member'
  | 'group'
  | 'application'
  | 'integration'
  | 'connection'
  | 'token'
  | 'grant'
  | 'session'
  | 'lease'
  | 'audit'
  | 'installation';

/** An event with the `fields` of its kind. */
function event<Action extends `${Target}.${string}`, Fields extends z.ZodRawShape>(
  action: Action,
  fields: Fields,
) {
  return z.strictObject({
    action: z.literal(action),
    actor: eventActorSchema,
    /**
     * A row's id; of a connection `<integrationId>:<userId>`. What is about the audit or the installation is recorded in
     * each organization, with the organization's id.
     */
    targetId: z.string(),
    /** Of a target that is gone by the end of the transaction: its name until then. */
    targetName: z.string().optional(),
    ...fields,
  });
}

/** Fields of a row that were changed, with their values. Of a secret, `from` and `to` say whether one is stored. */
function changesOf<const Name extends string>(...names: readonly Name[]) {
  return changeListOf(names).min(1).readonly();
}

function changeListOf<const Name extends string>(names: readonly Name[]) {
  return z.array(z.strictObject({ field: z.enum(names), from: z.unknown(), to: z.unknown() }));
}

/**
 * The rules that were changed, by name in `fields`, and with their values in `changes`. A rule that is not set is null.
 * Both are empty where rules were replaced that only a later version knows.
 */
function rulesOf<const Name extends string>(...names: readonly Name[]) {
  return { fields: z.array(z.enum(names)).readonly(), changes: changeListOf(names).readonly() };
}

/** Definitions of tools, by name; at most 100 of `count`. */
function toolsOf() {
  return z.array(z.strictObject({ name: z.string(), fingerprint: z.string() })).readonly();
}

const signInWay = z.enum(['password', 'link', 'provider']);

/**
 * Everything that is recorded when it happens to the organization, a member, group, application, integration, connection,
 * token, grant, session or lease, to the audit, or to the whole installation. One write is one event: what ends with its target gets no separate event.
 */
export const managementEventSchema = z.discriminatedUnion('action', [
  event('organization.updated', { changes: changesOf('name') }),
  /** A server that may become an integration was looked at. */
  event('organization.server_discovered', { host: z.string() }),

  event('member.created', { role: memberRoleSchema }),
  event('member.updated', { changes: changesOf('name', 'role') }),
  event('member.identity_linked', {}),
  /** At a sign-in: what the provider says of groups has changed. */
  event('member.groups_changed', {
    joined: z.array(idSchema).readonly(),
    left: z.array(idSchema).readonly(),
  }),
  event('member.password_set', {}),
  event('member.signed_in', { way: signInWay }),
  /** With the member's email, and another password. */
  event('member.sign_in_failed', { way: signInWay }),
  event('member.signed_out', {
    everywhere: z.boolean(),
  }),
  event('member.sign_in_link_created', { purpose: z.enum(['invitation', 'reset', 'sign_in']) }),
  event('member.access_revoked', {}),
  event('member.removed', {}),

  event('group.created', {}),
  event('group.updated', { changes: changesOf('name', 'externalId') }),
  event('group.member_added', { userId: idSchema }),
  event('group.member_removed', { userId: idSchema }),
  event('group.removed', {}),

  event('application.created', {}),
  event('application.updated', {
    changes: changesOf(
      'name',
      'limits',
      'aggregate',
      'type',
      'redirectUris',
      'pkceRequired',
      'scopes',
      'allowedResources',
      'allowDynamicClients',
    ),
  }),
  event('application.integrations_changed', {
    attached: z.array(idSchema).readonly(),
    detached: z.array(idSchema).readonly(),
  }),
  event('application.integration_updated', {
    integrationId: idSchema,
    changes: changesOf('alias'),
  }),
  event('application.policy_changed', {
    integrationId: idSchema,
    ...rulesOf(...policySchema.keyof().options),
  }),
  event('application.secret_rotated', {}),
  event('application.access_revoked', {}),
  event('application.archived', {}),
  event('application.restored', {}),

  event('integration.created', { authMode: authModeSchema }),
  event('integration.updated', {
    changes: changesOf(
      'name',
      'url',
      'category',
      'authMode',
      'capabilities',
      'credentialSchema',
      'validateEveryMinutes',
      'oauth',
      'serverToken',
      'clientSecret',
      'tokenParams',
    ),
  }),
  event('integration.policy_changed', rulesOf(...integrationPolicySchema.keyof().options)),
  event('integration.tools_approved', { tools: toolsOf(), count: z.int() }),
  event('integration.tools_withdrawn', { tools: toolsOf(), count: z.int() }),
  event('integration.validated', { status: validationStatusSchema }),
  event('integration.archived', {}),
  event('integration.restored', {}),

  event('connection.created', { mode: z.enum(['user_token', 'oauth']) }),
  event('connection.link_created', {}),
  /** The person has gone to the provider, or has chosen not to. */
  event('connection.link_used', { decision: z.enum(['connect', 'cancel']) }),
  event('connection.needs_reauth', {}),
  event('connection.removed', {}),
  /** What became of the tokens of a connection that is gone, at their provider. */
  event('connection.revocation_ended', { status: z.enum(['revoked', 'failed', 'not_supported']) }),

  event('token.created', { userId: idSchema, scopes: z.array(tokenScopeSchema).readonly() }),
  event('token.revoked', {}),

  event('grant.created', {
    userId: idSchema,
    applicationId: idSchema,
    clientId: z.string(),
    scopes: z.array(z.string()).readonly(),
    integrationIds: z.array(idSchema).readonly(),
  }),
  /** The person has agreed to one more integration. */
  event('grant.extended', {
    applicationId: idSchema,
    clientId: z.string(),
    integrationId: idSchema,
  }),
  event('grant.ended', {}),

  event('session.revoked', { applicationId: idSchema }),

  event('lease.created', {
    applicationId: idSchema,
    integrationId: idSchema,
    /** Null when the application acted for itself. */
    userId: idSchema.nullable(),
  }),
  event('lease.revoked', { applicationId: idSchema }),

  /** A node had too many call events to write: these are missing. */
  event('audit.calls_lost', { count: z.int() }),
  event('audit.exported', {}),
  event('audit.key_created', { keyId: z.string() }),
  /** Once in ten minutes for each reader and filter, of which it has the names of the parameters. */
  event('audit.read', { filter: z.array(z.string()).readonly() }),

  event('installation.key_added', { keyId: z.string() }),
  /** From now on this key seals what is stored. */
  event('installation.key_activated', { keyId: z.string() }),
  /** Rows of other keys were sealed with this one. A command does so a second at a time. */
  event('installation.resealed', { keyId: z.string(), rows: z.int() }),
  event('installation.key_retired', { keyId: z.string() }),
  /** Everything was taken from a file of `backup` or `export`, as it was then. */
  event('installation.imported', {
    formatVersion: z.int(),
    writtenBy: z.string(),
    writtenAt: z.string(),
    rows: z.int(),
  }),
]);

export type ManagementEvent = Readonly<z.output<typeof managementEventSchema>>;
export type ManagementAction = ManagementEvent['action'];

type DetailsOf<Event> = Event extends unknown ? Omit<Event, 'actor' | 'targetId'> : never;

/** What happened to one kind of target, without the target's id and who did it. */
export type EventDetails<Kind extends Target = Target> = DetailsOf<
  Extract<ManagementEvent, { action: `${Kind}.${string}` }>
>;
