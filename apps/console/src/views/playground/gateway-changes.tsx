import { type GatewayChange, gatewayChanges, isPassedHeader } from '@gatehouse/contract';
import type { ReactNode } from 'react';
import type { Exchange } from './mcp/exchange.ts';
import type { Headers } from './mcp/messages.ts';

/** What the gateway does to a call and its response, by the list that it goes by itself. */
export function GatewayChanges({
  exchange: { request, headers },
}: {
  readonly exchange: Exchange;
}) {
  const hasHeader = ({ name }: GatewayChange) => headers.some(([sent]) => sent === name);
  const hasSession = ({ name }: GatewayChange) => request.headers.some(([sent]) => sent === name);
  const { request: up, response: down, bodies } = gatewayChanges;
  return (
    <div className="mt-2 grid gap-4">
      <Direction
        title="On the way to the server"
        passed={passedOf('request', request.headers)}
        rows={[
          ['Added', [...up.added, CREDENTIAL]],
          ['Replaced', up.replaced.filter(hasSession)],
          ['Removed', up.removed],
        ]}
      />
      <Direction
        title="On the way back"
        passed={passedOf('response', headers).filter((name) => !isAdded(name))}
        rows={[
          ['Added', down.added.filter(hasHeader)],
          ['Replaced', down.replaced.filter(hasHeader)],
          ['Removed, if sent', down.removed],
        ]}
      />
      <p className="text-ink-2">
        Bodies are passed on byte for byte, with two exceptions:{' '}
        {bodies.map(({ sentence }) => sentence).join(' ')}
      </p>
    </div>
  );
}

const CREDENTIAL: GatewayChange = {
  name: 'the credential',
  sentence: 'Whatever the server requires. It is never shown to you.',
};

/** Whether the gateway may have added a header that servers send too: what came does not say who sent it. */
function isAdded(name: string): boolean {
  return gatewayChanges.response.added.some((change) => change.name === name);
}

function passedOf(direction: 'request' | 'response', headers: Headers): string[] {
  return headers.map(([name]) => name).filter((name) => isPassedHeader(direction, name));
}

interface DirectionProps {
  readonly title: string;
  readonly passed: readonly string[];
  readonly rows: readonly (readonly [verb: string, changes: readonly GatewayChange[]])[];
}

function Direction({ title, passed, rows }: DirectionProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid gap-1.5">
        {passed.length > 0 && (
          <Row verb="Passed">
            <span className="foreign font-mono text-12">{passed.join(', ')}</span>
          </Row>
        )}
        {rows.flatMap(([verb, changes]) =>
          changes.map(({ name, sentence }) => (
            <Row key={`${verb} ${name}`} verb={verb}>
              <span className="font-mono text-12">{name}</span>
              <span className="text-ink-2"> {sentence}</span>
            </Row>
          )),
        )}
      </dl>
    </section>
  );
}

function Row({ verb, children }: { readonly verb: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[112px_1fr] gap-3">
      <dt className="text-ink-3">{verb}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
