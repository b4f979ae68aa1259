import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Admission, Call } from '../../src/gateway/call.ts';
import { OpenCalls } from '../../src/gateway/open-calls.ts';
import type { OpenSession } from '../../src/sessions/sessions.ts';
import { ControlledChanges } from '../platform/changes/controlled-changes.ts';

const ADMISSION: Admission = {
  token: 'a-token',
  actor: {
    organizationId: 'organization',
    userId: 'user',
    role: 'member',
    tokenId: 'token',
    tokenKind: 'personal',
    scopes: ['mcp'],
  },
  route: {
    organizationId: 'organization',
    applicationId: 'application',
    integrationId: 'integration',
    attachmentId: 'attachment',
    destination: 'http://127.0.0.1',
    path: '/mcp',
    target: {
      organizationId: 'organization',
      integrationId: 'integration',
      url: 'http://127.0.0.1/mcp',
      category: 'gateway_remote_mcp',
      authMode: 'none',
      credentialSchema: null,
      oauthIssuer: undefined,
      oauthClientId: undefined,
    },
  },
  use: 'activity',
  session: undefined,
  credential: { kind: 'ready', headers: [], source: 'none', connectionId: undefined },
};

const CHANGE = [{ kind: 'token', id: 'another-one' }] as const;

function start() {
  const changes = new ControlledChanges();
  const asked: Call[] = [];
  const openCalls = new OpenCalls({
    changes,
    reauthorize: async (calls) => void asked.push(...calls),
    callDeadline: 60_000,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => openCalls.close(0));
  const arrive = () => {
    const req = new IncomingMessage(new Socket());
    const deps = {
      openCalls,
      sessions: { enter: (session: OpenSession) => session, leave: () => undefined },
      metrics: { countCall: () => undefined, observeHead: () => undefined },
      log: pino({ level: 'silent' }),
    };
    const call = new Call(req, new ServerResponse(req), deps);
    openCalls.add(call);
    return call;
  };
  const admit = (call: Call) => {
    call.admission = ADMISSION;
    openCalls.admit(call);
  };
  return { changes, asked, openCalls, arrive, admit };
}

test('a call during whose admission something changed is authorized anew', () => {
  const { changes, asked, arrive, admit } = start();
  const call = arrive();
  changes.tell(CHANGE);
  admit(call);
  expect(asked).toEqual([call]);
});

test('a call that arrived after the last change is not', () => {
  const { changes, asked, arrive, admit } = start();
  changes.tell(CHANGE);
  admit(arrive());
  expect(asked).toEqual([]);
});

test('a call that is still being admitted when anything may have changed is asked about once it is', () => {
  const { changes, asked, arrive, admit } = start();
  const call = arrive();
  changes.tell('everything');
  expect(asked).toEqual([]);
  admit(call);
  expect(asked).toEqual([call]);
});
