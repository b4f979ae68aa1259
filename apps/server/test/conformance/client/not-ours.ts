/**
 * Scenarios of extensions that Gatehouse does not have, and why. The tool runs them without scoring them;
 * 0.1.16 makes no difference.
 */
export const NOT_OURS: Readonly<Record<string, string>> = {
  'auth/client-credentials-basic':
    'connections are of people; a shared credential is a server token',
  'auth/client-credentials-jwt': 'connections are of people; a shared credential is a server token',
  'auth/cross-app-access-complete-flow':
    'people sign in without an ID token that we could exchange',
  'auth/enterprise-managed-authorization':
    'people sign in without an ID token that we could exchange',
  'auth/dpop': 'tokens that are bound to a key are refused',
  'auth/dpop-nonce': 'tokens that are bound to a key are refused',
  'auth/wif-jwt-bearer': 'connections are of people, not of a workload',
};
