import {
  keySourceLabels,
  limitLabels,
  signInWayLabels,
  storeKindLabels,
} from '@gatehouse/contract';
import type { Installation } from '@gatehouse/sdk';
import type { ReactNode } from 'react';
import { labelOf, sentenceOf } from '../../api/labels.ts';
import { Mono, Pair, Pairs } from '../../components/pairs.tsx';
import { Panel } from '../../components/panel.tsx';
import { Status } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { amountOf } from './amount.ts';
import { ChangedBy, Setting } from './setting.tsx';

interface PartProps {
  readonly installation: Installation;
}

export function Versions({ installation }: PartProps) {
  const { versions, publicUrl, logLevel, settings } = installation;
  return (
    <Panel title="Versions" aside={<ChangedBy settings={settings} of="versions" what="Versions" />}>
      <Pairs>
        <Pair name="Gatehouse">{versions.gatehouse}</Pair>
        {versions.build && (
          <Pair name="Build">
            <Mono>{versions.build.commit}</Mono>, <Time at={versions.build.committedAt} />
          </Pair>
        )}
        <Pair name="Node.js">{versions.node}</Pair>
        <Setting installation={installation} of="publicUrl" name="Public URL">
          <Mono>{publicUrl}</Mono>
        </Setting>
        <Setting installation={installation} of="logLevel" name="Log level">
          {logLevel}
        </Setting>
      </Pairs>
    </Panel>
  );
}

export function Store({ installation }: PartProps) {
  const { kind, version } = installation.store;
  return (
    <Panel title="Store">
      <Pairs>
        <Setting installation={installation} of="store" name="Database">
          {labelOf(storeKindLabels, kind)}
          <Sentence>{sentenceOf(storeKindLabels, kind)}</Sentence>
        </Setting>
        <Pair name="Version">PostgreSQL {version}</Pair>
      </Pairs>
    </Panel>
  );
}

export function Keys({ installation }: PartProps) {
  const { source, encryption } = installation.keys;
  return (
    <Panel title="Keys">
      <Pairs>
        <Setting installation={installation} of="keys" name="Kept in">
          {labelOf(keySourceLabels, source)}
          <Sentence>{sentenceOf(keySourceLabels, source)}</Sentence>
        </Setting>
        {encryption.map(({ id, active, addedAt }) => (
          <Pair key={id} name={active ? 'Seals' : 'Reads'}>
            <Mono>{id}</Mono>
            {addedAt !== null && (
              <Sentence>
                added <Time at={addedAt} />
              </Sentence>
            )}
          </Pair>
        ))}
      </Pairs>
    </Panel>
  );
}

export function SignIn({ installation }: PartProps) {
  const { ways, issuer, groupsClaim } = installation.signIn;
  return (
    <Panel title="Sign-in">
      <Pairs>
        <Setting installation={installation} of="passwordSignIn" name="Password">
          <OnOrOff isOn={ways.includes('password')} />
          <Sentence>{sentenceOf(signInWayLabels, 'password')}</Sentence>
        </Setting>
        <Setting installation={installation} name="Sign-in links">
          <OnOrOff isOn={ways.includes('link')} />
          <Sentence>{sentenceOf(signInWayLabels, 'link')}</Sentence>
        </Setting>
        <Setting installation={installation} of="provider" name="Provider">
          {issuer === null ? <OnOrOff isOn={false} /> : <Mono>{issuer}</Mono>}
          <Sentence>{sentenceOf(signInWayLabels, 'provider')}</Sentence>
        </Setting>
        <Setting installation={installation} of="groupsClaim" name="Groups">
          {groupsClaim ? 'A claim of the provider decides' : 'Admins choose their members'}
        </Setting>
      </Pairs>
    </Panel>
  );
}

export function Limits({ installation }: PartProps) {
  return (
    <Panel title="Limits">
      <Pairs>
        {installation.limits.map((limit) => (
          <Setting
            key={limit.name}
            installation={installation}
            of={limit.name}
            name={labelOf(limitLabels, limit.name)}
          >
            <span className="tabular-nums">{amountOf(limit)}</span>
            <Sentence>{sentenceOf(limitLabels, limit.name)}</Sentence>
          </Setting>
        ))}
      </Pairs>
    </Panel>
  );
}

function OnOrOff({ isOn }: { isOn: boolean }) {
  return <Status tone={isOn ? 'ok' : 'idle'}>{isOn ? 'On' : 'Off'}</Status>;
}

function Sentence({ children }: { children: ReactNode }) {
  return <p className="text-12 text-ink-2">{children}</p>;
}
