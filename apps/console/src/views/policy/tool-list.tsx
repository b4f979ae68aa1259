import type { PolicyInput, PolicyLevel } from '@gatehouse/contract';
import type { Tool } from '@gatehouse/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar, FilterToggle } from '../../components/filter-bar.tsx';
import { Load } from '../../components/load.tsx';
import { MorePages } from '../../components/more-pages.tsx';
import { Mono, Tag } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { toolsQuery } from '../integrations/queries.ts';
import { itemsOf } from '../pages.ts';
import { type ToolStep, toolStepOf } from './tool-step.ts';
import { VerdictStatus } from './verdict-status.tsx';
import { judgeTool, type Verdict } from './verdicts.ts';

interface ToolListProps {
  readonly integrationId: string;
  /** Of all rules, as they are typed. */
  readonly levels: readonly PolicyLevel[];
  /** As they are stored. */
  readonly before: readonly PolicyLevel[];
  /** At the place that is edited. */
  readonly rules: NonNullable<PolicyInput['tools']>;
  readonly onChange: (rules: NonNullable<PolicyInput['tools']>) => void;
  readonly isRefusedOnly: boolean;
  readonly onRefusedOnly: (isOn: boolean) => void;
}

/** The tools that are known of an integration, what the rules say of each while they are typed, and a click that changes it. */
export function ToolList(props: ToolListProps) {
  const { integrationId, levels, before, rules, onChange, isRefusedOnly, onRefusedOnly } = props;
  const query = useInfiniteQuery(toolsQuery(integrationId));
  return (
    <Panel title="What it means for its tools">
      <Load query={query} skeleton={<SkeletonRows rows={4} />}>
        {(data) => {
          const judged = itemsOf(data).map((tool) => ({ tool, verdict: judgeTool(levels, tool) }));
          if (judged.length === 0) return <NoTools integrationId={integrationId} />;
          const refused = judged.filter(({ verdict }) => verdict.is === 'refused');
          const allowed = judged.filter(({ verdict }) => verdict.is === 'allowed');
          return (
            <>
              <FilterBar>
                <output className="text-ink-2 tabular-nums">
                  {allowed.length} of {judged.length} allowed
                </output>
                <span className="ml-auto">
                  <FilterToggle isOn={isRefusedOnly} onChange={onRefusedOnly}>
                    Refused {refused.length}
                  </FilterToggle>
                </span>
              </FilterBar>
              {isRefusedOnly && refused.length === 0 && <Empty sentence="No tool is refused." />}
              <ul>
                {(isRefusedOnly ? refused : judged).map(({ tool, verdict }) => (
                  <ToolLine
                    key={tool.name}
                    tool={tool}
                    verdict={verdict}
                    isChanged={judgeTool(before, tool).is !== verdict.is}
                    step={toolStepOf(rules, tool.name)}
                    onStep={(step) => onChange({ ...rules, ...step.rules })}
                  />
                ))}
              </ul>
              <MorePages query={query} loaded={judged.length} of="tools" isSearchOfAll={false} />
            </>
          );
        }}
      </Load>
    </Panel>
  );
}

interface ToolLineProps {
  readonly tool: Tool;
  readonly verdict: Verdict;
  /** Whether it differs from what holds now. */
  readonly isChanged: boolean;
  readonly step: ToolStep | undefined;
  readonly onStep: (step: ToolStep) => void;
}

function ToolLine({ tool, verdict, isChanged, step, onStep }: ToolLineProps) {
  const { name, readOnly } = tool;
  return (
    <li
      className={`flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 ${isChanged ? 'bg-accent-soft' : ''}`}
    >
      <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          <Mono>{name}</Mono>
          {readOnly && <Tag>Says it only reads</Tag>}
          {isChanged && <Tag>Not saved</Tag>}
        </span>
        <VerdictStatus verdict={verdict} />
      </div>
      {step !== undefined && (
        <Button size="small" className="max-w-full" onClick={() => onStep(step)}>
          <span className="truncate">{step.label}</span>
          <span className="sr-only"> for {name}</span>
        </Button>
      )}
    </li>
  );
}

function NoTools({ integrationId }: { integrationId: string }) {
  return (
    <Empty
      sentence="No tools are known yet. They are kept whenever a client lists them, and by a validation."
      action={
        <Link to="/integrations/$id" params={{ id: integrationId }} className={buttonClass()}>
          Go to the integration
        </Link>
      }
    />
  );
}
