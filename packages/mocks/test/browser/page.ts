import { setupMockGatehouse } from '@gatehouse/mocks/browser';
import { Gatehouse, isApiError } from '@gatehouse/sdk';

/** Runs in the page of the test: a typical use of the mock Gatehouse in the page's own worker. */
export async function useMocks(): Promise<unknown> {
  const { gatehouse: mocks, worker } = setupMockGatehouse({ baseUrl: location.origin });
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true });
  const { baseUrl, tokens } = mocks;
  const gatehouse = new Gatehouse({ baseUrl, accessToken: tokens.owner });
  const { integration } = await gatehouse.integrations.create({
    name: 'Issue tracker',
    url: 'https://mcp.example.com/mcp',
  });
  const { application } = await gatehouse.applications.create({
    name: 'Assistant',
    oauth: { type: 'public', redirectUris: ['http://127.0.0.1/callback'] },
  });
  await gatehouse.applications.integrations.attach(application.id, integration.id);
  const attached = (await gatehouse.applications.get(application.id)).application.integrations;
  const listed = await gatehouse.integrations.list().toArray({ max: 10 });
  const member = new Gatehouse({ baseUrl, accessToken: tokens.member, logLevel: 'off' });
  const refusal = await member.integrations.archive(integration.id).catch((error) => error);
  mocks.reset();
  const left = await gatehouse.integrations.list();
  const passed = await fetch('/robots.txt');
  return {
    attached: attached.map(({ name }) => name),
    listed: listed.map(({ name }) => name),
    refusal: isApiError(refusal) && refusal.code,
    left: left.items.length,
    passed: await passed.text(),
  };
}
