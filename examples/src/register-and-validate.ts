import { Gatehouse } from '@gatehouse/sdk';
import type { Environment, Print } from './environment.ts';

/** Registers an MCP server for the whole organization and validates it. */
export async function main(environment: Environment, print: Print): Promise<void> {
  const { baseUrl, accessToken, mcpUrl, mcpToken } = environment;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });

  const { integration } = await gatehouse.integrations.create({
    name: 'Issue tracker',
    url: mcpUrl,
    authMode: 'server_token',
    serverToken: 'mistyped',
  });
  print(`Registered ${integration.name}, ${integration.validationStatus}`);

  // A token that the MCP server rejects is an outcome of validate, not an error.
  const refused = await gatehouse.integrations.validate(integration.id);
  print(`${refused.status}: ${refused.message}`);

  await gatehouse.integrations.update(integration.id, { serverToken: mcpToken });
  const accepted = await gatehouse.integrations.validate(integration.id);
  print(`${accepted.status}: ${accepted.message}`);

  // The outcome is stored with the integration. Its token can never be read again.
  const { integration: stored } = await gatehouse.integrations.get(integration.id);
  print(`${stored.validationStatus} since ${stored.lastValidatedAt}`);
  print(stored.serverTokenConfigured ? 'A server token is stored' : 'No server token is stored');
}
