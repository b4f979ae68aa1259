// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import { Gatehouse, type Integration, type Page } from '@gatehouse/sdk';

interface Grant {
  readonly clientId: string;
  load(): Promise<string>;
  save(refreshToken: string): Promise<void>;
}

export async function client(accessToken: string, id: string, grant: Grant): Promise<void> {
  //#region Gatehouse
  const gatehouse = new Gatehouse({ baseUrl: 'https://gatehouse.example.com', accessToken });
  const { user } = await gatehouse.me();

  // With OAuth, a function refreshes the access token whenever the service rejects the last one.
  const refreshing = new Gatehouse({
    baseUrl: 'https://gatehouse.example.com',
    accessToken: async () => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: grant.clientId,
        refresh_token: await grant.load(),
      });
      const endpoint = 'https://gatehouse.example.com/oauth/token';
      const response = await fetch(endpoint, { method: 'POST', body });
      if (!response.ok) throw new Error('The grant has ended. Sign in again.');
      const tokens: { access_token: string; refresh_token: string } = await response.json();
      // A public client's refresh token works once. Keep the next one before anything else.
      await grant.save(tokens.refresh_token);
      return tokens.access_token;
    },
  });
  //#endregion
  {
    //#region Gatehouse.me
    const { user, organization } = await gatehouse.me();
    console.log(`${user.name} of ${organization.name}`);
    //#endregion
  }
  {
    //#region Gatehouse.request
    const { connection } = await gatehouse.request('GET', '/integrations/:id/connection', {
      params: { id },
    });
    console.log(connection.connected, connection.displayName);
    //#endregion
  }
  {
    //#region Gatehouse.withOptions
    const patient = gatehouse.withOptions({ timeout: 120_000, headers: { 'X-Job': 'nightly' } });
    await patient.integrations.validate(id);
    //#endregion
  }
  {
    //#region ApiPromise
    const { integration } = await gatehouse.integrations.get(id);
    const { etag } = await gatehouse.integrations.get(id).withResponse();
    //#endregion
  }
  {
    //#region ApiPromise.withResponse
    const { data, requestId, headers } = await gatehouse.me().withResponse();
    console.log(data.user.name, requestId, headers.get('ratelimit'));
    //#endregion
  }
  {
    //#region ApiPromise.asResponse
    const response = await gatehouse.integrations.get(id).asResponse();
    console.log(response.status, await response.text());
    //#endregion
  }
}

export async function lists(gatehouse: Gatehouse, cursor: string): Promise<void> {
  const store = async (cursor: string | null) => console.log(cursor);
  {
    //#region ListPromise
    for await (const integration of gatehouse.integrations.list()) console.log(integration.name);

    const firstPage = await gatehouse.integrations.list({ limit: 10 });
    console.log(firstPage.items.length);
    //#endregion
  }
  {
    //#region ListPromise.iterPages
    for await (const page of gatehouse.integrations.list({ cursor }).iterPages()) {
      console.log(page.items.length);
      await store(page.nextCursor);
    }
    //#endregion
  }
  {
    //#region ListPromise.toArray
    const integrations = await gatehouse.integrations.list().toArray({ max: 1000 });
    //#endregion
  }
  {
    //#region Page
    const page: Page<Integration> = await gatehouse.integrations.list({ limit: 10 });
    const later = await gatehouse.integrations.list({ cursor: page.nextCursor ?? undefined });
    //#endregion
  }
  {
    //#region Page.hasNextPage
    const page = await gatehouse.integrations.list();
    console.log(page.hasNextPage() ? 'there are more' : 'that is all');
    //#endregion
  }
  {
    //#region Page.getNextPage
    const first = await gatehouse.integrations.list();
    const second = await first.getNextPage();
    console.log(second?.items ?? 'the first page was the last');
    //#endregion
  }
  {
    //#region Page.iterPages
    const first = await gatehouse.integrations.list();
    for await (const page of first.iterPages()) console.log(page.items.length);
    //#endregion
  }
}
