import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './imports.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Functions that announce a change of a member, application, integration, connection, token or grant and record no event, and why. */
const RECORD_NOTHING: Readonly<Record<string, string>> = {
  'credentials/connection-reports.ts writeVerdicts':
    'What calls say about a credential grows with traffic.',
  'credentials/disconnect.ts disconnectEveryone':
    'The integration.updated of the caller, which removes the OAuth configuration.',
  'catalogue/write-sightings.ts writePart': 'What an upstream lists gives nobody anything.',
  'credentials/oauth/refresh/record.ts announce': 'recordEnd records before it announces.',
  'credentials/oauth/refresh/record.ts recordFailure': 'The connection stays as it was.',
  'credentials/oauth/refresh/record.ts recordTokens': 'Renewed tokens grow with traffic.',
  'credentials/want-scopes.ts wantScopes': 'Scopes that a call lacked give nobody anything.',
  'eras/write-eras.ts writeEras': 'What an upstream says of itself gives nobody anything.',
  'identity/browser-sessions.ts deleteBrowserSession':
    'Its callers record that the person signs out, or in again.',
  'identity/browser-sessions.ts deleteBrowserSessionsOf':
    'The caller knows what happened; signing out everywhere gives nobody anything.',
  'identity/grants/end-grant.ts announceEnded':
    'The application event of the caller: grants end with what they rest on.',
  'resources/members/service.ts endInvitations':
    'The member.updated of the caller: a promotion ends invitations.',
  'sessions/revocation.ts revoke': 'The caller knows what happened.',
  'sessions/revocation.ts revokeSessionsOfToken': 'The caller knows what happened.',
  'sessions/revocation.ts revokeAndCount': 'The caller knows what happened.',
};

const FUNCTION = /^(?:export )?(?:async )?function (\w+)[\s\S]*?^}/gm;
const ANNOUNCES = /\bannounce\(/;
const OTHER_KIND = /\bannounce\([^;]*?\bkind: '(?:session|revocation)'/g;

function announcingWithoutEvent(): string[] {
  return filesIn(src).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(FUNCTION)]
      .filter(([text]) => ANNOUNCES.test(text.replaceAll(OTHER_KIND, '')))
      .filter(([text]) => !/\brecord\(/.test(text))
      .map(([, name]) => `${relative(src, path)} ${name}`),
  );
}

it('a function that announces a change records an event, or the list says why not', () => {
  expect(announcingWithoutEvent().sort()).toEqual(Object.keys(RECORD_NOTHING).sort());
});
