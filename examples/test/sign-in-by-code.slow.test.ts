import { launchGatehouse } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { expect, it } from 'vitest';
import { main } from '../src/sign-in-by-code.ts';
import { Person } from './person.ts';

it('signs a person in and calls a tool for them', async () => {
  const mcpToken = 'token-that-the-mcp-server-requires';
  const upstream = await startUpstream({ requireBearer: mcpToken });
  const server = await launchGatehouse();
  const lines: string[] = [];
  try {
    const person = new Person();
    await person.signIn(await server.signInLink('owner@localhost'));
    const { baseUrl, bootstrapToken: accessToken } = server;
    const openBrowser = (url: string) => person.open(url);
    await main({ baseUrl, accessToken, mcpUrl: upstream.url, mcpToken, openBrowser }, (line) =>
      lines.push(line),
    );
  } finally {
    await server.dispose();
    await upstream.close();
  }
  expect(lines).toEqual([
    '20 + 22 = 42',
    'With a new access token: 1 + 1 = 2',
    'After the end: no access',
  ]);
});
