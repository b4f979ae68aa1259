import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Load } from '../../components/load.tsx';
import { Panel } from '../../components/panel.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { applicationsQuery } from '../applications/queries.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import { itemsOf } from '../pages.ts';
import { Overview } from './overview.tsx';

// The forms come with the steps, which most people never see.
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));

/** Four steps until a client has called once; then what needs attention. */
export function Home() {
  const isAdmin = useIsAdmin();
  const integrations = useInfiniteQuery(integrationsQuery());
  const applications = useInfiniteQuery(applicationsQuery({ all: isAdmin || undefined }));
  const skeleton = <SkeletonText lines={5} />;
  return (
    <Load isView query={integrations} skeleton={skeleton}>
      {(integrationPages) => (
        <Load isView query={applications} skeleton={skeleton}>
          {(applicationPages) => {
            const both = {
              integrations: itemsOf(integrationPages),
              applications: itemsOf(applicationPages),
            };
            const isUsed = both.applications.some(({ totalSessionCount }) => totalSessionCount > 0);
            return isUsed ? (
              <Overview {...both} />
            ) : (
              <Suspense fallback={<Panel>{skeleton}</Panel>}>
                <FirstSteps {...both} />
              </Suspense>
            );
          }}
        </Load>
      )}
    </Load>
  );
}
