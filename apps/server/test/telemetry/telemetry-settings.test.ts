import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { telemetrySettings } from '../../src/telemetry/telemetry-settings.ts';
import { importsWithin } from '../structure/imports.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

it.each([
  ['nothing without a collector', {}, [false, false]],
  ['nothing for an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, [false, false]],
  ['both to one', ENDPOINT, [true, true]],
  ['traces alone', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/t' }, [true, false]],
  ['metrics alone', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://c/m' }, [false, true]],
  ['what is not turned off', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, [false, true]],
  ['nothing when it is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }, [false, false]],
])('sends %s', (_what, environment, [traces, metrics]) => {
  expect(telemetrySettings(environment)).toEqual({ traces, metrics });
});

it('refuses an endpoint that is no URL, without quoting it', () => {
  for (const value of ['collector:4318', 'secret@collector', 'grpc://collector:4317']) {
    expect(() => telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: value })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https URL.',
    );
  }
});

it('loads OpenTelemetry in one place alone, when it is called', () => {
  const server = fileURLToPath(new URL('../../src/', import.meta.url));
  const users = importsWithin(server)
    .filter(({ specifier, values }) => specifier.startsWith('@opentelemetry/') && values.length > 0)
    .map(({ file }) => file);
  expect([...new Set(users)]).toEqual(['telemetry/open-telemetry.ts']);
});
