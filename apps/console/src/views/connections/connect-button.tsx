import type { Integration } from '@gatehouse/sdk';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useAuthorize } from './authorize.ts';

const CredentialDialog = lazy(async () => ({
  default: (await import('./credential-dialog.tsx')).CredentialDialog,
}));

/** Connects the person's account: at the provider, or by what they enter in a dialog. */
export function ConnectButton({ integration }: { integration: Integration }) {
  const [isEntering, setEntering] = useState(false);
  const authorize = useAuthorize(integration);
  const connect = () => (integration.authMode === 'oauth' ? authorize.mutate() : setEntering(true));
  const isAgain = integration.userConnection?.reason !== undefined;
  return (
    <>
      <Button look="primary" isBusy={authorize.isPending} onClick={connect}>
        {isAgain ? 'Connect again' : 'Connect'}
      </Button>
      <Suspense fallback={null}>
        {isEntering && (
          <CredentialDialog integration={integration} onClose={() => setEntering(false)} />
        )}
      </Suspense>
    </>
  );
}
