import type * as OidcProvider from 'oidc-provider';
import * as errorClasses from 'oidc-provider/lib/helpers/errors.js';
import * as policyClasses from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider as ProviderClass } from 'oidc-provider/lib/provider.js';

/*
 * oidc-provider past its index, which writes a notice to standard error on Node 20 at every start, also
 * of the commands. Types come from the index all the same.
 */

export const Provider: typeof OidcProvider.Provider = ProviderClass;
export const errors: typeof OidcProvider.errors = errorClasses;
export const interactionPolicy: typeof OidcProvider.interactionPolicy = policyClasses;
