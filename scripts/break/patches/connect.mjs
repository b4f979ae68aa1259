import { serverTest } from '../places.mjs';

const CONSENT = 'apps/server/src/authorization-server/consent';
const CONNECT = 'authorization-server/connect.test.ts';
const GIVE = 'connect/give-credential.test.ts';

export const connectPatches = [
  {
    name: 'connect-agreement-of-another',
    means: 'Who signs in with the browser of somebody who has agreed has agreed too.',
    file: `${CONSENT}/agreement.ts`,
    search: 'return data?.userId === person.userId ? data : undefined;',
    replace: 'return person && data;',
    test: serverTest(
      CONNECT,
      'between the pages > the agreement is that of one person: another one in this browser is asked',
    ),
  },
  {
    name: 'connect-joined-later',
    means: 'A grant covers what an admin attached after the person agreed.',
    file: `${CONSENT}/leave.ts`,
    search: 'const request = asAgreed(decision.request, agreement);',
    replace: 'const request = asAgreed && decision.request;',
    test: serverTest(
      CONNECT,
      'between the pages > what joins the application later is not agreed to',
    ),
  },
  {
    name: 'connect-secret-sent-back',
    means: 'A secret stands in the page that says what is wrong with it.',
    file: 'apps/server/src/connect-forms/credential-form.ts',
    search: 'value: isSecret ? undefined : (',
    replace: 'value: (',
    test: serverTest(
      CONNECT,
      'the form for a credential > says at the field what is wrong, and never sends a secret back',
    ),
  },
  {
    name: 'connect-another-host',
    means: 'A credential is stored for another host than the person saw.',
    file: 'apps/server/src/credentials/connect/give-credential.ts',
    search: 'if (found === null || askedFor(found) !== askedFor(integration)) return false;',
    replace: 'if (found === null) return false;',
    test: serverTest(GIVE, 'stores nothing for an integration that has another host by then'),
  },
  {
    name: 'connect-removed-member',
    means: 'A member who was removed while the form was read gets a connection.',
    file: 'apps/server/src/credentials/connect/lock-connectable.ts',
    search: 'if (members.length !== 1) {',
    replace: 'if (members.length > 1) {',
    test: serverTest(GIVE, 'stores nothing for somebody who is no member any more'),
  },
];
