import { ApiError } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../src/views/groups/places.ts';

const INTEGRATION = '01936f6d-02a7-7f10-b1c4-6e9d8a7b5c32';
const APPLICATION = '01936f6d-02a7-7f10-b1c4-6e9d8a7b5c33';

const refusal = (code: 'group_in_use' | 'last_owner', messages: readonly string[]) =>
  new ApiError({
    status: 409,
    headers: new Headers(),
    requestId: 'r-1',
    problem: {
      type: `urn:gatehouse:problem:${code}`,
      title: 'A policy names the group.',
      status: 409,
      detail: 'Policies name the group.',
      code,
      requestId: 'r-1',
      errors: messages.map((message) => ({ code: 'integration_policy', message })),
    },
  });

describe('where a group is named', () => {
  it('is read from the problem: policies of integrations, and of attachments', () => {
    const error = refusal('group_in_use', [
      `The policy at /integrations/${INTEGRATION}/policy names the group.`,
      `The policy at /applications/${APPLICATION}/integrations/${INTEGRATION}/policy names the group.`,
    ]);
    expect(placesOf(error)).toEqual([
      { integrationId: INTEGRATION, applicationId: undefined },
      { integrationId: INTEGRATION, applicationId: APPLICATION },
    ]);
  });

  it('is left out where a message says it in another way, and is not asked of other problems', () => {
    expect(placesOf(refusal('group_in_use', ['Somewhere.']))).toEqual([]);
    expect(placesOf(refusal('last_owner', []))).toBeUndefined();
  });
});
