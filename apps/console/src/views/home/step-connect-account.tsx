import { ConnectButton } from '../connections/connect-button.tsx';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

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
          ? 'It does not need your account.'
          : isConnected && integration !== undefined
            ? `Your account at ${name} is connected.`
            : `Connect ${name} once. The client never sees the credential.`
      }
    >
      {integration !== undefined && <ConnectButton integration={integration} />}
    </Step>
  );
}
