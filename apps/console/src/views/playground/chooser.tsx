import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Field, inputClass } from '../../components/field.tsx';
import { VERSIONS } from './mcp/messages.ts';
import { ALL } from './search.ts';

const route = getRouteApi('/playground');

interface Named {
  readonly id: string;
  readonly name: string;
}

interface ChooserProps {
  readonly applications: readonly Named[];
  /** Undefined while they are not known. */
  readonly integrations: readonly Named[] | undefined;
  /** Whether all of them can be called by one URL. */
  readonly hasOneUrl: boolean;
}

const ERAS = {
  '': 'Newest the server supports',
  modern: `${VERSIONS.modern}, without sessions`,
  legacy: `${VERSIONS.legacy}, with sessions`,
} as const;

const ALL_OF_THEM: Named = { id: ALL, name: 'All of them, through one URL' };

/** Through which application, which integration, and how. The choice is in the URL. */
export function Chooser({ applications, integrations, hasOneUrl }: ChooserProps) {
  const { application, integration, kind, era } = route.useSearch();
  const navigate = useNavigate({ from: '/playground' });
  return (
    <div className="grid gap-4 px-4 py-3 wide:grid-cols-3">
      <Choice
        label="Application"
        options={applications}
        value={application}
        onChange={(id) => void navigate({ search: { application: id, era, kind } })}
      />
      <Choice
        label="Integration"
        options={hasOneUrl ? [ALL_OF_THEM, ...(integrations ?? [])] : (integrations ?? [])}
        value={integration}
        onChange={(id) => void navigate({ search: { application, era, kind, integration: id } })}
      />
      <Field label="MCP version">
        {(control) => (
          <select
            {...control}
            value={era ?? ''}
            className={inputClass}
            onChange={({ target: { value } }) => {
              const chosen = value === 'modern' || value === 'legacy' ? value : undefined;
              void navigate({ search: (before) => ({ ...before, era: chosen }) });
            }}
          >
            {Object.entries(ERAS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly Named[];
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

function Choice({ label, options, value, onChange }: ChoiceProps) {
  const isKnown = options.some(({ id }) => id === value);
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={isKnown ? value : ''}
          className={inputClass}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        >
          <option value="">Choose</option>
          {options.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
