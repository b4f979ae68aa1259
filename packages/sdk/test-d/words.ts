// The words the SDK suggests are exactly those of the contract. Reads accept others besides them,
// so only these pins notice a word that was added to the contract.
import type * as contract from '@gatehouse/contract';
import type * as sdk from '@gatehouse/sdk';
import type { Assert, Equals } from './equality.ts';

export type Pins = [
  Assert<Equals<sdk.AccessGraphUse, contract.AccessGraphUse>>,
  Assert<Equals<sdk.AggregateListState, contract.AggregateListState>>,
  Assert<Equals<sdk.LeftOutReason, contract.LeftOutReason>>,
  Assert<Equals<sdk.ProblemCode, contract.ProblemCode>>,
  Assert<Equals<sdk.IntegrationCategory, contract.IntegrationCategory>>,
  Assert<Equals<sdk.AuthMode, contract.AuthMode>>,
  Assert<Equals<sdk.ValidationStatus, contract.ValidationStatus>>,
  Assert<Equals<sdk.ConnectionStatus, contract.ConnectionStatus>>,
  Assert<Equals<sdk.ConnectionReason, contract.ConnectionReason>>,
  Assert<Equals<sdk.RevocationStatus, contract.RevocationStatus>>,
  Assert<Equals<sdk.ValidationStageName, contract.ValidationStageName>>,
  Assert<Equals<sdk.StageStatus, contract.StageStatus>>,
  Assert<Equals<sdk.StageCode, contract.StageCode>>,
  Assert<Equals<sdk.ClientType, contract.ClientType>>,
  Assert<Equals<sdk.AccessPolicyReasonCode, contract.AccessPolicyReasonCode>>,
  Assert<Equals<sdk.PolicyReasonCode, contract.PolicyReasonCode>>,
  Assert<Equals<sdk.MemberRole, contract.MemberRole>>,
  Assert<Equals<sdk.AuthenticationMethod, contract.AuthenticationMethod>>,
  Assert<Equals<sdk.TokenScope, contract.TokenScope>>,
  Assert<Equals<sdk.AuditEventKind, contract.AuditEventKind>>,
  Assert<Equals<sdk.AuditActorKind, contract.AuditActorKind>>,
  Assert<Equals<sdk.AuditVerdict, contract.AuditVerdict>>,
  Assert<Equals<sdk.SessionEra, contract.SessionEra>>,
  Assert<Equals<sdk.SessionKind, contract.SessionKind>>,
  Assert<Equals<sdk.SessionState, contract.SessionState>>,
  Assert<Equals<sdk.ClientRegistration, contract.ClientRegistration>>,
  Assert<Equals<sdk.TokenEndpointAuthMethod, contract.TokenEndpointAuthMethod>>,
];
