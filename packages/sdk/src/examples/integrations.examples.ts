// biome-ignore-all lint/correctness/noUnusedVariables: the examples end where a program goes on.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has names of its own.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which hold every @example equal to its region here.
import type {
  AuthMode,
  Connection,
  ConnectionReason,
  CreateIntegration,
  Gatehouse,
  Integration,
  IntegrationCategory,
  IntegrationOauth,
  IntegrationOauthInput,
  IntegrationResponse,
  Integrations,
  JsonObject,
  JsonValue,
  ListIntegrationsQuery,
  ListQuery,
  Open,
  UpdateIntegration,
  ValidationResult,
  ValidationStatus,
} from '@gatehouse/sdk';

export async function methods(gatehouse: Gatehouse, id: string): Promise<void> {
  {
    //#region Integrations
    const countActive = (integrations: Integrations) => integrations.list().toArray({ max: 500 });
    const active = await countActive(gatehouse.integrations);
    //#endregion
  }
  {
    //#region Integrations.create
    const { integration } = await gatehouse.integrations.create({
      name: 'Issue tracker',
      url: 'https://mcp.example.com/mcp',
      authMode: 'user_token',
    });
    //#endregion
  }
  {
    //#region Integrations.list
    for await (const { name } of gatehouse.integrations.list({ name: 'issue' })) console.log(name);
    //#endregion
  }
  {
    //#region Integrations.get
    const { integration } = await gatehouse.integrations.get(id);
    console.log(integration.userConnection?.status);
    //#endregion
  }
  {
    //#region Integrations.update
    await gatehouse.integrations.update(id, { name: 'Issues', credentialSchema: null });
    //#endregion
  }
  {
    //#region Integrations.archive
    await gatehouse.integrations.archive(id);
    //#endregion
  }
  {
    //#region Integrations.restore
    const { integration } = await gatehouse.integrations.restore(id);
    //#endregion
  }
  {
    //#region Integrations.validate
    const { status, message } = await gatehouse.integrations.validate(id);
    if (status !== 'valid') console.warn(message);
    //#endregion
  }
}

export async function types(gatehouse: Gatehouse, id: string): Promise<void> {
  {
    //#region Integration
    const describe = ({ name, url }: Integration) => `${name} at ${url}`;
    //#endregion
  }
  {
    //#region IntegrationResponse
    const { integration }: IntegrationResponse = await gatehouse.integrations.get(id);
    //#endregion
  }
  {
    //#region IntegrationCategory
    const category: IntegrationCategory = 'internal_mcp_credentials';
    //#endregion
  }
  {
    //#region AuthMode
    const authMode: AuthMode = 'server_token';
    //#endregion
  }
  {
    //#region ValidationStatus
    const icons: Record<ValidationStatus, string> = { pending: '…', valid: '✓', invalid: '✗' };
    //#endregion
  }
  {
    //#region ValidationResult
    const result: ValidationResult = await gatehouse.integrations.validate(id);
    //#endregion
  }
  {
    //#region IntegrationOauth
    const { integration } = await gatehouse.integrations.get(id);
    const oauth: IntegrationOauth | undefined = integration.oauth;
    //#endregion
  }
  {
    //#region IntegrationOauthInput
    const oauth: IntegrationOauthInput = { issuer: 'https://id.example.com', scopes: ['read'] };
    await gatehouse.integrations.update(id, { oauth });
    //#endregion
  }
  {
    //#region CreateIntegration
    const body: CreateIntegration = {
      name: 'Search',
      url: 'https://search.example.com/mcp',
      authMode: 'server_token',
      serverToken: 'the token of the organization',
    };
    //#endregion
  }
  {
    //#region UpdateIntegration
    const body: UpdateIntegration = { authMode: 'none', serverToken: null };
    //#endregion
  }
  {
    //#region ListIntegrationsQuery
    const query: ListIntegrationsQuery = { name: 'issue', includeArchived: true };
    //#endregion
  }
  {
    //#region ListQuery
    const query: ListQuery = { limit: 100 };
    //#endregion
  }
  {
    //#region Connection
    const { integration } = await gatehouse.integrations.get(id);
    const connection: Connection | undefined = integration.userConnection;
    //#endregion
  }
  {
    //#region ConnectionReason
    const isExpired = (reason: ConnectionReason) => reason === 'expired';
    //#endregion
  }
  {
    //#region JsonObject
    const capabilities: JsonObject = { tools: { listChanged: true } };
    //#endregion
  }
  {
    //#region JsonValue
    const text = (value: JsonValue) => JSON.stringify(value);
    //#endregion
  }
  {
    //#region Open
    const label = (mode: Open<AuthMode>) => (mode === 'none' ? 'no authentication' : mode);
    //#endregion
  }
}
