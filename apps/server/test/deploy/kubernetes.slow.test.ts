import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deployFile } from './support/deploy-file.ts';
import { faultsOf, type Manifest, manifestsIn } from './support/kubernetes.ts';

const files = readdirSync(deployFile('kubernetes'));
const manifests = files.flatMap(manifestsIn);

/** A value deep in a manifest. */
function valueAt(manifest: Manifest | undefined, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    manifest,
  );
}

const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
const POD = ['spec', 'template', 'spec'];
const CONTAINER = [...POD, 'containers', 0];

describe('the Kubernetes manifests', () => {
  test('have only fields and values that Kubernetes knows', () => {
    expect(faultsOf(manifests)).toEqual([]);
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
