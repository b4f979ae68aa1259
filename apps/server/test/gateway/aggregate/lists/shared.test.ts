import { beforeEach, describe, expect, it } from 'vitest';
import { ProblemError } from '../../../../src/platform/problem-error.ts';
import { type Listed, TestApplication, type TestIntegration, toolOf, turn } from './application.ts';

let application: TestApplication;
let integration: TestIntegration;

beforeEach(() => {
  application = new TestApplication();
  integration = application.attach('only');
});

/** Of one person. */
const listIn = async (session: string): Promise<Pick<Listed, 'names' | 'states'>> => {
  const listed = await application.list(application.client('legacy', 'person', session), 'tools');
  return { names: listed.names, states: listed.states };
};

/** The session has ended. */
const GONE = {
  kind: 'problem',
  problem: new ProblemError('session_not_found', 'The session has ended.'),
} as const;

/** The session behind it was revoked. */
const REVOKED = {
  kind: 'refused',
  error: { code: -31001, message: 'Revoked.', data: { code: 'session_revoked' } },
} as const;

const WHOLE = { names: ['only__echo'], states: { only: 'ok 1' } };
const NOTHING = { names: [], states: { only: 'failed 0' } };

describe.each([
  ['has ended', GONE],
  ['has lost the session behind it', REVOKED],
])('a session that %s', (_, refusal) => {
  it('leaves a list that it has read for another session of its person to be read again', async () => {
    let refuse = (): void => {};
    const refused = new Promise<object>((resolve) => {
      refuse = () => resolve(refusal);
    });
    integration.on('tools', ({ client }) =>
      client.session?.id === 'first' ? refused : { tools: [toolOf('echo')] },
    );
    const first = listIn('first');
    await turn();
    const second = listIn('second');
    await turn();
    expect(integration.asked).toHaveLength(1);
    refuse();
    expect(await first).toMatchObject({ names: [] });
    expect(await second).toEqual(WHOLE);
  });

  it('keeps no list from the others of its person', async () => {
    integration.on('tools', ({ client }) =>
      client.session?.id === 'first' ? refusal : { tools: [toolOf('echo')] },
    );
    expect(await listIn('first')).toEqual(NOTHING);
    expect(await listIn('second')).toEqual(WHOLE);
  });
});
