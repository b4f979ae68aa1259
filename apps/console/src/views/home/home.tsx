import type { Overview as OverviewBody } from '@gatehouse/sdk';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Load } from '../../components/load.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { Overview } from './overview.tsx';
import { overviewQuery } from './queries.ts';

// The forms come with the steps, which most people never see.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const skeleton = <SkeletonText lines={5} />;

/** Four steps until a client has called once; then what needs attention. */
export function Home() {
  return (
    <Load isView query={useQuery(overviewQuery)} skeleton={skeleton}>
      {(overview) => <StepsOrOverview overview={overview} />}
    </Load>
  );
}

/** Members have steps for an application of theirs alone: all else is set up by admins. */
function StepsOrOverview({ overview }: { overview: OverviewBody }) {
  const { firstCallAt, applications } = overview;
  const isSetUp = useIsAdmin() || applications.total > 0;
  // The steps stay when the call comes, so that it is seen, until the person leaves them.
  const [hasSteps, setSteps] = useState(isSetUp && firstCallAt === null);
  if (!hasSteps) return <Overview overview={overview} />;
  return (
    <>
      <PageHead
        title="Set up Gatehouse"
        sentence="Four steps to the first call. Each one is done here."
      />
      <Panel>
        <Suspense fallback={skeleton}>
          <FirstSteps hasCalled={firstCallAt !== null} onDone={() => setSteps(false)} />
        </Suspense>
      </Panel>
    </>
  );
}
