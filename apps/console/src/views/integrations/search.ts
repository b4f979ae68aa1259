import { authModeLabels, validationStatusLabels } from '@gatehouse/contract';
import { fieldsOf, flag, oneOf, text } from '../../api/fields.ts';
import { keysOf } from '../../api/keys-of.ts';

/** What a URL says of the list. */
export const integrationsSearch = fieldsOf({
  name: text,
  status: oneOf(keysOf(validationStatusLabels)),
  mode: oneOf(keysOf(authModeLabels)),
  archived: flag,
  sort: text,
});

export const newIntegrationSearch = fieldsOf({
  /** Whether what is added only stores credentials. */
  credentials: flag,
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

export const integrationSearch = fieldsOf({
  tab: oneOf(integrationTabs),
  /** Only connections that are broken, or only tools that are not as they were approved. */
  show: oneOf(['broken', 'changed']),
  /** Whether a client at the provider is being entered, on the overview. */
  client: flag,
  /** Of the connections. */
  sort: text,
});
