import { Mono, Pair, Pairs } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { Secret } from './secret.tsx';
import { SettingsForm } from './settings-form.tsx';
import type { ApplicationRead } from './use-saving.ts';

interface SettingsProps {
  readonly read: ApplicationRead;
  readonly isReadOnly: boolean;
}

/** What the OAuth client of an application is, and how to change it. */
export function Settings({ read, isReadOnly }: SettingsProps) {
  const { application } = read;
  const { id, oauth, createdAt, updatedAt } = application;
  return (
    <div className="grid items-start gap-4 wide:grid-cols-[minmax(0,1.6fr)_minmax(280px,1fr)]">
      {!isReadOnly && <SettingsForm read={read} />}
      <Panel title="OAuth client">
        <Pairs>
          <Pair name="Client id">
            <Mono>{id}</Mono>
          </Pair>
          {oauth !== null && (
            <>
              <Pair name="Secret">
                <Secret application={application} oauth={oauth} isReadOnly={isReadOnly} />
              </Pair>
              <Pair name="Scopes">
                <Mono>{oauth.scopes.join(' ')}</Mono>
              </Pair>
              <Pair name="PKCE">
                {oauth.pkceRequired || oauth.type === 'public' ? 'Required' : 'Not required'}
              </Pair>
            </>
          )}
          <Pair name="Made">
            <Time at={createdAt} />
          </Pair>
          <Pair name="Changed">
            <Time at={updatedAt} />
          </Pair>
        </Pairs>
      </Panel>
    </div>
  );
}
