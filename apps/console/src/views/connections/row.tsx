import type { Connection, Integration } from '@gatehouse/sdk';
import type { Ref } from 'react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Logo } from '../../components/logo.tsx';
import { hostOf } from '../integrations/status.tsx';
import { useAuthorize } from './authorize.ts';
import { CredentialDialog } from './credential-dialog.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { ConnectionSentence, ConnectionStatus, isWorking } from './state.tsx';
import { TestButton } from './test-button.tsx';

interface ConnectionRowProps {
  readonly ref: Ref<HTMLLIElement> | undefined;
  readonly integration: Integration;
  readonly connection: Connection;
  /** Whether a link led here for this one. */
  readonly isAsked: boolean;
}

/** One integration, the person's connection to it, and what can be done about it. */
export function ConnectionRow({ ref, integration, connection, isAsked }: ConnectionRowProps) {
  const { name, url, authMode } = integration;
  const [isEntering, setEntering] = useState(isAsked && authMode === 'user_token');
  const [isLeaving, setLeaving] = useState(false);
  const authorize = useAuthorize(integration);
  const connect = () => (authMode === 'oauth' ? authorize.mutate() : setEntering(true));
  const works = isWorking(connection);
  return (
    <li
      ref={ref}
      className={`grid gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 last:border-b-0 wide:grid-cols-[minmax(0,1fr)_130px_300px] wide:items-center ${isAsked ? 'bg-accent-soft' : ''}`}
    >
      <div className="flex min-w-0 items-center gap-2.5">
        <Logo name={name} />
        <div className="min-w-0">
          <h3 className="foreign line-clamp-2 font-medium">{name}</h3>
          <p className="foreign flex flex-wrap gap-x-2 text-12 text-ink-2">
            <span className="text-ink-3">{hostOf(url)}</span>
            <span>
              <ConnectionSentence connection={connection} />
            </span>
          </p>
        </div>
      </div>
      <ConnectionStatus connection={connection} />
      <div className="flex flex-wrap items-center gap-2 wide:justify-end">
        {connection.connected && (
          <>
            <TestButton integration={integration} />
            <Button
              size="small"
              look="plain"
              aria-label={`Disconnect ${name}`}
              onClick={() => setLeaving(true)}
            >
              Disconnect
            </Button>
          </>
        )}
        {!(works && authMode === 'oauth') && (
          <Button
            size="small"
            look={isAsked && !works ? 'primary' : 'secondary'}
            aria-label={`${labelOf(works, connection)} ${name}`}
            isBusy={authorize.isPending}
            onClick={connect}
          >
            {labelOf(works, connection)}
          </Button>
        )}
      </div>
      {isEntering && (
        <CredentialDialog integration={integration} onClose={() => setEntering(false)} />
      )}
      {isLeaving && (
        <DisconnectDialog integration={integration} onClose={() => setLeaving(false)} />
      )}
    </li>
  );
}

function labelOf(works: boolean, { reason }: Connection): string {
  if (works) return 'Replace';
  return reason === undefined ? 'Connect' : 'Connect again';
}
