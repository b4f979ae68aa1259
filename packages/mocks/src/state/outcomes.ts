import type {
  DiscoverIntegrationResponse,
  ValidateIntegrationResponse,
  ValidationStage,
} from '@gatehouse/contract';

interface OptionalStages {
  /** By default stages that fit the status. */
  readonly stages?: readonly ValidationStage[];
}

/** The result of a validation, or of a test of a connection, that a test has set. */
export type MockValidation = Omit<ValidateIntegrationResponse, 'stages'> & OptionalStages;

/** The result of looking at a URL that a test has set. */
export type MockDiscovery = Omit<DiscoverIntegrationResponse, 'stages'> & OptionalStages;

/** What happens when the link of an authorization is opened. */
export type ConnectOutcome =
  /** The user agrees at the provider. */
  | {
      readonly status: 'connected';
      readonly displayName?: string;
      /** RFC 3339. */
      readonly expiresAt?: string;
    }
  /** The user declines. */
  | { readonly status: 'denied' }
  /** The user has not decided yet: the link can be opened again. */
  | { readonly status: 'pending' };
