import type { Preset } from './preset.ts';
import { airtable } from './providers/airtable.ts';
import { asana } from './providers/asana.ts';
import { atlassian } from './providers/atlassian.ts';
import { box } from './providers/box.ts';
import { discord } from './providers/discord.ts';
import { dropbox } from './providers/dropbox.ts';
import { entra } from './providers/entra.ts';
import { figma } from './providers/figma.ts';
import { github } from './providers/github.ts';
import { gitlab } from './providers/gitlab.ts';
import { google } from './providers/google.ts';
import { hubspot } from './providers/hubspot.ts';
import { jobber } from './providers/jobber.ts';
import { linear } from './providers/linear.ts';
import { miro } from './providers/miro.ts';
import { notion } from './providers/notion.ts';
import { salesforce } from './providers/salesforce.ts';
import { slack } from './providers/slack.ts';
import { standardProviders } from './providers/standard-providers.ts';
import { zendesk } from './providers/zendesk.ts';
import { zoom } from './providers/zoom.ts';

/** Every provider that needs something of its own, or a name that people look for. */
export const presets: readonly Preset[] = [
  airtable,
  asana,
  atlassian,
  box,
  discord,
  dropbox,
  entra,
  figma,
  github,
  gitlab,
  google,
  hubspot,
  jobber,
  linear,
  miro,
  notion,
  salesforce,
  slack,
  zendesk,
  zoom,
  ...standardProviders,
];
