import { expect } from 'vitest';
import type { TestServer } from '../../support/server.ts';
import type { RecordedServer } from './recorded.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Nothing listens there. */
export const NOWHERE = 'http://127.0.0.1:9/mcp';

const OAUTH = { type: 'confidential', redirectUris: ['https://app.example.com/callback'] };

/** Makes rows by the API, as the owner, with secrets that are noted. */
export interface Maker {
  readonly server: TestServer;
  readonly plant: () => string;
  readonly noteAnswer: (text: string) => void;
  /** Sends a request that must succeed; its body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  ok(line: string, body?: unknown): Promise<any>;
  integration(fields?: Fields): Promise<string>;
  application(oauth?: Fields): Promise<string>;
  /** An application with an integration. */
  pair(fields?: Fields): Promise<readonly [applicationId: string, integrationId: string]>;
  /** An email that must not be in any record. */
  email(): string;
  member(): Promise<string>;
  group(): Promise<string>;
}

export function makerOf({ server, plant, noteAnswer }: RecordedServer): Maker {
  const ok: Maker['ok'] = async (line, body) => {
    const [method = '', path = ''] = line.split(' ');
    const called = await server.call(method, path, { body });
    expect(called.status, called.text).toBeLessThan(300);
    noteAnswer(called.text);
    return called.body;
  };
  const integration: Maker['integration'] = async (fields) => {
    const body = { name: 'Docs', url: NOWHERE, authMode: 'none', ...fields };
    return (await ok('POST /integrations', body)).integration.id;
  };
  const application: Maker['application'] = async (oauth) => {
    const body = { name: 'Agent', oauth: { ...OAUTH, ...oauth } };
    return (await ok('POST /applications', body)).application.id;
  };
  const email = () => `${plant()}@example.com`;
  return {
    ...{ server, plant, noteAnswer, ok, integration, application, email },
    async pair(fields) {
      const [applicationId, integrationId] = [await application(), await integration(fields)];
      await ok(`POST /applications/${applicationId}/integrations/${integrationId}`);
      return [applicationId, integrationId];
    },
    async member() {
      const body = { email: email(), name: 'Member', role: 'member' };
      return (await ok('POST /members', body)).member.id;
    },
    async group() {
      return (await ok('POST /groups', { name: `Group ${crypto.randomUUID()}` })).group.id;
    },
  };
}
