import type { Application, Integration } from '@gatehouse/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { gatehouse } from '../../api/gatehouse.ts';
import { Logo } from '../../components/logo.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { applicationFor } from '../applications/application-for.ts';
import { type McpClient, mcpClients } from '../applications/clients.ts';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

const CHIP =
  'inline-flex h-8 items-center gap-2 rounded-6 border border-line bg-panel pr-3 pl-1.5 hover:bg-hover';

export function ChooseClient({ progress: { integration, application } }: { progress: Progress }) {
  const state = application !== undefined ? 'done' : integration === undefined ? 'later' : 'now';
  return (
    <Step
      number={2}
      state={state}
      title="Choose which application may use it"
      sentence={
        application === undefined
          ? 'An application is a program that may call: Claude, Cursor, or your own. Choose one, and it is made and may use the server.'
          : `${application.name} may use it.`
      }
    >
      {integration !== undefined && <Choices integration={integration} />}
    </Step>
  );
}

function Choices({ integration }: { integration: Integration }) {
  const queries = useQueryClient();
  // A client that was chosen again gets no second application.
  const [made, setMade] = useState<ReadonlyMap<string, Application>>(new Map());
  const make = useMutation({
    mutationFn: async (client: McpClient) => {
      let application = made.get(client.id);
      if (application === undefined) {
        const created = await gatehouse.applications.create(applicationFor(client));
        application = created.application;
        setMade(new Map(made).set(client.id, application));
      }
      await gatehouse.applications.integrations.attach(application.id, integration.id);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['applications'] }),
  });
  const halfMade = make.variables && made.get(make.variables.id);
  const meaning = halfMade && `${halfMade.name} is made. Choose it again to let it use the server.`;
  return (
    <div className="grid gap-3">
      {make.error !== null && <FormProblem error={make.error} meaning={meaning} />}
      <div className="flex flex-wrap gap-2">
        {mcpClients.map((client) => (
          <button
            key={client.id}
            type="button"
            disabled={make.isPending}
            onClick={() => make.mutate(client)}
            className={CHIP}
          >
            <Logo name={client.name} />
            {client.name}
          </button>
        ))}
        <Link to="/applications/new" className={CHIP}>
          <Logo name="··" />
          My own program
        </Link>
      </div>
      <p className="text-12 text-ink-2">
        These clients bring no client id, so the application lets clients in that are not registered
        here: every client that a member agrees to, in that member’s name.
      </p>
    </div>
  );
}
