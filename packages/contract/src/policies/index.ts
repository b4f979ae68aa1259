export {
  type CallLimits,
  type CallLimitsInput,
  callLimitsSchema,
} from './call-limits.schema.ts';
export {
  type IntegrationPolicy,
  type IntegrationPolicyInput,
  integrationPolicyResponseSchema,
  integrationPolicySchema,
  type NameRulesInput,
  type Policy,
  type PolicyInput,
  policyResponseSchema,
  policySchema,
  putIntegrationPolicyBodySchema,
  putPolicyBodySchema,
  type ToolRulesInput,
} from './policies.schema.ts';
