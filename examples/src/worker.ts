import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gatehouse } from '@gatehouse/sdk';
import * as oauth from 'openid-client';
import type { Environment, Print } from './environment.ts';

/**
 * A worker that calls a plain HTTP API, which the gateway cannot proxy. It keeps no credential of the API:
 * Gatehouse hands one out for five minutes at a time (RFC 8693), until someone takes the access away.
 */
export async function main(environment: Environment, print: Print): Promise<void> {
  const reports = await startReports('token-of-the-reports');
  try {
    const { gatehouse, applicationId, integrationId, clientSecret } = await register(
      environment,
      reports.url,
    );
    const issuer = new URL(new URL(environment.baseUrl).origin);
    const config = await oauth.discovery(issuer, applicationId, clientSecret, undefined, {
      algorithm: 'oauth2',
      // For a Gatehouse on this computer. Leave it out where Gatehouse has https.
      execute: [oauth.allowInsecureRequests],
    });
    const credential = new HandedOut(config, reports.url);
    print(`The API answers: ${await readReport(reports.url, await credential.token())}`);
    await credential.renew();
    print(`After a renewal: ${await readReport(reports.url, await credential.token())}`);

    await gatehouse.applications.integrations.detach(applicationId, integrationId);
    await credential.renew().catch((error: unknown) => {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      print(`Nothing more is handed out (${error.error}): the worker stops`);
    });
  } finally {
    reports.close();
  }
}

/** Set up once by an administrator of Gatehouse. The worker needs the client id and secret, and the API's URL. */
async function register({ baseUrl, accessToken }: Environment, url: string) {
  const gatehouse = new Gatehouse({ baseUrl, accessToken });
  const { integration } = await gatehouse.integrations.create({
    name: 'Reports',
    url,
    category: 'internal_mcp_credentials',
    authMode: 'server_token',
    serverToken: 'token-of-the-reports',
  });
  const { application, oauth: secrets } = await gatehouse.applications.create({
    name: 'Report worker',
    oauth: { type: 'confidential', redirectUris: [], scopes: ['credentials'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  const { clientSecret } = secrets;
  return { gatehouse, applicationId: application.id, integrationId: integration.id, clientSecret };
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Milliseconds before its end from which a credential is renewed. */
const MARGIN = 30_000;

/** The credential of an API, for as long as its lease lasts. It is kept in memory alone. */
class HandedOut {
  readonly #config: oauth.Configuration;
  readonly #url: string;
  #token = '';
  #until = 0;

  constructor(config: oauth.Configuration, url: string) {
    this.#config = config;
    this.#url = url;
  }

  async token(): Promise<string> {
    if (Date.now() > this.#until - MARGIN) await this.renew();
    return this.#token;
  }

  async renew(): Promise<void> {
    const own = await oauth.clientCredentialsGrant(this.#config, { scope: 'credentials' });
    const exchanged = await oauth.genericGrantRequest(this.#config, TOKEN_EXCHANGE, {
      subject_token: own.access_token,
      subject_token_type: ACCESS_TOKEN,
      resource: this.#url,
    });
    this.#token = exchanged.access_token;
    this.#until = Date.now() + (exchanged.expiresIn() ?? 0) * 1000;
  }
}

async function readReport(url: string, token: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return response.text();
}

/** Stands for an API of someone else. */
async function startReports(token: string) {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    response.writeHead(isKnown ? 200 : 401).end(isKnown ? '42 visitors' : 'Who are you?');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/reports`, close: () => server.close() };
}
