import type { OauthError } from '../http/oauth-error.ts';
import type { Reply } from '../http/reply.ts';
import type { ProviderShape } from '../settings.ts';
import { githubAnswer, githubError } from './github.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { slackAnswer, slackError } from './slack.ts';
import { standardAnswer, standardError } from './standard.ts';

/** How a provider words its token responses. */
interface Shape {
  readonly answer: (tokens: IssuedTokens) => Reply;
  readonly error: (error: OauthError, grantType: string | null) => Reply;
}

/** The wording of each provider. */
export const SHAPES: Readonly<Record<ProviderShape, Shape>> = {
  standard: { answer: standardAnswer, error: standardError },
  google: { answer: standardAnswer, error: standardError },
  github: { answer: githubAnswer, error: githubError },
  slack: { answer: slackAnswer, error: slackError },
};
