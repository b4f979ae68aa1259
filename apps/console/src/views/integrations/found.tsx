import { authModeLabels, type ValidationStatus } from '@gatehouse/contract';
import type { DiscoverIntegrationResponse } from '@gatehouse/sdk';
import { entryOf, sentenceOf } from '../../api/labels.ts';
import { StatusShape, type Tone } from '../../components/status.tsx';
import { Ladder } from './ladder.tsx';

const TONES: Readonly<Record<ValidationStatus, Tone>> = {
  valid: 'ok',
  pending: 'ok',
  invalid: 'warn',
};

/** What a look at the URL has found, in a sentence, and its stages where something is wrong. */
export function Found({ url, found }: { url: string; found: DiscoverIntegrationResponse }) {
  const { status, message, stages, discovery, integration } = found;
  const isWrong = status === 'invalid';
  // The message says itself that a server asks for no credential.
  const hasCredential = integration?.authMode !== undefined && integration.authMode !== 'none';
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-[16px_1fr] gap-2">
        <span className="flex h-5 items-center">
          <StatusShape tone={entryOf(TONES, status) ?? 'warn'} />
        </span>
        <div className="min-w-0">
          <p className="foreign font-medium">{url}</p>
          <p className="foreign text-ink-2">
            {message}
            {discovery.provider !== null && ` Its provider is ${discovery.provider}.`}
            {hasCredential && ` ${sentenceOf(authModeLabels, integration.authMode)}`}
          </p>
          {isWrong && <p className="text-ink-2">You can still add it and fix it later.</p>}
        </div>
      </div>
      {isWrong && <Ladder stages={stages} />}
    </div>
  );
}
