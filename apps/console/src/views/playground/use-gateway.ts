import { queryOptions } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { gatewayTokens } from '../../api/gatehouse.ts';
import { send } from '../../api/refusal.ts';
import { createGatewayClient, type GatewayClient } from './mcp/client.ts';
import type { Kind } from './mcp/listed.ts';
import type { Era } from './mcp/messages.ts';

/** A client of a gateway URL, which ends its session when the view turns to another one or is left. */
export function useGateway(mcpUrl: string, era: Era | undefined): GatewayClient {
  const gateway = useMemo(() => {
    const { pathname: path } = new URL(mcpUrl);
    const tokens = gatewayTokens(mcpUrl);
    return createGatewayClient({ path, tokens, fetch: send, now: () => performance.now() }, era);
  }, [mcpUrl, era]);
  useEffect(() => () => gateway.close(), [gateway]);
  return gateway;
}

/** Each reading is a call of the server, so nothing repeats it but the person. */
export function listQuery(
  gateway: GatewayClient,
  kind: Kind,
  mcpUrl: string,
  era: Era | undefined,
) {
  return queryOptions({
    queryKey: ['playground', kind, mcpUrl, era],
    queryFn: ({ signal }) => gateway.list(kind, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
