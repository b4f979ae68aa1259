// biome-ignore-all lint/correctness/noUnusedVariables: the examples do not use their results.
// biome-ignore-all lint/complexity/noUselessLoneBlockStatements: each example has its own scope.
// biome-ignore-all lint/suspicious/noConsole: the examples show their results.
// Compiled by the tests, which copy each region to its @example.
import type { Gatehouse, IntegrationPolicyRules, Integrations } from '@gatehouse/sdk';

export async function methods(gatehouse: Gatehouse, id: string): Promise<void> {
  const applicationId = id;
  {
    //#region Integrations
    const readActive = (integrations: Integrations) => integrations.list().toArray({ max: 500 });
    const active = await readActive(gatehouse.integrations);
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
    const { status, message, stages } = await gatehouse.integrations.validate(id);
    const failed = stages.find((stage) => stage.status === 'failed');
    if (status !== 'valid') console.warn(message, failed?.code);
    //#endregion
  }
  {
    //#region IntegrationPolicyRules
    const clear = (rules: IntegrationPolicyRules) => rules.put(id, null);
    await clear(gatehouse.integrations.policy);
    //#endregion
  }
  {
    //#region IntegrationPolicyRules.get
    const { policy } = await gatehouse.integrations.policy.get(id);
    //#endregion
  }
  {
    //#region IntegrationPolicyRules.put
    await gatehouse.integrations.policy.put(id, {
      tools: { deny: ['*_delete'] },
      perApplication: { [applicationId]: { roles: ['admin', 'owner'] } },
    });
    //#endregion
  }
}
