import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { progressOf, type Setup } from './progress.ts';
import { AddServer } from './step-add-server.tsx';
import { ChooseClient } from './step-choose-client.tsx';
import { ConnectAccount } from './step-connect-account.tsx';
import { FirstCallStep } from './step-first-call.tsx';

/** From an empty installation to the first call, each step done here. */
export function FirstSteps(setup: Setup) {
  const progress = progressOf(setup);
  return (
    <>
      <PageHead
        title="Set up Gatehouse"
        sentence="Four steps to the first call. Each one is done here."
      />
      <Panel>
        <ol>
          <AddServer progress={progress} />
          <ChooseClient progress={progress} />
          <ConnectAccount progress={progress} />
          <FirstCallStep progress={progress} />
        </ol>
      </Panel>
    </>
  );
}
