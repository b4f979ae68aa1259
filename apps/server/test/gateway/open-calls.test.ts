import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { Admission } from '../../src/gateway/admission.ts';
import { Call } from '../../src/gateway/call.ts';
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
    tokenExpiresAt: null,
    scopes: ['mcp'],
  },
  route: {
    organizationId: 'organization',
    applicationId: 'application',
    integrationId: 'integration',
    attachmentId: 'attachment',
    destination: 'http://127.0.0.1',
    integrationName: 'Scripted',
    loopMark: 'gatehouse-mark',
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
      isOauthConfigured: false,
    },
  },
  use: 'modern',
  session: undefined,
  credential: { kind: 'ready', headers: [], source: 'none', connectionId: undefined },
};

const CHANGE = [{ kind: 'token', id: 'another-one' }] as const;

function start() {
  const changes = new ControlledChanges();
  const rechecked: Call[] = [];
  const openCalls = new OpenCalls({
    changes,
    recheck: async (calls) => void rechecked.push(...calls),
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
      callLog: { ended: () => undefined },
      log: pino({ level: 'silent' }),
    };
    const call = new Call(req, new ServerResponse(req), deps);
    openCalls.add(call);
    return call;
  };
  const admit = (call: Call) => {
    call.admission = ADMISSION;
    openCalls.recheckIfChanged(call);
  };
  return { changes, rechecked, openCalls, arrive, admit };
}

test('a call is rechecked if something changed during its admission', () => {
  const { changes, rechecked, arrive, admit } = start();
  const call = arrive();
  changes.tell(CHANGE);
  admit(call);
  expect(rechecked).toEqual([call]);
});

test('a call that arrived after the last change is not rechecked', () => {
  const { changes, rechecked, arrive, admit } = start();
  changes.tell(CHANGE);
  admit(arrive());
  expect(rechecked).toEqual([]);
});

test('a call that is being admitted while changes may be missed is rechecked once it is admitted', () => {
  const { changes, rechecked, arrive, admit } = start();
  const call = arrive();
  changes.tell('everything');
  expect(rechecked).toEqual([]);
  admit(call);
  expect(rechecked).toEqual([call]);
});
