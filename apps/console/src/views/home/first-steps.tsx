import { useInfiniteQuery } from '@tanstack/react-query';
import { Load } from '../../components/load.tsx';
import { SkeletonText } from '../../components/skeleton.tsx';
import { useIsAdmin } from '../../shell/me.ts';
import { applicationsQuery } from '../applications/queries.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import { itemsOf } from '../pages.ts';
import { progressOf } from './progress.ts';
import { AddServer } from './step-add-server.tsx';
import { ChooseClient } from './step-choose-client.tsx';
import { ConnectAccount } from './step-connect-account.tsx';
import { type CallState, FirstCallStep } from './step-first-call.tsx';

/** From an empty installation to the first call, each step done here. */
export function FirstSteps(call: CallState) {
  const isAdmin = useIsAdmin();
  const integrations = useInfiniteQuery(integrationsQuery());
  const applications = useInfiniteQuery(applicationsQuery({ all: isAdmin || undefined }));
  const skeleton = <SkeletonText lines={5} />;
  return (
    <Load query={integrations} skeleton={skeleton}>
      {(integrationPages) => (
        <Load query={applications} skeleton={skeleton}>
          {(applicationPages) => {
            const progress = progressOf({
              integrations: itemsOf(integrationPages),
              applications: itemsOf(applicationPages),
            });
            return (
              <ol>
                <AddServer progress={progress} />
                <ChooseClient progress={progress} />
                <ConnectAccount progress={progress} />
                <FirstCallStep progress={progress} call={call} />
              </ol>
            );
          }}
        </Load>
      )}
    </Load>
  );
}
