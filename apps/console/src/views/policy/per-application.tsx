import { type IntegrationPolicyInput, limits } from '@gatehouse/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { messageWithin } from '../../api/problems.ts';
import { Button } from '../../components/button.tsx';
import { Tabs, tabClass } from '../../components/tabs.tsx';
import { useMe } from '../../shell/me.ts';
import { applicationDirectory } from '../directory.ts';
import { useNames } from '../use-names.ts';
import type { Typed } from './policy-form.tsx';

const PickerDialog = lazy(async () => ({
  default: (await import('./picker-dialog.tsx')).PickerDialog,
}));

interface PerApplicationProps {
  readonly policy: IntegrationPolicyInput;
  readonly errors: Typed['errors'];
  /** The application with the rules that are shown. */
  readonly chosen: string | undefined;
  readonly onChoose: (applicationId: string) => unknown;
}

/** Which rules of an integration are shown: those for every application, or the further ones for one. */
export function PerApplication({ policy, errors, chosen, onChoose }: PerApplicationProps) {
  const query = useQuery(applicationDirectory(useMe()));
  const [isPicking, setPicking] = useState(false);
  const nameOf = useNames();
  const named = Object.keys(policy.perApplication ?? {});
  const shown = chosen === undefined || named.includes(chosen) ? named : [...named, chosen];
  const places = [undefined, ...shown].map((id) => ({
    id,
    label: id === undefined ? 'Every application' : nameOf(id),
    isWrong: messageWithin(id === undefined ? baseOf(errors) : errors?.perApplication?.[id]),
  }));
  return (
    <div>
      <Tabs label="Rules for">
        {places.map(({ id, label, isWrong }) => (
          <Link
            key={id ?? 'every'}
            from="/integrations/$id/policy"
            search={(search) => ({ ...search, application: id })}
            replace
            activeOptions={{ exact: true }}
            aria-current={id === chosen ? 'page' : 'false'}
            className={`foreign ${tabClass}`}
          >
            {label}
            {isWrong !== undefined && <span className="text-bad">: needs correcting</span>}
          </Link>
        ))}
      </Tabs>
      <div className="flex flex-wrap items-center gap-3">
        <p className="flex-1 basis-60 text-ink-2">
          {chosen === undefined
            ? 'These rules apply to every application that uses the integration.'
            : 'These rules apply to one application, in addition to those for every application. Its owner cannot change them.'}
        </p>
        {shown.length < limits.policyApplications && (
          <Button size="small" onClick={() => setPicking(true)}>
            Add rules for one application
          </Button>
        )}
      </div>
      {isPicking && (
        <Suspense fallback={null}>
          <PickerDialog
            title="Rules for one application"
            of="applications"
            query={query}
            chosen={shown}
            onPick={(id) => {
              setPicking(false);
              onChoose(id);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The errors of the rules for every application. */
function baseOf(errors: Typed['errors']): Typed['errors'] {
  if (errors === undefined) return undefined;
  const { perApplication: _further, ...base } = errors;
  return base;
}
