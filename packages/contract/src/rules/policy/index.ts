export { type CallLimitRules, keptLimits } from './call-limits.ts';
export {
  type CompletionReference,
  decideMethod,
  type PolicyRequest,
} from './decide-method.ts';
export { decideName } from './decide-name.ts';
export { decidePeople, type PolicyCaller } from './decide-people.ts';
export { decideTemplate, isExpansionOf } from './decide-template.ts';
export {
  decideTool,
  type PinState,
  type ToolFacts,
  UNKNOWN_TOOL,
} from './decide-tool.ts';
export { matches } from './pattern.ts';
export { policyMessage, policyReasonSentences } from './policy-reasons.ts';
export {
  type IntegrationPolicyRules,
  ownPolicyReferenceMessages,
  type PolicyReference,
  type PolicyReferenceKind,
  policyReferenceMessages,
  policyReferencesOf,
} from './policy-references.ts';
export {
  hasDefinitionRules,
  hasNameRules,
  hasPeopleRules,
  hasRulesOf,
  type NameKind,
  type NameRules,
  nameKinds,
  type PolicyLevel,
  type PolicyRules,
  type ToolPin,
  type ToolRules,
  toolPins,
} from './policy-rules.ts';
