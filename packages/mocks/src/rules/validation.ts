import type { ValidateIntegrationResponse } from '@gatehouse/contract';
import type { ConnectionRow, IntegrationRow } from '../state/rows.ts';
import { isSendable } from './credential-fields.ts';
import { connectionDestination, hasServerTokenFor } from './destinations.ts';

/** No request is made: `valid` when the required credential is stored, otherwise `pending`. */
export function validationOf(
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): ValidateIntegrationResponse {
  switch (integration.authMode) {
    case 'none':
      return valid('asks for no credential');
    case 'server_token':
      return hasServerTokenFor(integration, integration.url)
        ? valid('accepted the server token')
        : pending('no server token is set for this URL; set serverToken');
    case 'oauth':
      if (integration.oauth?.issuer === undefined) {
        return pending('it has no OAuth issuer; set its OAuth configuration');
      }
      return validationOfConnection(integration, connection);
    case 'user_token':
      return validationOfConnection(integration, connection);
  }
}

function validationOfConnection(
  integration: IntegrationRow,
  connection: ConnectionRow | undefined,
): ValidateIntegrationResponse {
  if (!connection) {
    return pending('you have no connection to it yet; connect, then validate again');
  }
  const { mode, destination, credential, expiresAt } = connection;
  const isForPresent =
    mode === integration.authMode && destination === connectionDestination(integration);
  if (!isForPresent || !isSendable(integration.credentialSchema, credential)) {
    return pending('your connection does not match its current configuration; connect again');
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    const message = 'The integration was not tried: your connection has expired; connect again.';
    return { status: 'invalid', message };
  }
  return valid('accepted your connection');
}

function valid(what: string): ValidateIntegrationResponse {
  return { status: 'valid', message: `The server was reached over MCP and ${what}.` };
}

function pending(why: string): ValidateIntegrationResponse {
  return { status: 'pending', message: `The server was reached over MCP, but ${why}.` };
}
