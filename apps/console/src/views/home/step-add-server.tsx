import { authModeLabels } from '@gatehouse/contract';
import { useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/labels.ts';
import { useIsAdmin } from '../../shell/me.ts';
import { AddSteps } from '../integrations/add-steps.tsx';
import { validateNow } from '../integrations/use-validation.ts';
import type { Progress } from './progress.ts';
import { Step } from './step.tsx';

export function AddServer({ progress: { integration } }: { progress: Progress }) {
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  const sentence = isAdmin
    ? 'Paste its URL. Gatehouse usually finds out how people authenticate.'
    : 'An owner or admin of your organization adds it.';
  return (
    <Step
      number={1}
      state={integration === undefined ? 'now' : 'done'}
      title="Add an MCP server"
      sentence={
        integration === undefined
          ? sentence
          : `${integration.name}, ${integration.url}. ${integration.validationMessage ?? sentenceOf(authModeLabels, integration.authMode)}`
      }
    >
      {isAdmin && <AddSteps onCreated={({ id }) => void validateNow(queries, id)} />}
    </Step>
  );
}
