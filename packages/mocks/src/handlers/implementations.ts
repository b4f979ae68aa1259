import type { Implementations } from '../http/operation.ts';
import { applications } from './applications.ts';
import { auditEvents } from './audit-events.ts';
import { connections } from './connections.ts';
import { credentials } from './credentials.ts';
import { grants } from './grants.ts';
import { groups } from './groups.ts';
import { installation } from './installation.ts';
import { integrations } from './integrations.ts';
import { listings } from './listings.ts';
import { me } from './me.ts';
import { members } from './members.ts';
import { openapi } from './openapi.ts';
import { organization } from './organization.ts';
import { overview } from './overview.ts';
import { sessions } from './sessions.ts';
import { tokens } from './tokens.ts';
import { tools } from './tools.ts';
import { usage } from './usage.ts';
import { whatIf } from './what-if.ts';

/** Every operation of the contract. */
export const implementations: Implementations = {
  integrations,
  tools,
  listings,
  connections,
  applications: { ...applications, whatIf },
  credentials,
  sessions,
  me,
  organization,
  tokens,
  members,
  groups,
  grants,
  overview,
  auditEvents,
  usage,
  installation,
  openapi,
};
