import type { IncomingMessage, ServerResponse } from 'node:http';
import { mcpTargetKindOf } from '../../identity/resource.ts';
import type { Gateway } from '../gateway.ts';
import { HttpRequest } from './http-request.ts';
import { HttpResponse } from './http-response.ts';

/** Returns false, and does nothing, if the target is no URL of the gateway. */
export type GatewayListener = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Serves the URLs of the gateway, on plain node:http. @param addressOf the client's */
export function createGatewayListener(
  gateway: Pick<Gateway, 'serve'>,
  addressOf: (req: IncomingMessage) => string,
): GatewayListener {
  return (req, res) => {
    const kind = mcpTargetKindOf(req.url);
    if (kind === undefined) return false;
    const request = new HttpRequest(req, addressOf);
    gateway.serve(kind, request, new HttpResponse(res, request));
    return true;
  };
}
