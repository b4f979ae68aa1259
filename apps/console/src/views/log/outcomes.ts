import type { AuditEvent } from '@gatehouse/sdk';
import { entryOf } from '../../api/labels.ts';
import type { Tone } from '../../components/status.tsx';
import { callOf } from './call.ts';
import { REFUSED } from './search.ts';

export interface Outcome {
  readonly tone: Tone;
  readonly label: string;
  readonly sentence: string;
}

const ofTone = (tone: Tone) => (label: string, sentence: string) => ({ tone, label, sentence });
const ok = ofTone('ok');
const warn = ofTone('warn');
const bad = ofTone('bad');
const idle = ofTone('idle');

/** How changes and calls end. */
const outcomes: Readonly<Record<string, Outcome>> = {
  succeeded: ok('Done', 'It was done.'),
  failed: bad('Failed', 'It was tried, and not done.'),
  relayed: ok('Answered', 'The MCP server answered.'),
  begun: idle(
    'Begun',
    'It went to the MCP server. It has not ended yet, or its node crashed meanwhile.',
  ),
  refused: warn('Refused', 'Gatehouse answered with a problem.'),
  policy: warn(
    'Refused by a rule',
    'A rule does not allow it, or Gatehouse cannot read it to apply the rules.',
  ),
  limited: warn(
    'Refused by a limit',
    'A limit is used up, or Gatehouse cannot read it to count its requests.',
  ),
  credential: warn(
    'No credential',
    'There was no usable credential, or the MCP server did not accept it.',
  ),
  connect: idle(
    'Asked to connect',
    'Gatehouse answered in place of the MCP server: the person has to connect first.',
  ),
  upstream_failed: bad(
    'Not reached',
    'The MCP server was not reached, broke the connection, or redirected.',
  ),
  too_large: bad('Too large', 'A body was over its limit.'),
  deadline: bad('Too slow', 'It took more than 10 minutes.'),
  client_left: idle('Client left', 'The client closed the connection first.'),
  issued: ok('Issued', 'Gatehouse issued tokens.'),
  refreshed: ok('Renewed', 'The provider issued new tokens.'),
  transient: bad('Provider failed', 'The provider could not be asked, and will be asked again.'),
  needs_user: warn('Ended', 'The provider ended the grant: the person has to connect again.'),
  misconfigured: bad('Misconfigured', 'An admin has to fix something, here or at the provider.'),
  lost: bad('Lost', 'The provider issued new tokens that could not be stored.'),
  cut: idle('Cut', 'Gatehouse ended it: access was revoked, or the node was shut down.'),
};

const SERVER_FAILED = bad('Server failed', 'The MCP server answered that it failed.');

export function outcomeOf(event: AuditEvent): Outcome {
  const { outcome } = event;
  if (outcome === 'relayed' && (callOf(event)?.status ?? 0) >= 500) return SERVER_FAILED;
  return entryOf(outcomes, outcome) ?? idle(outcome, '');
}

/** Everything that Gatehouse did not let through, and everything that went wrong behind it. */
const groups: readonly (readonly [value: string, label: string])[] = [
  [REFUSED, 'Refused, for any reason'],
  ['failed,upstream_failed,too_large,deadline', 'Failed, for any reason'],
];

/** What a filter can be set to. */
export const outcomeOptions: readonly (readonly [value: string, label: string])[] = [
  ...groups,
  ...Object.entries(outcomes).map(([value, { label }]) => [value, label] as const),
];
