import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Call } from '../../src/gateway/call.ts';
import { OpenCalls } from '../../src/gateway/open-calls.ts';
import { ControlledChanges } from '../platform/changes/controlled-changes.ts';

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
      sessions: { begin: () => undefined, done: () => undefined },
      metrics: { countCall: () => undefined, observeHead: () => undefined },
      log: pino({ level: 'silent' }),
    };
    return new Call(req, new ServerResponse(req), deps);
  };
  return { changes, asked, openCalls, arrive };
}

test('a call during whose admission something changed is authorized anew', () => {
  const { changes, asked, openCalls, arrive } = start();
  const call = arrive();
  changes.tell(CHANGE);
  openCalls.add(call);
  expect(asked).toEqual([call]);
});

test('a call that arrived after the last change is not', () => {
  const { changes, asked, openCalls, arrive } = start();
  changes.tell(CHANGE);
  openCalls.add(arrive());
  expect(asked).toEqual([]);
});
