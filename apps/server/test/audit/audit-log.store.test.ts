import { expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging.ts';
import { startTestServer } from '../support/server.ts';
import { openTestStore } from '../support/store.ts';

it('events are lines of the log: changes with the names of fields alone, and calls', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  const server = await startTestServer({ auditLog: true, auditCalls: 'off' }, openTestStore, log);
  try {
    const body = { name: 'Before', url: 'http://127.0.0.1:9/mcp', authMode: 'none' };
    const made = await server.call('POST', '/integrations', { body });
    const { id } = made.body.integration;
    const path = `/integrations/${id}`;
    await server.call('PATCH', path, { body: { url: 'http://127.0.0.1:9/other' } });
    const application = await server.call('POST', '/applications', {
      body: { name: 'A', oauth: { type: 'public', redirectUris: ['http://localhost/callback'] } },
    });
    const url = `${server.origin}/mcp/${application.body.application.id}/${id}`;
    const authorization = `Bearer ${server.owner}`;
    await fetch(url, { method: 'POST', headers: { authorization }, body: 'an argument' });

    const told = lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'audit event')
      .map(({ event }) => event);
    expect(told.find(({ action }) => action === 'integration.updated')).toMatchObject({
      kind: 'management',
      actor: { kind: 'person' },
      target: { kind: 'integration', id },
      details: { changes: [{ field: 'url' }] },
    });
    expect(told.find(({ kind }) => kind === 'call')).toMatchObject({
      action: 'call',
      outcome: 'refused',
      details: { httpMethod: 'POST', integrationId: null },
    });
    for (const hidden of ['/other', 'an argument', server.owner]) {
      expect(lines.join('')).not.toContain(hidden);
    }
  } finally {
    await server.close();
  }
});
