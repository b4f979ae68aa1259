import { type Contract, contract, redirectUriAt } from '@gatehouse/contract';
import type { Operations } from '../http/operation.ts';
import { isSameJson } from '../rules/equal.ts';
import {
  checkRedirectUri,
  presentOauthConfig,
  replaceOauth,
  requireOauth,
  wipeOauth,
} from '../rules/integration-oauth.ts';
import { requireActive, requireIntegration, saveIntegration } from '../rules/integrations.ts';

type OauthOperations = Pick<
  Operations<Contract['integrations']>,
  'getOauth' | 'putOauth' | 'deleteOauth'
>;

/** The operations of `/integrations/:id/oauth`. */
export const integrationOauth: OauthOperations = {
  getOauth: {
    act(call) {
      const integration = requireIntegration(call, call.params.id);
      requireOauth(integration);
      const body = { oauth: presentOauthConfig(integration, call.publicUrl) };
      return { status: 200, body, version: integration.version };
    },
  },

  putOauth: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const current = requireIntegration(call, call.params.id);
      call.requireMatch(current.version);
      requireActive(current);
      call.requireFixed(
        contract.integrations.putOauth.body,
        presentOauthConfig(current, call.publicUrl),
      );
      checkRedirectUri(redirectUriAt(call.publicUrl, current.id), call.body);
      const { oauth, secrets, secretsChanged } = replaceOauth(current, call.body);
      const isChanged = secretsChanged || !isSameJson(current.oauth, oauth);
      const row = { ...current, oauth, secrets };
      const integration = isChanged
        ? saveIntegration(call.state, row, { resetValidation: true })
        : current;
      const body = { oauth: presentOauthConfig(integration, call.publicUrl) };
      return { status: 200, body, version: integration.version };
    },
  },

  deleteOauth: {
    authorize: (call) => requireIntegration(call, call.params.id),
    act(call) {
      const current = requireIntegration(call, call.params.id);
      call.requireMatch(current.version);
      const { version } = current.oauth
        ? saveIntegration(call.state, wipeOauth(call.state, current), { resetValidation: true })
        : current;
      return { status: 204, body: undefined, version };
    },
  },
};
