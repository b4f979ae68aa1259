import type { StageHelp } from './stage-help.ts';

export const CHALLENGE: StageHelp = {
  checks: 'A server that refuses a call says so in the way of MCP servers (401 with a challenge).',
  codes: {
    challenge_missing: {
      meaning: 'The server refuses calls without saying how to authenticate.',
      hint: 'Check the path of the URL: what refuses may be another service than the MCP server.',
    },
  },
};

export const CREDENTIAL: StageHelp = {
  checks: 'There is a credential, it was sent, and the server accepted it.',
  codes: {
    credential_required: {
      meaning: 'The server asks for a credential, and the mode of the integration is none.',
      hint: 'Set another authMode.',
    },
    credential_rejected: {
      meaning: 'The server refused the credential (401).',
      hint: 'Connect again, or set another serverToken.',
    },
    permission_denied: {
      meaning: 'The server knows the credential, but it may not do this (403).',
      hint: 'Check the permissions of the account or token at the provider.',
    },
    connection_required: {
      meaning: 'You have not connected an account, so nothing could be tried.',
      hint: 'Connect your account, then validate again.',
    },
    needs_reauth: {
      meaning: 'Your connection no longer fits the integration, or its provider has ended it.',
      hint: 'Connect again.',
    },
    expired: { meaning: 'Your connection has expired.', hint: 'Connect again.' },
    server_token_missing: {
      meaning: 'No server token is stored for the URL.',
      hint: 'Set serverToken.',
    },
    server_token_misfit: {
      meaning: 'The credentialSchema has no place for a single token.',
      hint: 'Set another credentialSchema, or another serverToken.',
    },
    oauth_not_configured: {
      meaning: 'The mode is oauth, but there is no OAuth configuration.',
      hint: 'Set oauth in the integration.',
    },
    client_rejected: {
      meaning: 'The authorization server does not accept the client of Gatehouse.',
      hint: 'Check clientId and clientSecret in the OAuth configuration.',
    },
    refresh_failed: {
      meaning: 'The authorization server did not renew the access in time.',
      hint: 'Validate again later.',
    },
    key_not_loaded: {
      meaning: 'The key with which the credential is encrypted is not loaded.',
      hint: 'Ask the operator of Gatehouse to add it to GATEHOUSE_ENCRYPTION_KEYS.',
    },
    decryption_failed: {
      meaning: 'The stored credential cannot be decrypted.',
      hint: 'Enter the credential again, or connect again.',
    },
  },
};

export const TOOLS: StageHelp = {
  checks: 'The server lists its tools.',
  codes: {
    no_tools: {
      meaning: 'The server has no tools.',
      hint: 'Nothing has to be done if it offers only resources or prompts.',
    },
    tools_refused: {
      meaning: 'The server answered the request for its tools with an error.',
      hint: 'Check the permissions of the credential, and look into the log of the server.',
    },
    timed_out: {
      meaning: 'The server did not list its tools in time.',
      hint: 'Validate again; if it stays so, look into the log of the server.',
    },
  },
};
