// biome-ignore-all lint/correctness/noUnusedVariables: the examples end where a program goes on.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has names of its own.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which hold every @example equal to its region here.
import type {
  AccessGraph,
  AccessGraphApplication,
  AccessGraphEdge,
  AccessGraphIntegration,
  AccessGraphQuery,
  AccessPolicy,
  AccessPolicyReason,
  AccessPolicyReasonCode,
  Application,
  ApplicationOauth,
  ApplicationOauthResponse,
  ApplicationOauthType,
  ApplicationOauthWithSecret,
  ApplicationResponse,
  ApplicationWithSecretResponse,
  AttachedIntegration,
  CreateApplication,
  CreateApplicationOauth,
  Gatehouse,
  IntegrationIds,
  ListApplicationsQuery,
  ListSessionsQuery,
  Session,
  SessionEra,
  SessionState,
  SetIntegrations,
  UpdateApplication,
  UpdateApplicationOauth,
} from '@gatehouse/sdk';

export async function types(gatehouse: Gatehouse, id: string): Promise<void> {
  {
    //#region Application
    const url = ({ mcpUrlTemplate }: Application) => mcpUrlTemplate ?? 'archived';
    //#endregion
  }
  {
    //#region ApplicationResponse
    const { application }: ApplicationResponse = await gatehouse.applications.get(id);
    //#endregion
  }
  {
    //#region ApplicationWithSecretResponse
    const { oauth }: ApplicationWithSecretResponse = await gatehouse.applications.rotateSecret(id);
    //#endregion
  }
  {
    //#region AttachedIntegration
    const urls = (attached: AttachedIntegration[]) => attached.map(({ mcpUrl }) => mcpUrl);
    //#endregion
  }
  {
    //#region CreateApplication
    const body: CreateApplication = {
      name: 'Editor',
      oauth: { type: 'public', redirectUris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
    };
    //#endregion
  }
  {
    //#region UpdateApplication
    const body: UpdateApplication = { name: 'Support' };
    //#endregion
  }
  {
    //#region ListApplicationsQuery
    const query: ListApplicationsQuery = { all: true, includeArchived: true };
    //#endregion
  }
  {
    //#region IntegrationIds
    const { integrationIds }: IntegrationIds = await gatehouse.applications.integrations.list(id);
    //#endregion
  }
  {
    //#region SetIntegrations
    const none: SetIntegrations = { integrationIds: [] };
    //#endregion
  }
  {
    //#region ApplicationOauth
    const isPublic = ({ type }: ApplicationOauth) => type === 'public';
    //#endregion
  }
  {
    //#region ApplicationOauthWithSecret
    const secretOf = ({ clientSecret }: ApplicationOauthWithSecret) => clientSecret;
    //#endregion
  }
  {
    //#region ApplicationOauthResponse
    const { oauth }: ApplicationOauthResponse = await gatehouse.applications.oauth.get(id);
    //#endregion
  }
  {
    //#region ApplicationOauthType
    const type: ApplicationOauthType = 'confidential';
    //#endregion
  }
  {
    //#region CreateApplicationOauth
    const oauth: CreateApplicationOauth = {
      type: 'public',
      redirectUris: ['http://127.0.0.1/callback'],
    };
    //#endregion
  }
  {
    //#region UpdateApplicationOauth
    const body: UpdateApplicationOauth = { redirectUris: ['https://app.example.com/callback'] };
    //#endregion
  }
  {
    //#region Session
    const age = ({ createdAt }: Session) => Date.now() - Date.parse(createdAt);
    //#endregion
  }
  {
    //#region SessionEra
    const era: SessionEra = 'modern';
    //#endregion
  }
  {
    //#region SessionState
    const ended: SessionState[] = ['closed', 'expired', 'revoked'];
    //#endregion
  }
  {
    //#region ListSessionsQuery
    const query: ListSessionsQuery = { limit: 100 };
    //#endregion
  }
}

export async function accessGraph(gatehouse: Gatehouse): Promise<void> {
  {
    //#region AccessGraph
    const graph: AccessGraph = await gatehouse.applications.accessGraph();
    if (graph.truncated) console.warn('There are more edges.');
    //#endregion
  }
  {
    //#region AccessGraphQuery
    const query: AccessGraphQuery = { includePolicy: true };
    //#endregion
  }
  {
    //#region AccessGraphApplication
    const label = ({ name, archivedAt }: AccessGraphApplication) =>
      archivedAt ? 'archived' : name;
    //#endregion
  }
  {
    //#region AccessGraphIntegration
    const label = ({ name, authMode }: AccessGraphIntegration) => `${name} (${authMode})`;
    //#endregion
  }
  {
    //#region AccessGraphEdge
    const key = ({ applicationId, integrationId }: AccessGraphEdge) =>
      `${applicationId}/${integrationId}`;
    //#endregion
  }
  {
    //#region AccessPolicy
    const explain = ({ reasons }: AccessPolicy) => reasons.map(({ message }) => message);
    //#endregion
  }
  {
    //#region AccessPolicyReason
    const text = ({ code, message }: AccessPolicyReason) => `${code}: ${message}`;
    //#endregion
  }
  {
    //#region AccessPolicyReasonCode
    const code: AccessPolicyReasonCode = 'server_token_missing';
    //#endregion
  }
}
