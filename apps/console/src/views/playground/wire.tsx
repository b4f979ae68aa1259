import { Code } from '../../components/code.tsx';
import { Text } from './content.tsx';
import { curlOf } from './curl.ts';
import { GatewayChanges } from './gateway-changes.tsx';
import type { Exchange } from './mcp/exchange.ts';
import type { Headers } from './mcp/messages.ts';
import type { Target } from './target.ts';

interface WireProps {
  readonly exchange: Exchange;
  readonly target: Target;
}

const SUMMARY = 'w-fit font-medium text-ink-2 hover:text-ink';

/** Request and response as they were, what the gateway did to them, and the command that repeats the call. */
export function Wire({ exchange, target: { mcpUrl, integrations } }: WireProps) {
  const { request, status, headers, body, isCut } = exchange;
  return (
    <div className="grid gap-3 border-t border-line px-4 pt-3">
      <details>
        <summary className={SUMMARY}>Request and response</summary>
        <div className="mt-2 grid gap-3">
          <Text
            label="Request"
            text={`POST ${mcpUrl}\nauthorization: Bearer (your token)\n${linesOf(request.headers)}\n\n${request.body}`}
          />
          <Text label="Response" text={`HTTP ${status}\n${linesOf(headers)}`} />
          <Text label="Response body" text={body} isCut={isCut} />
        </div>
      </details>
      <details>
        <summary className={SUMMARY}>What the gateway added and removed</summary>
        {integrations === undefined ? (
          <GatewayChanges exchange={exchange} />
        ) : (
          <p className="my-2 max-w-[72ch] text-ink-2">
            At this URL, Gatehouse itself is the server. It calls the integration under the original
            name, with your credential if one is needed, and returns its response.
          </p>
        )}
      </details>
      <details>
        <summary className={SUMMARY}>The same call with curl</summary>
        <p className="my-2 text-ink-2">
          Set GATEHOUSE_TOKEN to one of your tokens with the scope mcp. The command does not contain
          it.
        </p>
        <Code text={curlOf(mcpUrl, request)} label="curl command" />
      </details>
    </div>
  );
}

function linesOf(headers: Headers): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}
