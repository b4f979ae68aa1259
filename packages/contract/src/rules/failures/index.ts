export { authorizationFailures } from './authorization-failures.ts';
export { credentialFailures } from './credential-failures.ts';
export {
  clauseOf,
  type Failure,
  type FailureActor,
  failuresOf,
  hintOf,
} from './failure.ts';
export { serverFailures } from './server-failures.ts';
export { stageSentence, stageSentences } from './stage-sentences.ts';
export { stageFailure } from './stages.ts';
