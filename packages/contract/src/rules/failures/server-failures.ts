import type { StageCode } from '../../shared/validation.ts';
import { failuresOf } from './failure.ts';

const byAdmin = failuresOf('invalid', 'admin');
const byOperator = failuresOf('invalid', 'operator');
const byUpstream = failuresOf('invalid', 'upstream');
const byNobody = failuresOf('invalid', 'nobody');
const stillValid = failuresOf('valid', 'upstream');

/** Failures between Gatehouse and the MCP server: the stages `address` to `challenge`, and `tools`. */
export const serverFailures = {
  address_not_allowed: byAdmin(
    'The host of the URL has an address that is not public.',
    'Use a public address, or ask the operator of Gatehouse to add its network to GATEHOUSE_ALLOWED_NETWORKS.',
  ),
  plain_http_with_credentials: byAdmin(
    'Credentials are sent over plain http only to networks in GATEHOUSE_ALLOWED_NETWORKS.',
    'Use an https URL.',
  ),
  name_not_found: byAdmin(
    'The host name of the URL cannot be resolved.',
    'Check the spelling of the host name.',
  ),
  name_server_failed: byOperator(
    'The name server failed to resolve the host name of the URL.',
    'Check the name server that Gatehouse uses.',
  ),
  name_server_silent: byOperator(
    'The name server did not respond in time.',
    'Check the name server that Gatehouse uses.',
  ),
  too_many_lookups: byNobody(
    'Gatehouse is resolving too many host names at once.',
    'Try again in a minute.',
  ),
  out_of_files: byOperator(
    'Gatehouse has no file descriptors left.',
    'Raise the limit of open files.',
  ),
  refused: byUpstream(
    'The host refuses connections on the port of the URL.',
    'Check the port in the URL, and that the server is running.',
  ),
  connection_lost: byUpstream(
    'The server closed the connection without a response.',
    'Check that the server serves MCP at this URL, and that no firewall or proxy closes the connection.',
  ),
  unreachable: byAdmin(
    'The server cannot be reached.',
    "Check the URL, and that Gatehouse's network can reach the host.",
  ),
  timed_out: byUpstream(
    'The server did not respond in time.',
    'Check that the server is running and not overloaded, and that its firewall lets Gatehouse in.',
  ),
  response_invalid: byAdmin(
    "The server's response is not valid HTTP.",
    'Check the scheme and the port of the URL.',
  ),
  certificate_expired: byUpstream(
    'The TLS certificate of the server has expired or is not valid yet.',
    'Renew the certificate of the server.',
  ),
  certificate_name: byUpstream(
    'The TLS certificate of the server is for another host name.',
    'Use the host name in the certificate, or install a certificate for the one in the URL.',
  ),
  certificate_untrusted: byUpstream(
    'The TLS certificate of the server is not signed by a trusted authority.',
    'Install a certificate of a trusted authority, or name your own authority in NODE_EXTRA_CA_CERTS and restart Gatehouse.',
  ),
  handshake: byAdmin(
    'The server does not accept a TLS connection.',
    'Check the scheme and the port of the URL, and the TLS versions of the server.',
  ),
  redirected: byAdmin(
    'The server redirects, and redirects are not followed.',
    'Set the URL to the address that it redirects to.',
  ),
  old_transport: byAdmin(
    'The server speaks the old HTTP+SSE transport, which cannot be relayed.',
    'Set the URL of its Streamable HTTP endpoint, or update the server.',
  ),
  not_found: byAdmin(
    'The server has nothing at the path of the URL.',
    'Check the path of the URL, which often ends in /mcp.',
  ),
  rate_limited: byNobody('The server has received too many requests.', 'Try again later.'),
  server_error: byUpstream(
    'The server reports an internal error.',
    "Try again later, or check the server's log.",
  ),
  not_mcp: byAdmin(
    'The server responds, but not with MCP.',
    'Check the path of the URL, and the documentation of the server.',
  ),
  challenge_missing: byAdmin(
    'The server refuses requests, and sends no WWW-Authenticate challenge.',
    'Check the path of the URL, because the response may come from a service that is not the MCP server.',
  ),
  no_tools: stillValid(
    'The server has no tools.',
    'If it offers only resources or prompts, this is fine.',
  ),
  tools_refused: stillValid(
    'The server responds to tools/list with an error.',
    "Check the permissions of the credential, and check the server's log.",
  ),
} satisfies Partial<Record<StageCode, unknown>>;
