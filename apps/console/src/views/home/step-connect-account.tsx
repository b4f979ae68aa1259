import type { Integration } from '@gatehouse/sdk';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useAuthorize } from '../connections/authorize.ts';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

const CredentialDialog = lazy(async () => ({
  default: (await import('../connections/credential-dialog.tsx')).CredentialDialog,
}));

export function ConnectAccount({ progress }: { progress: Progress }) {
  const { integration, application, isConnected } = progress;
  const isNeeded = integration?.userConnection !== undefined;
  const state = integration !== undefined && isConnected ? 'done' : application ? 'now' : 'later';
  const name = integration?.name ?? 'the server';
  return (
    <Step
      number={3}
      state={state}
      title="Connect your account"
      sentence={
        integration !== undefined && !isNeeded
          ? 'It needs no account of yours.'
          : isConnected && integration !== undefined
            ? `Your account at ${name} is connected.`
            : `Connect ${name} once. The client never sees the credential.`
      }
    >
      {integration !== undefined && <ConnectButton integration={integration} />}
    </Step>
  );
}

function ConnectButton({ integration }: { integration: Integration }) {
  const [isEntering, setEntering] = useState(false);
  const authorize = useAuthorize(integration);
  const connect = () => (integration.authMode === 'oauth' ? authorize.mutate() : setEntering(true));
  return (
    <>
      <Button look="primary" isBusy={authorize.isPending} onClick={connect}>
        Connect
      </Button>
      <Suspense fallback={null}>
        {isEntering && (
          <CredentialDialog integration={integration} onClose={() => setEntering(false)} />
        )}
      </Suspense>
    </>
  );
}
