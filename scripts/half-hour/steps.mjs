import { checks } from './checks.mjs';

/**
 * The half hour. A step runs the named blocks of the pages in a shell of the machine, those with `on: 'builder'` where
 * the repository is. `first` and `last` do what a reader does besides, and check what came out. With `traffic`,
 * clients call all the time.
 */
export const STEPS = [
  { title: 'Build the artefact', on: 'builder', blocks: ['deploy.artefact'] },
  { title: 'Boot a bare Debian', blocks: [], first: checks.boot },
  { title: 'Install PostgreSQL and nginx', blocks: ['systemd.packages'] },
  {
    title: 'Make secrets, a database, settings',
    blocks: ['deploy.secrets', 'systemd.database', 'systemd.settings'],
  },
  {
    title: 'Make a certificate',
    blocks: ['authority.make', 'authority.trust'],
    last: checks.trust,
  },
  {
    title: 'Start two nodes',
    blocks: ['systemd.networks', 'systemd.install', 'systemd.start', 'deploy.ready'],
    first: checks.measureStart,
    last: checks.takeOwnerToken,
  },
  { title: 'Put nginx in front', blocks: ['nginx.install'] },
  {
    title: 'Check and doctor, sign in',
    blocks: ['systemd.check', 'systemd.owner'],
    last: checks.ownerSignsIn,
  },
  {
    title: 'Register, connect, call',
    blocks: [
      'first.helpers',
      'first.integration',
      'first.connect',
      'first.validate',
      'first.application',
      'first.token',
    ],
    last: checks.callsWork,
  },
  { title: 'Back up', traffic: true, blocks: ['backup.dump'] },
  {
    title: 'Restore elsewhere',
    traffic: true,
    blocks: ['restore.database', 'restore.node'],
    last: checks.restoredWorks,
  },
  { title: 'Remove the restored node', traffic: true, blocks: ['restore.remove'] },
  {
    title: 'Replace the encryption key',
    traffic: true,
    blocks: [
      ...['keys.status', 'keys.add', 'node.restart', 'keys.activate', 'node.restart'],
      ...['keys.rewrap', 'keys.retire', 'node.restart', 'keys.status'],
    ],
    last: checks.oneKeyIsLeft,
  },
  {
    title: 'Upgrade',
    traffic: true,
    blocks: ['upgrade.backup', 'upgrade.install', 'node.restart'],
    first: checks.bringNextVersion,
  },
  { title: 'Roll back', traffic: true, blocks: ['upgrade.back', 'node.restart'] },
  {
    title: 'Roll back by the backup',
    blocks: ['upgrade.restore', 'deploy.ready'],
    last: checks.callsWork,
  },
  {
    title: 'Recover a lost owner',
    blocks: ['recovery.link', 'recovery.reset', 'recovery.token'],
    last: checks.ownerIsBack,
  },
  {
    title: 'Embedded: start',
    blocks: ['embedded.start'],
    inBackground: true,
    last: checks.prepareEmbedded,
  },
  {
    title: 'Embedded: replace the key',
    blocks: ['embedded.keys-add', 'embedded.keys-activate', 'embedded.keys-rewrap'],
    first: checks.nameOldKey,
    between: { 'embedded.keys-add': checks.nameNewKey },
  },
  { title: 'Embedded: retire the key', blocks: ['embedded.keys-retire'] },
  { title: 'Embedded: back up', blocks: ['embedded.passphrase', 'embedded.backup'] },
  {
    title: 'Embedded: restore',
    blocks: ['embedded.copy', 'embedded.restore'],
    first: checks.stopEmbedded,
    last: checks.restoredEmbeddedWorks,
  },
];
