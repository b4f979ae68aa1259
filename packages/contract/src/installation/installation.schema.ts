import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { timestampSchema } from '../shared/timestamps.ts';

export const storeKindSchema = z.enum(['embedded', 'postgresql']);

/** Where the encryption keys are: in the file of the data directory, or in the environment of each node. */
export const keySourceSchema = z.enum(['file', 'environment']);

/** `link`: a sign-in link that an admin or an operator makes. `provider`: an OpenID Connect provider. */
export const signInWaySchema = z.enum(['password', 'link', 'provider']);

export const limitNameSchema = z.enum([
  'managementRequests',
  'sessionActive',
  'sessionLegacy',
  'sessionModern',
  'auditCalls',
  'auditChanges',
  'usage',
]);

const limitUnitSchema = z.enum(['requests_per_minute', 'milliseconds']);

/** What an installation runs with, and what a setting changes. */
export const settingNameSchema = z.enum([
  'versions',
  'publicUrl',
  'logLevel',
  'store',
  'nodes',
  'keys',
  'passwordSignIn',
  'provider',
  'groupsClaim',
  ...limitNameSchema.options,
]);

const installationNodeSchema = z
  .object({
    id: idSchema,
    name: z.string().describe('Its host and process.'),
    version: z.string().describe('The version of Gatehouse that it runs.'),
    startedAt: timestampSchema.describe('When it started.'),
    lastSeenAt: timestampSchema.describe('When it reported last; nodes report every 15 seconds.'),
    answering: z.boolean().describe('Whether it is the node that sent this response.'),
  })
  .register(components, { id: 'InstallationNode', description: 'A node that runs.' });

const installationKeySchema = z
  .object({
    id: z.string().describe('The id that the operator gave it, or that was made with it.'),
    active: z.boolean().describe('Whether new secrets are sealed with it.'),
    addedAt: timestampSchema
      .nullable()
      .describe('When it was loaded first; null for a key that is older than this record.'),
  })
  .register(components, {
    id: 'InstallationKey',
    description: 'An encryption key that the answering node has loaded, without the key.',
  });

const installationLimitSchema = z
  .object({
    name: limitNameSchema.describe('Which limit it is.'),
    value: z.number().describe('The limit; for requests, 0 is no limit.'),
    unit: limitUnitSchema.describe('What the value counts.'),
  })
  .register(components, {
    id: 'InstallationLimit',
    description: 'A limit that a setting changes.',
  });

const installationSettingSchema = z
  .object({
    name: settingNameSchema.describe('What of the installation it changes.'),
    variable: z
      .string()
      .nullable()
      .describe('The environment variable that changes it; null where no variable does.'),
    page: z.string().describe('Its page, as a path below the documentation.'),
  })
  .register(components, {
    id: 'InstallationSetting',
    description: 'Where a part of the installation is changed.',
  });

export const installationSchema = z
  .object({
    versions: z
      .object({
        gatehouse: z.string().describe('The version of the answering node.'),
        build: z
          .object({
            commit: z.string().describe('Its id, shortened.'),
            committedAt: z.iso.datetime().describe('When it was made.'),
          })
          .nullable()
          .describe('The commit that it was built of; null where that is not known.'),
        node: z.string().describe('The version of Node.js that it runs on.'),
      })
      .describe('What the answering node runs.'),
    publicUrl: z.string().describe('The origin that clients use.'),
    logLevel: z.string().describe('The lowest severity that the answering node logs.'),
    store: z
      .object({
        kind: storeKindSchema.describe('The embedded database, or a PostgreSQL server.'),
        version: z.string().describe('The version of PostgreSQL, also of the embedded one.'),
      })
      .describe('Where everything is stored.'),
    nodes: z.array(installationNodeSchema).describe('The nodes that run, at most 1,000.'),
    keys: z
      .object({
        source: keySourceSchema.describe('Where they are, and so where they are replaced.'),
        encryption: z.array(installationKeySchema).describe('The active one first.'),
      })
      .describe('The keys of stored secrets.'),
    signIn: z
      .object({
        ways: z.array(signInWaySchema).describe('How people may sign in.'),
        issuer: z.string().nullable().describe('Of the provider; null without one.'),
        groupsClaim: z
          .boolean()
          .describe('Whether a claim of the provider decides who is in which group.'),
      })
      .describe('How people sign in.'),
    limits: z.array(installationLimitSchema).describe('The limits that a setting changes.'),
    settings: z
      .array(installationSettingSchema)
      .describe('Where each of these is changed. Only an operator can, at each node.'),
  })
  .register(components, {
    id: 'Installation',
    description: 'What this installation runs with. It holds no secret.',
  });

export const installationResponseSchema = z
  .object({ installation: installationSchema })
  .register(components, { id: 'InstallationResponse' });

export type StoreKind = z.output<typeof storeKindSchema>;
export type KeySource = z.output<typeof keySourceSchema>;
export type SignInWay = z.output<typeof signInWaySchema>;
export type LimitName = z.output<typeof limitNameSchema>;
export type SettingName = z.output<typeof settingNameSchema>;
export type Installation = z.output<typeof installationSchema>;
export type InstallationKey = z.output<typeof installationKeySchema>;
export type InstallationLimit = z.output<typeof installationLimitSchema>;
export type InstallationSetting = z.output<typeof installationSettingSchema>;
