import type { MemberRole } from './member.ts';
import type { IntegrationPolicyInput, PolicyInput } from './policy.ts';

/**
 * A change that an operation of the API would make.
 */
export type WhatIfChange =
  | {
      readonly kind: 'attach' | 'detach';
      readonly applicationId: string;
      readonly integrationId: string;
    }
  | {
      readonly kind: 'attachment_policy';
      readonly applicationId: string;
      readonly integrationId: string;
      readonly policy: PolicyInput | null;
    }
  | {
      readonly kind: 'integration_policy';
      readonly integrationId: string;
      readonly policy: IntegrationPolicyInput | null;
    }
  | {
      /** Of an application or an integration. */
      readonly kind: 'archive' | 'restore';
      readonly applicationId?: string | undefined;
      readonly integrationId?: string | undefined;
    }
  | {
      readonly kind: 'member';
      readonly userId: string;
      readonly role?: MemberRole | undefined;
      /** All groups that they would be in. */
      readonly groupIds?: readonly string[] | undefined;
      /** They would be no member. Alone. */
      readonly removed?: true | undefined;
    };

/**
 * The body of `POST /applications/access-graph/what-if`.
 */
export interface WhatIfBody {
  /** One after another, at most 100. */
  readonly changes: readonly WhatIfChange[];
}

/**
 * An application and an integration.
 */
export interface WhatIfEdge {
  applicationId: string;
  integrationId: string;
}

/**
 * Who could use what.
 */
export interface WhatIfPerson extends WhatIfEdge {
  userId: string;
}

/**
 * A tool that rules would allow, or would no longer allow.
 */
export interface WhatIfTool extends WhatIfEdge {
  name: string;
}

/**
 * How many tools rules allow. 0 where the integration is not attached.
 */
export interface WhatIfTools extends WhatIfEdge {
  allowed: { before: number; after: number };
  total: number;
}

/**
 * How many there are, also beyond the 1,000 that a list names.
 */
export interface WhatIfTotal {
  gained: number;
  lost: number;
}

/**
 * The response of `POST /applications/access-graph/what-if`.
 */
export interface WhatIfResponse {
  /** What at least one person could use who cannot now, and the reverse. */
  edges: { gained: WhatIfEdge[]; lost: WhatIfEdge[]; total: WhatIfTotal };
  /** What rules would allow and do not now, and the reverse; in `changed` where their number changes. */
  tools: {
    gained: WhatIfTool[];
    lost: WhatIfTool[];
    total: WhatIfTotal;
    /** Whether a list leaves some out. */
    truncated: boolean;
    changed: WhatIfTools[];
  };
  people: { gained: WhatIfPerson[]; lost: WhatIfPerson[]; total: WhatIfTotal };
}
