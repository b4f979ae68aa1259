import { authorizationServerPatches } from './patches/authorization-server.mjs';
import { clientsPatches } from './patches/clients.mjs';
import { connectPatches } from './patches/connect.mjs';
import { connectAccountsPatches } from './patches/connect-accounts.mjs';
import { connectServerPatches } from './patches/connect-server.mjs';
import { contractPatches } from './patches/contract.mjs';
import { credentialsPatches } from './patches/credentials.mjs';
import { deployPatches } from './patches/deploy.mjs';
import { egressPatches } from './patches/egress.mjs';
import { externalSignInPatches } from './patches/external-sign-in.mjs';
import { gatewayPatches } from './patches/gateway.mjs';
import { grantsPatches } from './patches/grants.mjs';
import { httpPatches } from './patches/http.mjs';
import { keysPatches } from './patches/keys.mjs';
import { mocksPatches } from './patches/mocks.mjs';
import { observabilityPatches } from './patches/observability.mjs';
import { platformPatches } from './patches/platform.mjs';
import { renewedCredentialsPatches } from './patches/renewed-credentials.mjs';
import { resourcesPatches } from './patches/resources.mjs';
import { revocationsPatches } from './patches/revocations.mjs';
import { sdkPatches } from './patches/sdk.mjs';
import { sessionsPatches } from './patches/sessions.mjs';
import { signInPatches } from './patches/sign-in.mjs';
import { structurePatches } from './patches/structure.mjs';
import { tokenAnswersPatches } from './patches/token-answers.mjs';
import { tokenLifePatches } from './patches/token-life.mjs';
import { transferPatches } from './patches/transfer.mjs';
import { upstreamOauthPatches } from './patches/upstream-oauth.mjs';
import { validateStagesPatches } from './patches/validate-stages.mjs';

/**
 * Every patch: its name, the file it breaks, a text that occurs there exactly once, its replacement,
 * what that would mean for a user, and the test that must fail.
 */
export const patches = [
  ...contractPatches,
  ...sdkPatches,
  ...mocksPatches,
  ...httpPatches,
  ...resourcesPatches,
  ...grantsPatches,
  ...connectPatches,
  ...connectAccountsPatches,
  ...connectServerPatches,
  ...sessionsPatches,
  ...gatewayPatches,
  ...credentialsPatches,
  ...tokenLifePatches,
  ...revocationsPatches,
  ...renewedCredentialsPatches,
  ...upstreamOauthPatches,
  ...tokenAnswersPatches,
  ...validateStagesPatches,
  ...transferPatches,
  ...deployPatches,
  ...keysPatches,
  ...egressPatches,
  ...signInPatches,
  ...authorizationServerPatches,
  ...clientsPatches,
  ...externalSignInPatches,
  ...observabilityPatches,
  ...platformPatches,
  ...structurePatches,
];
