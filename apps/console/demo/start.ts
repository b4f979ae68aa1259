import { setupMockGatehouse } from '@gatehouse/mocks/browser';
import { HttpResponse, http } from 'msw';
import { answerMcp } from './gateway.ts';
import { seedDemo } from './seed.ts';

/** Everything in this page's memory: the console without a server, and without any effect elsewhere. */
export async function startDemo(): Promise<void> {
  const { gatehouse, worker } = setupMockGatehouse({ baseUrl: location.origin });
  const role = new URLSearchParams(location.search).get('role');
  const accessToken = role === 'member' ? gatehouse.tokens.member : gatehouse.tokens.owner;
  if (!new URLSearchParams(location.search).has('empty')) await seedDemo(gatehouse);
  worker.use(
    // What is changed is repaired: no server of the demo stays broken.
    http.patch('/api/v1/integrations/:id', ({ params: { id } }) =>
      gatehouse.setValidation(String(id), undefined),
    ),
    http.post('/console/token', () =>
      HttpResponse.json({
        accessToken,
        expiresAt: new Date(Date.now() + 10 * 60_000).toISOString(),
      }),
    ),
    http.all('/mcp/*', ({ request }) => answerMcp(gatehouse, request)),
    http.post('/console/sign-out', () => new HttpResponse(null, { status: 204 })),
  );
  await worker.start({
    onUnhandledRequest: 'bypass',
    quiet: true,
    serviceWorker: { url: '/console/mockServiceWorker.js' },
  });
}
