import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';

const ORIGIN = 'https://gatehouse.example.com';

/** Of two nodes: port 3003 is that of the restored one. */
const RESTORED = 'http://127.0.0.1:3003';

/** What a reader of the pages does between their blocks, and what must have come out. */
export const checks = {
  async boot(play) {
    await play.boot();
    const home = join(play.machine.folder, 'root');
    cpSync(join(root, 'deploy'), join(home, 'deploy'), { recursive: true });
    copyFileSync(play.previous.tarball, join(home, 'gatehouse-0.1.0.tar.gz'));
  },

  /** What is outside trusts the authority from now on. */
  trust: (play) => play.startOutside(),

  measureStart(play) {
    play.measure('first start of a node, PostgreSQL', play.ask('awaitReady', { port: 3001 }));
  },

  async takeOwnerToken(play) {
    if (/gh_pat_/.test(play.printed('systemd.start'))) throw new Error('The log has a token.');
    await play.type('export GATEHOUSE_ACCESS_TOKEN=$(cat deploy/secrets/bootstrap-token)');
  },

  /** Chooses a password. */
  async ownerSignsIn(play) {
    const [link] = play.printed('systemd.owner').split('\n');
    const password = 'the password of the half hour';
    const answers = { password, repeated: password };
    await play.ask('signIn', { link, email: 'owner@localhost', answers });
  },

  async callsWork(play) {
    const [path, token] = (await play.read(`echo "$APPLICATION/$INTEGRATION $MCP_TOKEN"`)).split(
      ' ',
    );
    play.route = { path: `/mcp/${path}`, token };
    await play.ask('callOnce', { url: `${ORIGIN}${play.route.path}`, token });
  },

  restoredWorks: ({ ask, route }) =>
    ask('callOnce', { url: `${RESTORED}${route.path}`, token: route.token }),

  async oneKeyIsLeft(play) {
    const { keys } = JSON.parse(await play.read('gatehouse keys status --json'));
    if (keys.length === 1 && keys[0].isSealing) return;
    throw new Error(`There are ${keys.length} keys, or the one there is does not seal.`);
  },

  /** By now the operator has the tarball of the next version. */
  bringNextVersion(play) {
    const home = join(play.machine.folder, 'root');
    copyFileSync(play.current.tarball, join(home, 'gatehouse-0.2.0.tar.gz'));
  },

  async ownerIsBack(play) {
    const [link] = play.printed('recovery.link').split('\n');
    await play.ask('signIn', { link, email: 'owner@localhost' });
    const [reset] = play.printed('recovery.reset').split('\n');
    const password = 'a new password of the half hour';
    const answers = { password, repeated: password };
    await play.ask('signIn', { link: reset, email: 'owner@localhost', answers });
    const [token] = play.printed('recovery.token').split('\n');
    const me = await play.ask('read', { url: `${ORIGIN}/api/v1/me`, token });
    if (me.user.role !== 'owner') throw new Error(`The token is that of a ${me.user.role}.`);
  },

  async prepareEmbedded(play) {
    await play.ask('awaitReady', { port: 3000 });
    await play.type('SERVER=$!');
    await play.type('export GATEHOUSE_DATA_DIR=$PWD/.gatehouse');
    await play.type('gatehouse() { node /opt/gatehouse-0.2.0/dist/main.js "$@"; }');
  },

  nameOldKey: (play) => play.type(`OLD_ID=$(cut -d: -f1 .gatehouse/encryption-key)`),

  nameNewKey: (play) => play.type(`NEW_ID=$(tail -n1 .gatehouse/encryption-key | cut -d: -f1)`),

  stopEmbedded: (play) => play.type('kill $SERVER && wait $SERVER'),

  async restoredEmbeddedWorks(play) {
    await play.type('cmp .gatehouse/encryption-key restored/encryption-key');
    await play.type('GATEHOUSE_DATA_DIR=./restored gatehouse keys status');
  },
};
