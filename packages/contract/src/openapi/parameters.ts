import { connectionStatusSchema } from '../connections/connections.schema.ts';
import { memberRoleSchema } from '../members/members.schema.ts';
import { sessionKindSchema, sessionStateSchema } from '../sessions/sessions.schema.ts';
import type { JsonObject } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { toolStateSchema } from '../tools/tools.schema.ts';
import { usageGroupingSchema, usageStepSchema } from '../usage/usage.schema.ts';
import { auditParameter, auditParameters } from './audit-parameters.ts';

const flag = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'boolean', default: false },
});

const idOf = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', format: 'uuid' },
});

const id = (name: string, resource: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description: `The id of the ${resource}.`,
  schema: { type: 'string', format: 'uuid' },
});

const choice = (name: string, description: string, values: string[]): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', enum: values },
});

const instant = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  required: true,
  description,
  schema: { type: 'string', format: 'date-time' },
});

const idsOf = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  description: `${description}, at most ${limits.usageIds} ids, separated by commas.`,
  schema: { type: 'string' },
});

/** Every parameter of the API under its component name. */
export const parameters: JsonObject = {
  id: id('id', 'resource'),
  integrationId: id('integrationId', 'integration'),
  sessionId: id('sessionId', 'session'),
  memberId: id('memberId', 'member'),
  groupId: idOf('groupId', 'Only who is in this group.'),
  state: choice('state', 'Only tools in this state.', toolStateSchema.options),
  status: choice('status', 'Only those with this status.', connectionStatusSchema.options),
  userId: idOf('userId', 'Only of this member.'),
  kind: choice('kind', 'Only of this kind.', sessionKindSchema.options),
  sessionState: choice('state', 'Only those in this state.', sessionStateSchema.options),
  sessionApplicationId: idOf('applicationId', 'Only of this application.'),
  sessionIntegrationId: idOf('integrationId', 'Only of this integration.'),
  ...auditParameters,
  from: instant('from', 'The first step is the one that contains it.'),
  to: instant('to', 'The last step is the one that begins before it.'),
  step: {
    ...choice(
      'step',
      'How long a point is, in UTC. Minutes are kept for 48 hours, hours for 35 days, days for 400 days or as the operator has set.',
      usageStepSchema.options,
    ),
    required: true,
  },
  groupBy: choice(
    'groupBy',
    'A series for each of these; without it, one for everything. Minutes are not kept by tool or person.',
    usageGroupingSchema.options,
  ),
  usageApplicationId: idsOf('applicationId', 'Only calls through these applications'),
  usageIntegrationId: idsOf('integrationId', 'Only calls of these integrations'),
  limit: {
    name: 'limit',
    in: 'query',
    description: `Page size; more than ${limits.pageMax} is lowered to ${limits.pageMax}.`,
    schema: { type: 'integer', minimum: 1, default: limits.pageDefault },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description: 'The `nextCursor` of the page before; opaque, bound to the same filters.',
    schema: { type: 'string' },
  },
  name: {
    name: 'name',
    in: 'query',
    description: 'Only names that contain this text, in any case.',
    schema: { type: 'string', maxLength: limits.name },
  },
  includeArchived: flag('includeArchived', 'Whether archived ones are listed too.'),
  all: flag('all', 'Whether to list across the organization; owners and admins only.'),
  includePolicy: flag('includePolicy', 'Whether each edge says if it works and why not.'),
  applicationId: idOf(
    'applicationId',
    'Only this application, if it is attached to the integration of the query.',
  ),
  queryIntegrationId: idOf(
    'integrationId',
    'Only this integration, and the applications that it is attached to.',
  ),
  forUserId: idOf(
    'forUserId',
    'Whether it works for this member, not for the caller. Not with `forGroup` or `forRole`.',
  ),
  forGroup: idOf('forGroup', 'Whether it works for a member who is in this group alone.'),
  forRole: choice(
    'forRole',
    'Whether it works for someone with this role, in no group but `forGroup`.',
    memberRoleSchema.options,
  ),
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Repeating a request with its key replays the stored answer for 24 hours. With another ' +
      'body the answer is 422, while the first still runs 409.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` the change is based on; 412 when the resource has another by now.',
    schema: { type: 'string' },
  },
};

/** Parameters of a query that another parameter has the name of, by that name alone or also by path. */
const queryComponents: Readonly<Record<string, string>> = {
  integrationId: 'queryIntegrationId',
  '/sessions state': 'sessionState',
  '/sessions applicationId': 'sessionApplicationId',
  '/sessions integrationId': 'sessionIntegrationId',
  '/usage applicationId': 'usageApplicationId',
  '/usage integrationId': 'usageIntegrationId',
};

/** The component of a parameter of a query. */
export function queryComponent(path: string, name: string): string {
  const ofAudit = path.startsWith('/audit-events') ? auditParameter(name) : name;
  if (Object.hasOwn(auditParameters, ofAudit)) return ofAudit;
  return queryComponents[`${path} ${name}`] ?? queryComponents[name] ?? name;
}

/** The `$ref` of a parameter. */
export function parameterReference(name: string): JsonObject {
  if (!Object.hasOwn(parameters, name)) throw new Error('A parameter has no component.');
  return { $ref: `#/components/parameters/${name}` };
}
