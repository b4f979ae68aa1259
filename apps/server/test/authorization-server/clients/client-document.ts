import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** A Client ID Metadata Document that can be fetched. */
export interface ClientDocument {
  /** Its URL, which is the client id. */
  readonly clientId: string;
  /** How often it has been fetched. */
  readonly fetches: number;
  close(): Promise<void>;
}

/** Serves the document of a public client by https, with a certificate that this process then trusts. */
export async function serveClientDocument(redirectUri: string): Promise<ClientDocument> {
  // Read at each connection. It cannot be trusted alone: no such setting exists before Node 22.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const [key, cert] = ['key', 'cert'].map((name) =>
    readFileSync(new URL(`../../egress/fixtures/localhost.${name}.pem`, import.meta.url)),
  );
  let fetches = 0;
  const server = createServer({ key, cert }, (_request, response) => {
    fetches += 1;
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        client_id: clientId,
        client_name: 'A client with a document',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const clientId = `https://localhost:${(server.address() as AddressInfo).port}/client.json`;
  return {
    clientId,
    get fetches() {
      return fetches;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      vi.unstubAllEnvs();
    },
  };
}
