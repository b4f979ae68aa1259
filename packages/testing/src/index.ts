export type {
  AuthMethod,
  ProviderClient,
  ProviderClientOptions,
} from './identity-provider/clients/client.ts';
export type {
  ActiveFault,
  FaultAfter,
  FaultBefore,
  FaultOptions,
  ProviderFault,
} from './identity-provider/faults/fault.ts';
export type { GrantEnd, ProviderGrant } from './identity-provider/grants/grant.ts';
export type {
  ProviderEndpoint,
  ProviderRequest,
} from './identity-provider/http/provider-request.ts';
export type { JsonObject } from './identity-provider/http/reply.ts';
export type {
  Decision,
  IdentityProvider,
  IssuedByTest,
  IssueOptions,
  ProviderCounts,
  TokenVerifier,
  VerifiedToken,
} from './identity-provider/identity-provider.ts';
export type {
  DiscoveryForm,
  IdTokenSignature,
  ProviderSettings,
  ProviderShape,
  ProviderUser,
} from './identity-provider/settings.ts';
export {
  type IdentityProviderOptions,
  startIdentityProvider,
} from './identity-provider/start-identity-provider.ts';
export type { ListenOptions } from './listen.ts';
export type { RecordedRequest, Recording } from './recording.ts';
export type { Exchange, ScriptedResponse } from './scripted-upstream/exchange.ts';
export type { SseEvent } from './scripted-upstream/sse.ts';
export {
  type ExchangeHandler,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream/start-scripted-upstream.ts';
export type {
  ResourceMetadataPlace,
  UpstreamCall,
  UpstreamOauthOptions,
} from './upstream/oauth/options.ts';
export { startUpstream, type Upstream, type UpstreamOptions } from './upstream/start-upstream.ts';
