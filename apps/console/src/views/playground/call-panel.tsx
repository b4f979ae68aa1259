import type { JsonObject } from '@gatehouse/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Scroller } from '../../components/scroller.tsx';
import { Answered } from './answered.tsx';
import { CallForm } from './form/call-form.tsx';
import { shortened } from './limits.ts';
import type { GatewayClient } from './mcp/client.ts';
import type { Listed } from './mcp/listed.ts';
import type { Target } from './target.ts';

interface CallPanelProps {
  readonly gateway: GatewayClient;
  readonly listed: Listed;
  readonly target: Target;
}

/** One tool, prompt or resource: its arguments, and below them what it answered. */
export function CallPanel({ gateway, listed, target }: CallPanelProps) {
  const leaving = useLeaving();
  const call = useMutation({
    mutationFn: (args: JsonObject) => gateway.call(listed, args, leaving()),
  });
  return (
    <div className="grid gap-4">
      <Panel title={<span className="foreign font-mono text-12">{listed.name}</span>}>
        {listed.description !== undefined && (
          <div className="px-4 pt-3">
            <Scroller text={shortened(listed.description).text} label="Its description" />
          </div>
        )}
        <CallForm listed={listed} isBusy={call.isPending} onCall={call.mutate} />
      </Panel>
      <div aria-live="polite" className="empty:hidden">
        {call.isPending && <p className="text-ink-2">Waiting for the response.</p>}
        {call.error !== null && (
          <Panel>
            <Problem error={call.error} />
          </Panel>
        )}
        {call.data !== undefined && (
          <Panel title="Response">
            <Answered exchange={call.data} target={target} />
          </Panel>
        )}
      </div>
    </div>
  );
}

/** A signal that aborts a call when it is left: nobody waits for the answer then. */
function useLeaving(): () => AbortSignal {
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current = new AbortController();
    return controller.current.signal;
  };
}
