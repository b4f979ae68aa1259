import { SignedOutContext } from '../../api/signed-out-context.ts';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { FormProblem, Problem } from '../../components/problem.tsx';
import { SignedOutNotice } from '../../components/signed-out-notice.tsx';
import { SkeletonRows, SkeletonText } from '../../components/skeleton.tsx';
import { missing, unavailable } from './samples.ts';
import { Specimen } from './specimen.tsx';

const LOADS = [
  { title: 'On its way', query: { data: undefined, error: null } },
  { title: 'Failed', query: { data: undefined, error: unavailable } },
  { title: 'Not there', query: { data: undefined, error: missing } },
  { title: 'Out of date', query: { data: 'What was read before', error: unavailable } },
  { title: 'Read', query: { data: 'What was read', error: null } },
] as const;

/** What is shown where there is nothing, nothing yet, or a problem. */
export function Waiting() {
  return (
    <>
      <Specimen of={['Load']}>
        {LOADS.map(({ title, query }) => (
          <Panel key={title} title={title}>
            <Load query={query} skeleton={<SkeletonText />}>
              {(words) => <p className="px-4 py-3">{words}</p>}
            </Load>
          </Panel>
        ))}
        <Load isView query={LOADS[3].query} skeleton={<SkeletonText />}>
          {() => <Panel title="A whole view that is out of date">{null}</Panel>}
        </Load>
      </Specimen>
      <Specimen of={['SkeletonRows', 'SkeletonText']}>
        <Panel title="Rows">
          <SkeletonRows />
        </Panel>
        <Panel title="Text">
          <SkeletonText lines={4} />
        </Panel>
      </Specimen>
      <Specimen of={['Empty']}>
        <Panel title="Empty">
          <Empty sentence="There is no integration yet." />
        </Panel>
        <Panel title="Empty, with what fills it">
          <Empty
            sentence="There is no integration yet."
            action={<Button>Add integration</Button>}
          />
        </Panel>
      </Specimen>
      <Specimen of={['Problem', 'FormProblem']}>
        <Panel title="Problem">
          <Problem error={unavailable} />
        </Panel>
        <Panel title="Problem, with what it means and the way to try again">
          <Problem
            error={unavailable}
            meaning="What is shown may be out of date."
            onRetry={() => undefined}
          />
        </Panel>
        <FormProblem error={unavailable} />
      </Specimen>
      <Specimen of={['SignedOutNotice']}>
        <SignedOutContext value={() => undefined}>
          <SignedOutNotice className="px-4" />
        </SignedOutContext>
      </Specimen>
    </>
  );
}
