import * as z from 'zod';
import { components } from '../shared/components.ts';

/** Whether the gateway proxies an integration or the service only stores its credentials. */
export const integrationCategorySchema = z
  .enum(['gateway_remote_mcp', 'internal_mcp_credentials'])
  .describe(
    '`gateway_remote_mcp`: proxied by the gateway; `internal_mcp_credentials`: credentials are stored only.',
  )
  .register(components, { id: 'IntegrationCategory' });

/** How requests to an integration authenticate. */
export const authModeSchema = z
  .enum(['oauth', 'user_token', 'server_token', 'none'])
  .describe(
    'Users sign in by OAuth, each enters a token, all share one server token, or no authentication.',
  )
  .register(components, { id: 'AuthMode' });

export type IntegrationCategory = z.output<typeof integrationCategorySchema>;
export type AuthMode = z.output<typeof authModeSchema>;
