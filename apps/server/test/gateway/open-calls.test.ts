import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { Admission } from '../../src/gateway/admission.ts';
import { BodyMemory } from '../../src/gateway/body-memory.ts';
import { Call } from '../../src/gateway/call.ts';
import { OpenCalls } from '../../src/gateway/open-calls.ts';
import type { OpenSession } from '../../src/sessions/sessions.ts';
import { ControlledChanges } from '../platform/changes/controlled-changes.ts';
import { MemorySink, requestOf } from './values.ts';

const ADMISSION: Admission = {
  token: 'a-token',
  caller: {
    kind: 'person',
    organizationId: 'organization',
    userId: 'user',
    role: 'member',
    groupIds: [],
    via: { kind: 'personal_token', id: 'token' },
    expiresAt: null,
    scopes: ['mcp'],
  },
  route: {
    organizationId: 'organization',
    applicationId: 'application',
    integrationId: 'integration',
    key: 'application/integration',
    policy: undefined,
    limits: undefined,
    attachmentId: 'attachment',
    destination: 'http://127.0.0.1',
    integrationName: 'Scripted',
    spokenEras: {},
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
  sessionMode: 'modern',
  connectSession: undefined,
  session: undefined,
  credential: { kind: 'ready', headers: [], source: 'none', connectionId: undefined },
};

const CHANGE = [{ kind: 'token', id: 'another-one' }] as const;

function start() {
  const changes = new ControlledChanges();
  const reauthorized: Call[] = [];
  const openCalls = new OpenCalls({
    changes,
    reauthorize: async (calls) => void reauthorized.push(...calls),
    callDeadline: 60_000,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => openCalls.close(0));
  const arrive = () => {
    const deps = {
      openCalls,
      bodyMemory: new BodyMemory(0),
      sessions: { activity: { enter: (session: OpenSession) => session, leave: () => undefined } },
      observers: [],
      log: pino({ level: 'silent' }),
    };
    const call = new Call(requestOf('POST'), new MemorySink(), deps);
    openCalls.add(call);
    return call;
  };
  const admit = (call: Call) => {
    call.admit(ADMISSION);
    openCalls.reauthorizeIfChanged(call);
  };
  return { changes, reauthorized, openCalls, arrive, admit };
}

test('a call is admitted again if something changed during its admission', () => {
  const { changes, reauthorized, arrive, admit } = start();
  const call = arrive();
  changes.tell(CHANGE);
  admit(call);
  expect(reauthorized).toEqual([call]);
});

test('a call that arrived after the last change is not admitted again', () => {
  const { changes, reauthorized, arrive, admit } = start();
  changes.tell(CHANGE);
  admit(arrive());
  expect(reauthorized).toEqual([]);
});

test('a call that is being admitted while changes may be missed is admitted again afterwards', () => {
  const { changes, reauthorized, arrive, admit } = start();
  const call = arrive();
  changes.tell('everything');
  expect(reauthorized).toEqual([]);
  admit(call);
  expect(reauthorized).toEqual([call]);
});
