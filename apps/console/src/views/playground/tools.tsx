import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Answered } from './answered.tsx';
import { CallRefused, type ToolList } from './mcp/client.ts';
import { type Era, VERSIONS } from './mcp/messages.ts';
import { Tool } from './tool.tsx';
import { ToolPicker } from './tool-picker.tsx';
import { toolsQuery, useGateway } from './use-gateway.ts';

const route = getRouteApi('/playground');

/** The list beside what is chosen from it. */
const BESIDE = 'grid items-start gap-4 wide:grid-cols-[minmax(0,340px)_minmax(0,1fr)]';

interface ToolsProps {
  readonly mcpUrl: string;
  /** Of the integration. */
  readonly name: string;
  readonly era: Era | undefined;
}

/** The tools that the person may call, and the one that is chosen. */
export function Tools({ mcpUrl, name, era }: ToolsProps) {
  const gateway = useGateway(mcpUrl, era);
  const { data, error, isFetching, refetch } = useQuery(toolsQuery(gateway, mcpUrl, era));
  const { tool: chosen } = route.useSearch();
  const tool = data?.tools.find((each) => each.name === chosen);
  return (
    <div className={tool === undefined ? 'grid' : BESIDE}>
      <Panel
        title={
          <span className="foreign">
            Tools of <bdi>{name}</bdi>
          </span>
        }
        aside={data !== undefined && <Spoken list={data} isBusy={isFetching} onRead={refetch} />}
      >
        {data === undefined && error === null && <SkeletonRows rows={4} />}
        {error !== null && <Refused error={error} mcpUrl={mcpUrl} onRetry={() => void refetch()} />}
        {data?.tools.length === 0 && <Empty sentence="The server lists no tools for you." />}
        {data !== undefined && data.tools.length > 0 && <ToolPicker list={data} chosen={chosen} />}
      </Panel>
      {tool !== undefined && <Tool key={tool.name} gateway={gateway} tool={tool} mcpUrl={mcpUrl} />}
    </div>
  );
}

interface SpokenProps {
  readonly list: ToolList;
  readonly isBusy: boolean;
  readonly onRead: () => unknown;
}

function Spoken({ list, isBusy, onRead }: SpokenProps) {
  return (
    <span className="flex flex-wrap items-center gap-3">
      MCP {VERSIONS[list.era]}
      <Button size="small" isBusy={isBusy} onClick={() => onRead()}>
        List again
      </Button>
    </span>
  );
}

interface RefusedProps {
  readonly error: unknown;
  readonly mcpUrl: string;
  readonly onRetry: () => void;
}

/** Where there is no list: the answer that came instead, or why none came. */
function Refused({ error, mcpUrl, onRetry }: RefusedProps) {
  if (!(error instanceof CallRefused)) return <Problem error={error} onRetry={onRetry} />;
  return (
    <div className="grid gap-3 pb-4">
      <Answered exchange={error.exchange} mcpUrl={mcpUrl} />
      <div className="px-4">
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </div>
  );
}
