import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';
import { faultsOf, type Manifest, manifestsIn } from './support/kubernetes.ts';

const files = readdirSync(deployFile('kubernetes')).map((name) => `kubernetes/${name}`);
const manifests = [...files, 'prometheus/service-monitor.yaml'].flatMap(manifestsIn);

/** A value deep in a manifest. */
function valueAt(manifest: Manifest | undefined, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    manifest,
  );
}

interface Rule {
  readonly from?: readonly object[];
  readonly to?: readonly object[];
  readonly ports: readonly { readonly port: unknown }[];
}

const rulesOf = (policy: Manifest | undefined, direction: 'ingress' | 'egress') =>
  valueAt(policy, 'spec', direction) as readonly Rule[];

/** Whether labels are those that a selector asks for. */
function isMatch(labels: object | undefined, wanted: unknown): boolean {
  return JSON.stringify(labels ?? {}) === JSON.stringify(wanted);
}

const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
const POD = ['spec', 'template', 'spec'];
const CONTAINER = [...POD, 'containers', 0];

describe('the Kubernetes manifests', () => {
  test('have only fields and values that Kubernetes knows', () => {
    // The ServiceMonitor is of the Prometheus Operator, which brings its own schema.
    const own = manifests.filter(({ kind }) => kind !== 'ServiceMonitor');
    expect(faultsOf(own)).toEqual([]);
  });

  test('are really checked: a wrong value and a misspelt name are found', () => {
    const spec = {
      selector: {},
      replicas: 'two',
      template: { spec: { containers: [{ nmae: 'x' }] } },
    };
    const faults = faultsOf([{ apiVersion: 'apps/v1', kind: 'Deployment', spec }]);
    expect(faults).toContainEqual(expect.stringContaining('replicas must be integer'));
    expect(faults).toContainEqual(expect.stringContaining('"nmae"'));
  });

  test('run two nodes, of which one always stays', () => {
    expect(valueAt(ofKind('Deployment'), 'spec', 'replicas')).toBe(2);
    expect(
      valueAt(ofKind('Deployment'), 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable'),
    ).toBe(0);
    expect(valueAt(ofKind('PodDisruptionBudget'), 'spec', 'minAvailable')).toBe(1);
  });

  test('give a pod the memory that the page about sizing counts on', () => {
    const resources = valueAt(ofKind('Deployment'), ...CONTAINER, 'resources');
    expect(resources).toEqual({ requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } });
    const sizing = readFileSync(deployFile('../docs/run/sizing.md'), 'utf8');
    expect(sizing).toContain('| up to 2,000 | 1 processor, 1 GB |');
  });

  test('let Prometheus in and the spans out, and show the metrics to nobody outside', () => {
    const policy = ofKind('NetworkPolicy');
    const of = (namespace: string, side: string) => [
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } }, side },
    ];
    const peers = [
      ...rulesOf(policy, 'ingress').flatMap(({ from = [], ports }) =>
        from.map((peer) => ({ ...peer, side: `from, ${ports[0]?.port}` })),
      ),
      ...rulesOf(policy, 'egress').flatMap(({ to = [], ports }) =>
        to.map((peer) => ({ ...peer, side: `to, ${ports[0]?.port}` })),
      ),
    ];
    expect(peers).toEqual(
      expect.arrayContaining([...of('monitoring', 'from, http'), ...of('monitoring', 'to, 4318')]),
    );
    const [metrics] = valueAt(ofKind('Ingress'), 'spec', 'rules', 0, 'http', 'paths') as [object];
    expect(metrics).toMatchObject({
      path: '/metrics',
      pathType: 'Exact',
      backend: { service: { name: 'gatehouse-hidden' } },
    });
    const hidden = manifests.find(
      (manifest) => valueAt(manifest, 'metadata', 'name') === 'gatehouse-hidden',
    );
    expect(valueAt(hidden, 'spec')).not.toHaveProperty('selector');
  });

  test('monitor the service that they make, by the port that it has', () => {
    const monitor = ofKind('ServiceMonitor');
    const labels = valueAt(monitor, 'spec', 'selector', 'matchLabels');
    const services = manifests.filter(({ kind, metadata }) =>
      kind === 'Service' ? isMatch((metadata as { labels?: object }).labels, labels) : false,
    );
    expect(services.map((service) => valueAt(service, 'metadata', 'name'))).toEqual(['gatehouse']);
    expect(valueAt(services[0], 'spec', 'ports', 0, 'name')).toBe(
      valueAt(monitor, 'spec', 'endpoints', 0, 'port'),
    );
  });

  test('follow the restricted standard for pods', () => {
    const deployment = ofKind('Deployment');
    expect(valueAt(deployment, ...POD, 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(valueAt(deployment, ...CONTAINER, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('have secrets by reference alone', () => {
    expect(manifests.map(({ kind }) => kind)).not.toContain('Secret');
    expect(valueAt(ofKind('Deployment'), ...CONTAINER)).not.toHaveProperty('env');
    const settings = Object.entries(valueAt(ofKind('ConfigMap'), 'data') as object);
    for (const [name, value] of settings) {
      if (/TOKEN|KEYS|SECRET|DATABASE_URL/.test(name)) expect(value).toMatch(/^\/run\/secrets\//);
    }
  });

  test('send calls by readyz, and restart by healthz alone', () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) =>
      valueAt(ofKind('Deployment'), ...CONTAINER, probe, 'httpGet', 'path'),
    );
    expect(probes).toEqual(['/healthz', '/healthz', '/readyz']);
  });

  test('give the server its time to end, after the pause before SIGTERM', () => {
    const seconds = valueAt(ofKind('Deployment'), ...POD, 'terminationGracePeriodSeconds');
    const preStop = valueAt(
      ofKind('Deployment'),
      ...CONTAINER,
      'lifecycle',
      'preStop',
      'exec',
      'command',
    );
    expect(Number(seconds) - Number((preStop as string[])[1])).toBeGreaterThanOrEqual(40);
  });
});
