import type { CreateApplicationBody } from '@gatehouse/contract';
import type { McpClient } from './clients.ts';

/**
 * The application that a client needs: its redirect URIs, and, since it brings no client id, dynamic clients.
 * Without a client: a program of the person, which keeps a secret.
 */
export function applicationFor(client: McpClient | undefined): CreateApplicationBody {
  return {
    name: client?.name ?? '',
    oauth: {
      type: client === undefined ? 'confidential' : 'public',
      redirectUris: [...(client?.redirectUris ?? [])],
      allowDynamicClients: client !== undefined,
    },
  };
}
