import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gatehouse } from '../../api/gatehouse.ts';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { FormProblem } from '../../components/problem.tsx';
import { curlOf } from '../playground/curl.ts';
import { requestOf } from '../playground/mcp/exchange.ts';
import { modernRequest } from '../playground/mcp/messages.ts';
import { expiryOf } from '../tokens/expiry.ts';
import type { McpClient, Target } from './clients.ts';

interface CallWithTokenProps {
  readonly client: McpClient;
  /** Of the token. */
  readonly name: string;
  readonly target: Target;
  /** A URL of one integration passes requests on as they are, so that a single one may not do. */
  readonly isOneUrl: boolean;
}

/** Commands for a terminal that make a call, with a token that is made here and shown once. */
export function CallWithToken({ client, name, target, isOneUrl }: CallWithTokenProps) {
  const queries = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      gatehouse.tokens.create({ name, scopes: ['mcp'], expiresAt: expiryOf('90', '', Date.now()) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
    // The response holds the secret: it is forgotten with this view.
    gcTime: 0,
  });
  const secret = make.data?.secret;
  if (secret === undefined) {
    return (
      <div className="grid justify-items-start gap-2">
        {make.error !== null && <FormProblem error={make.error} />}
        <Button
          look={client.run === undefined ? 'secondary' : 'primary'}
          isBusy={make.isPending}
          onClick={() => make.mutate()}
        >
          Make a token
        </Button>
        <p className="text-12 text-ink-2">
          It has the scope mcp, so it can use integrations and nothing else. It works for 90 days.
        </p>
      </div>
    );
  }
  return (
    <div className="grid gap-3">
      {client.run !== undefined && (
        <div className="grid gap-1">
          <p className="text-ink-2">Run this in the folder of the program:</p>
          <Code text={client.run(secret)} label="the commands that run it" />
        </div>
      )}
      {isOneUrl && (
        <div className="grid gap-1">
          <p className="text-ink-2">
            {client.run === undefined ? 'Run this:' : 'Or make the call with curl alone:'}
          </p>
          <Code text={`GATEHOUSE_TOKEN=${secret}\n${curlFor(target)}`} label="the call with curl" />
        </div>
      )}
      <p className="text-12 text-ink-2">
        The token is shown now, and never again. My tokens has it as {name}, and revokes it.
      </p>
    </div>
  );
}

/** A single request of MCP 2026-07-28, which the one URL translates for servers that speak older versions. */
function curlFor({ url, call }: Target): string {
  const message =
    call === undefined
      ? modernRequest('tools/list')
      : modernRequest('tools/call', { name: call.name, arguments: call.args }, [
          ['mcp-name', call.name],
        ]);
  return curlOf(url, requestOf(message, 1));
}
