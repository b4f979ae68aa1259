import type { JsonObject } from '@gatehouse/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Scroller } from '../../components/scroller.tsx';
import { Answered } from './answered.tsx';
import { ToolForm } from './form/tool-form.tsx';
import { shortened } from './limits.ts';
import type { GatewayClient } from './mcp/client.ts';
import type { ListedTool } from './mcp/tools.ts';

interface ToolProps {
  readonly gateway: GatewayClient;
  readonly tool: ListedTool;
  readonly mcpUrl: string;
}

/** One tool: its arguments, and below them what it answered. */
export function Tool({ gateway, tool, mcpUrl }: ToolProps) {
  const leaving = useLeaving();
  const call = useMutation({
    mutationFn: (args: JsonObject) => gateway.callTool(tool, args, leaving()),
  });
  return (
    <div className="grid gap-4">
      <Panel title={<span className="foreign font-mono text-12">{tool.name}</span>}>
        {tool.description !== undefined && (
          <div className="px-4 pt-3">
            <Scroller text={shortened(tool.description).text} label="Its description" />
          </div>
        )}
        <ToolForm tool={tool} isBusy={call.isPending} onCall={call.mutate} />
      </Panel>
      <div aria-live="polite" className="empty:hidden">
        {call.isPending && <p className="text-ink-2">Waiting for the answer.</p>}
        {call.error !== null && (
          <Panel>
            <Problem error={call.error} />
          </Panel>
        )}
        {call.data !== undefined && (
          <Panel title="Answer">
            <Answered exchange={call.data} mcpUrl={mcpUrl} />
          </Panel>
        )}
      </div>
    </div>
  );
}

/** A signal that aborts a call when its tool is left: nobody waits for the answer then. */
function useLeaving(): () => AbortSignal {
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  return () => {
    controller.current = new AbortController();
    return controller.current.signal;
  };
}
