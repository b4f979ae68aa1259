import { z } from 'zod';
import type { ConsentRequest } from './consent-request.ts';
import type { Decision } from './decision.ts';

const agreementSchema = z.object({
  userId: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  scopes: z.array(z.string()),
  integrationIds: z.array(z.string()),
});

/** A person's agreement, before the grant is written. */
export type Agreement = z.output<typeof agreementSchema>;

export function agreementTo({ person, request }: Decision): Agreement {
  const { scopes, integrations } = request;
  return {
    userId: person.userId,
    at: Date.now(),
    scopes: [...scopes],
    integrationIds: integrations.map(({ id }) => id),
  };
}

/** The agreement of this person that is noted with the request, if there is one. */
export function notedAgreement({ person, noted }: Decision): Agreement | undefined {
  const { data } = agreementSchema.safeParse(noted?.agreed);
  return data?.userId === person.userId ? data : undefined;
}

/** The request without integrations that were attached since the person agreed. */
export function asAgreed(
  request: ConsentRequest,
  { scopes, integrationIds }: Agreement,
): ConsentRequest {
  return {
    ...request,
    scopes: request.scopes.filter((scope) => scopes.includes(scope)),
    integrations: request.integrations.filter(({ id }) => integrationIds.includes(id)),
  };
}
