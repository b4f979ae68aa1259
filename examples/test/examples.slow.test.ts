import { launchGatehouse } from '@gatehouse/harness';
import { startUpstream } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main as applicationsAndRotation } from '../src/applications-and-rotation.ts';
import { main as clientCredentials } from '../src/client-credentials.ts';
import { main as errorHandling } from '../src/error-handling.ts';
import { main as pagination } from '../src/pagination.ts';
import { main as registerAndValidate } from '../src/register-and-validate.ts';
import { main as signInByCode } from '../src/sign-in-by-code.ts';
import { main as typedHttpCalls } from '../src/typed-http-calls.ts';
import { main as worker } from '../src/worker.ts';
import { Person } from './person.ts';

const mcpToken = 'token-that-the-mcp-server-requires';

describe('the example of', () => {
  let server: Awaited<ReturnType<typeof launchGatehouse>> | undefined;
  let upstream: Awaited<ReturnType<typeof startUpstream>> | undefined;

  beforeAll(async () => {
    [server, upstream] = await Promise.all([
      launchGatehouse(),
      startUpstream({ requireBearer: mcpToken }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([server?.dispose(), upstream?.close()]);
  });

  function places() {
    if (!server || !upstream) throw new Error('The servers have not started.');
    const { baseUrl, bootstrapToken: accessToken } = server;
    return { baseUrl, accessToken, mcpUrl: upstream.url, mcpToken };
  }

  async function linesOf(example: typeof pagination): Promise<string[]> {
    const lines: string[] = [];
    await example(places(), (line) => lines.push(line));
    return lines;
  }

  it('client credentials', async () => {
    expect(await linesOf(clientCredentials)).toEqual(['20 + 22 = 42']);
  });

  it('a worker with a handed-out credential', async () => {
    expect(await linesOf(worker)).toEqual([
      'The API answers: 42 visitors',
      'After a renewal: 42 visitors',
      'Nothing more is handed out (invalid_target): the worker stops',
    ]);
  });

  it('registering and validating', async () => {
    expect(await linesOf(registerAndValidate)).toEqual([
      'Registered Issue tracker, pending',
      expect.stringMatching(/^invalid: .*server token/),
      expect.stringMatching(/^valid: /),
      expect.stringMatching(/^valid since \d{4}-\d\d-\d\dT/),
      'A server token is stored',
    ]);
  });

  it('typed calls over HTTP, with a base URL with and without /api/v1', async () => {
    const { baseUrl, ...others } = places();
    for (const each of [baseUrl, new URL(baseUrl).origin]) {
      const lines: string[] = [];
      await typedHttpCalls({ baseUrl: each, ...others }, (line) => lines.push(line));
      expect(lines).toEqual([
        'My token is stored: connected',
        'My token is removed: disconnected',
        'Refused: 400 validation_failed',
      ]);
    }
  });

  it('applications and the rotation of their secrets', async () => {
    expect(await linesOf(applicationsAndRotation)).toEqual([
      'Created Support assistant, its secret has 49 characters',
      'It may use Wiki and Search',
      'Now it may use 1',
      'Its secret has changed',
      'It is archived: true, null',
    ]);
  });

  it('pagination', async () => {
    expect(await linesOf(pagination)).toEqual([
      'A page: Archive 5, Archive 4',
      'Not validated yet: 5',
      'Collected: 3',
      'Resumed: Archive 3, Archive 2 | Archive 1',
    ]);
  });

  it('handling errors', async () => {
    expect(await linesOf(errorHandling)).toEqual([
      'No such application; find it in the logs by its request id',
      'Fields to correct: /name, /url',
      'Someone else was first: it is called Team calendar',
      'Not reached: true, from the SDK: true',
    ]);
  });

  it('signing a person in and calling a tool for them', async () => {
    const person = new Person();
    await person.signIn((await server?.signInLink('owner@localhost')) ?? '');
    const lines: string[] = [];
    const openBrowser = (url: string) => person.open(url);
    await signInByCode({ ...places(), openBrowser }, (line) => lines.push(line));
    expect(lines).toEqual([
      '20 + 22 = 42',
      'With a new access token: 1 + 1 = 2',
      'After the end: no access',
    ]);
  });
});
