import { authModeLabels, validationStatusLabels } from '@gatehouse/contract';
import * as z from 'zod/mini';
import { keysOf } from '../../api/keys-of.ts';
import { optional } from '../search-fields.ts';

/** What a URL says of the list. */
export const integrationsSearch = z.object({
  name: optional(z.string()),
  status: optional(z.enum(keysOf(validationStatusLabels))),
  mode: optional(z.enum(keysOf(authModeLabels))),
  archived: optional(z.literal(true)),
  sort: optional(z.string()),
});

export const integrationTabs = [
  'overview',
  'tools',
  'prompts',
  'resources',
  'connections',
  'applications',
  'policy',
  'history',
] as const;

export const integrationSearch = z.object({
  tab: optional(z.enum(integrationTabs)),
  /** Only connections that are broken, or only tools that are not as they were approved. */
  show: optional(z.enum(['broken', 'changed'])),
  /** Whether a client at the provider is being entered, on the overview. */
  client: optional(z.literal(true)),
  /** Of the connections. */
  sort: optional(z.string()),
});
