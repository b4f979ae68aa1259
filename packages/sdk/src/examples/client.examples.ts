// biome-ignore-all lint/correctness/noUnusedVariables: the examples end where a program goes on.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has names of its own.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which hold every @example equal to its region here.
import {
  type ApiResponse,
  type ConditionalOptions,
  type Fetch,
  type FetchOptions,
  Gatehouse,
  type GatehouseOptions,
  type IdempotentOptions,
  type Integration,
  type Logger,
  type LogLevel,
  type Me,
  type Organization,
  type Page,
  type RequestOptions,
  type ResponseValidator,
  type ToArrayOptions,
  type UpdateOptions,
  type User,
  type ValidatedResponse,
} from '@gatehouse/sdk';

export async function client(accessToken: string, id: string): Promise<void> {
  //#region Gatehouse
  const gatehouse = new Gatehouse({ baseUrl: 'https://gatehouse.example.com', accessToken });
  const { user } = await gatehouse.me();
  //#endregion
  {
    //#region Gatehouse.me
    const { user, organization } = await gatehouse.me();
    console.log(`${user.name} of ${organization.name}`);
    //#endregion
  }
  {
    //#region Me
    const { user, organization }: Me = await gatehouse.me();
    //#endregion
  }
  {
    //#region User
    const { user }: { user: User } = await gatehouse.me();
    const isAdmin = user.role === 'admin' || user.role === 'owner';
    //#endregion
  }
  {
    //#region Organization
    const { organization }: { organization: Organization } = await gatehouse.me();
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
  {
    //#region ApiResponse
    const response: ApiResponse<Me> = await gatehouse.me().withResponse();
    console.log(response.status, response.data.user.name);
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
    //#region ToArrayOptions
    const options: ToArrayOptions = { max: 1000 };
    const integrations = await gatehouse.integrations.list().toArray(options);
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

export async function options(gatehouse: Gatehouse, id: string): Promise<void> {
  const controller = new AbortController();
  {
    //#region GatehouseOptions
    const options: GatehouseOptions = {
      baseUrl: 'https://gatehouse.example.com',
      accessToken: async () => (await fetch('http://127.0.0.1:8200/token')).text(),
      timeout: 5_000,
      totalTimeout: 20_000,
    };
    const gatehouse = new Gatehouse(options);
    //#endregion
  }
  {
    //#region RequestOptions
    const options: RequestOptions = { signal: controller.signal, timeout: 2_000, maxRetries: 0 };
    const { integration } = await gatehouse.integrations.get(id, options);
    //#endregion
  }
  {
    //#region IdempotentOptions
    const options: IdempotentOptions = { idempotencyKey: `rotate-${id}-2026-11` };
    const { oauth } = await gatehouse.applications.rotateSecret(id, options);
    //#endregion
  }
  {
    //#region ConditionalOptions
    const { etag } = await gatehouse.integrations.get(id).withResponse();
    const options: ConditionalOptions = { ifMatch: etag };
    await gatehouse.integrations.archive(id, options);
    //#endregion
  }
  {
    //#region UpdateOptions
    const { etag } = await gatehouse.integrations.get(id).withResponse();
    const options: UpdateOptions = { ifMatch: etag, idempotencyKey: 'rename-1' };
    await gatehouse.integrations.update(id, { name: 'Issues' }, options);
    //#endregion
  }
  {
    //#region Fetch
    const traced: Fetch = (url, init) => {
      console.log(init.method, url);
      return fetch(url, init);
    };
    const gatehouse = new Gatehouse({ fetch: traced });
    //#endregion
  }
  {
    //#region FetchOptions
    const fetchOptions: FetchOptions = { cache: 'no-store', keepalive: true };
    const gatehouse = new Gatehouse({ fetchOptions });
    //#endregion
  }
  {
    //#region Logger
    const logger: Logger = {
      error: (message, details) => console.error(message, details),
      warn: (message, details) => console.warn(message, details),
      info: (message, details) => console.info(message, details),
      debug: () => {},
    };
    const gatehouse = new Gatehouse({ logger });
    //#endregion
  }
  {
    //#region LogLevel
    const logLevel: LogLevel = 'debug';
    const gatehouse = new Gatehouse({ logLevel });
    //#endregion
  }
  {
    //#region ResponseValidator
    const validateResponse: ResponseValidator = ({ route, body }) =>
      route === '/me' && !Object.hasOwn(Object(body), 'user') ? ['there is no user'] : [];
    const gatehouse = new Gatehouse({ validateResponse });
    //#endregion
  }
  {
    //#region ValidatedResponse
    const log = ({ method, route, status }: ValidatedResponse) =>
      console.log(method, route, status);
    //#endregion
  }
}
