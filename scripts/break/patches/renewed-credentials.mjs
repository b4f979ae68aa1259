import { serverTest } from '../places.mjs';

const GATEWAY = 'apps/server/src/gateway';
const inRenewed = (name) => serverTest('gateway/renewed-credential.test.ts', name);

export const renewedCredentialsPatches = [
  {
    name: 'renewed-third-time',
    means: 'A call whose credential is rejected is sent over and over.',
    file: `${GATEWAY}/renew-credential.ts`,
    search: '(hasExpired ? MAX_RENEWALS : 1)',
    replace: '(hasExpired ? MAX_RENEWALS : 2)',
    test: inRenewed(
      'a call whose credential the upstream rejects > is sent no third time, and the connection says so',
    ),
  },
  {
    name: 'renewed-expired-on-the-way',
    means: 'A person is told to connect again because a token expired while a call was on its way.',
    file: `${GATEWAY}/renew-credential.ts`,
    search: "if (hasExpired) return { kind: 'unavailable', reason: 'refresh_failed' };",
    replace: '',
    test: inRenewed(
      'a call whose credential the upstream rejects > is sent again while each expires on the way, and nothing is recorded',
    ),
  },
  {
    name: 'renewed-forever',
    means: 'A call whose tokens keep expiring on the way never ends.',
    file: `${GATEWAY}/renew-credential.ts`,
    search: '(hasExpired ? MAX_RENEWALS : 1)',
    replace: '(hasExpired ? 5 : 1)',
    test: inRenewed(
      'a call whose credential the upstream rejects > is sent again while each expires on the way, and nothing is recorded',
    ),
  },
  {
    name: 'renewed-unsaid',
    means: 'A connection whose credential is rejected for good looks healthy.',
    file: `${GATEWAY}/renew-credential.ts`,
    search: 'credentials.reportRejected(connectionId);',
    replace: "if (connectionId === '') credentials.reportRejected(connectionId);",
    test: inRenewed(
      'a call whose credential the upstream rejects > is sent no third time, and the connection says so',
    ),
  },
  {
    name: 'renewed-for-want-of-permission',
    means: 'A person is told to connect again because their account may do too little.',
    file: 'apps/server/src/credentials/probe/prober.ts',
    search: "finding.kind === 'unauthorized' && finding.status === 401",
    replace: "finding.kind === 'unauthorized' && finding.status >= 401",
    test: serverTest(
      'credentials/probe/stages.test.ts',
      'a connection that the server rejects > is kept as it is where only a permission is missing',
    ),
  },
];
