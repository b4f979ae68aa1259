import type { TokenEndpointAuthMethod } from '@gatehouse/contract';
import type { ErrorCodes } from '../upstream-error.ts';

/** The provider's own call to end a token, instead of RFC 7009. It ends access tokens only. */
export interface RevocationCall {
  readonly method: 'POST' | 'DELETE';
  /** A path is of the issuer. `{clientId}` is replaced. */
  readonly url: string;
  /** What authenticates the call: the token itself, or the client by HTTP Basic. */
  readonly authentication: 'token' | 'client';
  /** The field of a JSON body that holds the token, if it is not sent as the authentication. */
  readonly field?: string;
}

/** A request with the access token that names its account. */
export interface ProfileCall {
  readonly method: 'GET' | 'POST';
  /** A path is of the issuer. */
  readonly url: string;
  /** Where the name is in the response: the first path that holds a text. */
  readonly paths: readonly string[];
}

/** A preset as the tables have it. */
export type PresetData = Omit<Preset, 'registration' | 'help'> & Partial<Pick<Preset, 'help'>>;

/** What differs at a provider from the standards, as data. */
export interface Preset {
  /** The value of `oauth.provider`, in lower case. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** What it is recognized by: hosts of its MCP servers, `*.` for any subdomain, and of its issuers. */
  readonly hosts: readonly string[];
  /**
   * Its issuers; `https://*.` stands for any subdomain. Endpoints and calls below are used only for
   * these issuers, so that a token goes only to the provider that issued it. The first is used where
   * neither the configuration nor the resource names one, if it has no `*`.
   */
  readonly issuers?: readonly string[];
  /** Used instead of the server's metadata, where that is missing, incomplete or of another flow. A path is of the issuer. */
  readonly endpoints?: {
    readonly authorization: string;
    readonly token: string;
    readonly revocation?: string;
    readonly userinfo?: string;
  };
  /** `static`: an admin creates an OAuth app there first. */
  readonly registration: 'automatic' | 'static';
  /** Default: a space. */
  readonly scopeSeparator?: ',';
  /** Scopes that are always requested, because nothing works for long without them. */
  readonly requiredScopes?: readonly string[];
  /** `S256`: it has it, though its metadata may not say so. `off`: not sent unless its metadata lists it. */
  readonly pkce?: 'S256' | 'off';
  /**
   * Whether `resource` is sent. `published`: only with a value that the resource's metadata gives.
   * `never`: its documentation has no such parameter, and scopes alone bound its tokens. Default: always.
   */
  readonly resource?: 'published' | 'never';
  /** Where the configuration does not name one. */
  readonly authMethod?: TokenEndpointAuthMethod;
  readonly authorizationParams?: Readonly<Record<string, string>>;
  /** For codes and refresh tokens. */
  readonly tokenParams?: Readonly<Record<string, string>>;
  /** Whether a refresh repeats the scopes. */
  readonly hasScopeInRefresh?: boolean;
  /** Where in the token response the token may be, with what belongs to it. */
  readonly tokenPath?: string;
  /** Where in the token response the name of the account is. */
  readonly accountPaths?: readonly string[];
  /** Errors that only this provider has. */
  readonly errors?: ErrorCodes;
  /** Errors that mean something else when a token is refreshed. */
  readonly refreshErrors?: ErrorCodes;
  readonly revocation?: RevocationCall;
  readonly profile?: ProfileCall;
  /** Pages for checking this entry, the provider's first. */
  readonly sources: readonly [string, ...string[]];
  readonly help: PresetHelp;
}

/** For the page about providers. */
export interface PresetHelp {
  /** Where an OAuth app is created. */
  readonly appsUrl?: string;
  /** The first steps, in sentences. */
  readonly setup?: string;
  /** Surprises, one sentence each. */
  readonly notes?: readonly string[];
}
