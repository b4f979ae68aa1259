// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import type {
  ApplicationAggregate,
  ApplicationIntegrationPolicy,
  ApplicationIntegrations,
  ApplicationOauthClient,
  ApplicationSessions,
  Applications,
  Gatehouse,
} from '@gatehouse/sdk';

export async function methods(gatehouse: Gatehouse, id: string): Promise<void> {
  const integrationId = id;
  const store = async (secret: string | undefined) => console.log(secret !== undefined);
  {
    //#region Applications
    const own = (applications: Applications) => applications.list().toArray({ max: 500 });
    const found = await own(gatehouse.applications);
    //#endregion
  }
  {
    //#region Applications.create
    const { application, oauth } = await gatehouse.applications.create({
      name: 'Support assistant',
      oauth: { type: 'confidential', redirectUris: ['https://assistant.example.com/callback'] },
    });
    await store(oauth.clientSecret);
    //#endregion
  }
  {
    //#region Applications.list
    for await (const { name } of gatehouse.applications.list({ all: true })) console.log(name);
    //#endregion
  }
  {
    //#region Applications.get
    const { application } = await gatehouse.applications.get(id);
    console.log(application.liveSessionCount);
    //#endregion
  }
  {
    //#region Applications.update
    await gatehouse.applications.update(id, { name: 'Support' });
    //#endregion
  }
  {
    //#region Applications.archive
    await gatehouse.applications.archive(id);
    //#endregion
  }
  {
    //#region Applications.restore
    const { application } = await gatehouse.applications.restore(id);
    //#endregion
  }
  {
    //#region Applications.rotateSecret
    const { oauth } = await gatehouse.applications.rotateSecret(id);
    await store(oauth.clientSecret);
    //#endregion
  }
  {
    //#region Applications.revokeAccess
    const { revoked } = await gatehouse.applications.revokeAccess(id);
    console.log(`${revoked.grants} grants and ${revoked.streams} streams ended.`);
    //#endregion
  }
  {
    //#region Applications.accessGraph
    const { edges } = await gatehouse.applications.accessGraph({ includePolicy: true });
    const refused = edges.filter(({ policy }) => policy?.allowed === false);
    //#endregion
  }
  {
    //#region ApplicationOauthClient
    const scopesOf = async (client: ApplicationOauthClient) => (await client.get(id)).oauth.scopes;
    const scopes = await scopesOf(gatehouse.applications.oauth);
    //#endregion
  }
  {
    //#region ApplicationOauthClient.get
    const { oauth } = await gatehouse.applications.oauth.get(id);
    //#endregion
  }
  {
    //#region ApplicationOauthClient.update
    await gatehouse.applications.oauth.update(id, { scopes: ['mcp', 'offline_access'] });
    //#endregion
  }
  {
    //#region ApplicationAggregate
    const stateOf = (aggregate: ApplicationAggregate) => aggregate.get(id);
    const { integrations } = await stateOf(gatehouse.applications.aggregate);
    //#endregion
  }
  {
    //#region ApplicationAggregate.get
    const { integrations } = await gatehouse.applications.aggregate.get(id);
    const unconnected = integrations.filter(({ state }) => state === 'connect');
    //#endregion
  }
  {
    //#region ApplicationIntegrations
    const clear = (attached: ApplicationIntegrations) => attached.set(id, { integrationIds: [] });
    await clear(gatehouse.applications.integrations);
    //#endregion
  }
  {
    //#region ApplicationIntegrations.list
    const { integrationIds } = await gatehouse.applications.integrations.list(id);
    //#endregion
  }
  {
    //#region ApplicationIntegrations.set
    await gatehouse.applications.integrations.set(id, { integrationIds: [integrationId] });
    //#endregion
  }
  {
    //#region ApplicationIntegrations.attach
    await gatehouse.applications.integrations.attach(id, integrationId);
    //#endregion
  }
  {
    //#region ApplicationIntegrations.update
    await gatehouse.applications.integrations.update(id, integrationId, { alias: 'issues' });
    //#endregion
  }
  {
    //#region ApplicationIntegrations.detach
    await gatehouse.applications.integrations.detach(id, integrationId);
    //#endregion
  }
  {
    //#region ApplicationIntegrationPolicy
    const clear = (rules: ApplicationIntegrationPolicy) => rules.put(id, integrationId, null);
    await clear(gatehouse.applications.integrations.policy);
    //#endregion
  }
  {
    //#region ApplicationIntegrationPolicy.get
    const { policy } = await gatehouse.applications.integrations.policy.get(id, integrationId);
    //#endregion
  }
  {
    //#region ApplicationIntegrationPolicy.put
    await gatehouse.applications.integrations.policy.put(id, integrationId, {
      tools: { allow: ['issue_*'], deny: ['issue_delete'] },
    });
    //#endregion
  }
  {
    //#region ApplicationSessions
    const latest = async (sessions: ApplicationSessions) => (await sessions.list(id)).items[0];
    const session = await latest(gatehouse.applications.sessions);
    //#endregion
  }
  {
    //#region ApplicationSessions.list
    for await (const session of gatehouse.applications.sessions.list(id))
      console.log(session.state);
    //#endregion
  }
  {
    //#region ApplicationSessions.revoke
    for await (const session of gatehouse.applications.sessions.list(id)) {
      if (session.live) await gatehouse.applications.sessions.revoke(id, session.id);
    }
    //#endregion
  }
}
