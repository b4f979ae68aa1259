import type { StageHelp } from './stage-help.ts';

const NO_ANSWER = 'The server did not answer in time.';

export const ADDRESS: StageHelp = {
  checks:
    'The host name of the URL resolves, Gatehouse may connect to all its addresses, and one of them accepts a connection.',
  codes: {
    address_not_allowed: {
      meaning: 'The host has an address that is not public.',
      hint: 'Use a public address, or ask the operator of Gatehouse to add its network to GATEHOUSE_ALLOWED_NETWORKS.',
    },
    plain_http_with_credentials: {
      meaning: 'A credential would travel without encryption.',
      hint: 'Use an https URL. Plain http carries credentials only to networks in GATEHOUSE_ALLOWED_NETWORKS.',
    },
    name_not_found: {
      meaning: 'The host name does not exist.',
      hint: 'Check the spelling of the host name in the URL.',
    },
    name_server_failed: {
      meaning: 'The name server could not look up the host name.',
      hint: 'Check the host name in the URL and the name server that Gatehouse uses, then validate again.',
    },
    name_server_silent: {
      meaning: 'The name server did not answer in time.',
      hint: 'Check the name server that Gatehouse uses, then validate again.',
    },
    too_many_lookups: {
      meaning: 'Gatehouse looks up too many host names at the same time.',
      hint: 'Validate again in a minute.',
    },
    out_of_files: {
      meaning: 'Gatehouse can open no more connections.',
      hint: 'Ask the operator of Gatehouse to raise the limit of open files.',
    },
    refused: {
      meaning: 'Nothing accepts connections on the port of the URL.',
      hint: 'Check the port in the URL, and that the server is running.',
    },
    connection_lost: {
      meaning: 'The connection was closed while it was being opened.',
      hint: 'Check that a firewall or proxy before the server lets Gatehouse in.',
    },
    unreachable: {
      meaning: 'There is no way through the network to the host.',
      hint: 'Check the URL, and that the network of Gatehouse reaches the host.',
    },
    timed_out: {
      meaning: 'The host did not accept a connection in time.',
      hint: 'Check that the server is running and that its firewall lets Gatehouse in.',
    },
  },
};

export const TLS: StageHelp = {
  checks:
    'The server proves with its certificate that it is the host of the URL. Plain http has no such stage.',
  codes: {
    certificate_expired: {
      meaning: 'The certificate of the server has expired or is not valid yet.',
      hint: 'Renew the certificate of the server.',
    },
    certificate_name: {
      meaning: 'The certificate of the server is for another host name.',
      hint: 'Use the host name that the certificate is for, or install a certificate for the one in the URL.',
    },
    certificate_untrusted: {
      meaning: 'The certificate of the server is not signed by an authority that Gatehouse trusts.',
      hint: 'Install a certificate of a trusted authority, or name your own authority in NODE_EXTRA_CA_CERTS and restart Gatehouse.',
    },
    handshake: {
      meaning: 'The server does not speak TLS on this port, or no version that Gatehouse accepts.',
      hint: 'Check whether the URL should begin with http, and check its port.',
    },
    connection_lost: {
      meaning: 'The server closed the connection before it was secured.',
      hint: 'Check the port of the URL, and the TLS settings of the server.',
    },
    unreachable: {
      meaning: 'The connection broke off before it was secured.',
      hint: 'Check the port of the URL, then validate again.',
    },
    timed_out: {
      meaning: 'The server accepted a connection, but did not secure it in time.',
      hint: 'Check the port of the URL, and that the server is not overloaded.',
    },
  },
};

export const HTTP: StageHelp = {
  checks: 'The server answers a request with HTTP, and with no error.',
  codes: {
    connection_lost: {
      meaning: 'The server closed the connection without an answer.',
      hint: 'Check that the server serves MCP at this URL, and look into its log.',
    },
    unreachable: {
      meaning: 'The connection broke off before there was an answer.',
      hint: 'Validate again; if it stays so, look into the log of the server.',
    },
    out_of_files: {
      meaning: 'Gatehouse can open no more connections.',
      hint: 'Ask the operator of Gatehouse to raise the limit of open files.',
    },
    refused: {
      meaning: 'The server stopped accepting connections during the validation.',
      hint: 'Check that the server is running, then validate again.',
    },
    timed_out: { meaning: NO_ANSWER, hint: 'Check that the server is not overloaded.' },
    response_invalid: {
      meaning: 'What the server sent is not HTTP.',
      hint: 'Check the scheme and the port of the URL.',
    },
    redirected: {
      meaning: 'The server sends callers to another URL, which Gatehouse does not follow.',
      hint: 'Set the URL to which the server redirects.',
    },
    not_found: {
      meaning: 'There is nothing at the path of the URL (404).',
      hint: 'Check the path of the URL; it often ends in /mcp.',
    },
    rate_limited: {
      meaning: 'The server takes no more requests at present (429).',
      hint: 'Validate again later.',
    },
    server_error: {
      meaning: 'The server reports an error of its own (500 or higher).',
      hint: 'Validate again later, or ask the operator of the server.',
    },
  },
};

export const MCP: StageHelp = {
  checks: 'The server speaks MCP, of 2026-07-28 or of an earlier version.',
  codes: {
    not_mcp: {
      meaning: 'The server answers, but not with MCP: a web page, for example.',
      hint: 'Check the path of the URL, and the documentation of the server.',
    },
    old_transport: {
      meaning: 'The server speaks the old HTTP+SSE transport, which cannot be relayed.',
      hint: 'Set the URL of its Streamable HTTP endpoint, or update the server.',
    },
  },
};
