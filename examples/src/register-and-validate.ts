import { Gatehouse } from '@gatehouse/sdk';
import type { Say, Surroundings } from './surroundings.ts';

/** Registers an MCP server for the whole organization, and asks whether Gatehouse can work with it. */
export async function main(surroundings: Surroundings, say: Say): Promise<void> {
  const { baseUrl, accessToken, mcpUrl, mcpToken } = surroundings;
  const gatehouse = new Gatehouse({ baseUrl, accessToken });

  const { integration } = await gatehouse.integrations.create({
    name: 'Issue tracker',
    url: mcpUrl,
    authMode: 'server_token',
    serverToken: 'mistyped',
  });
  say(`Registered ${integration.name}, ${integration.validationStatus}`);

  // That the server refuses the token is an outcome of validating, not an error.
  const refused = await gatehouse.integrations.validate(integration.id);
  say(`${refused.status}: ${refused.message}`);

  await gatehouse.integrations.update(integration.id, { serverToken: mcpToken });
  const accepted = await gatehouse.integrations.validate(integration.id);
  say(`${accepted.status}: ${accepted.message}`);

  // The outcome stays with the integration; its token can never be read again.
  const { integration: stored } = await gatehouse.integrations.get(integration.id);
  say(`${stored.validationStatus} since ${stored.lastValidatedAt}`);
  say(stored.serverTokenConfigured ? 'A server token is stored' : 'No server token is stored');
}
