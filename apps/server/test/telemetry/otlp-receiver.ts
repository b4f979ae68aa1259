import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Field, fieldsOf, messages, numberOf, textOf } from './protobuf.ts';

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  /** 2: server, 3: client. */
  readonly kind: number;
  /** 2: error. */
  readonly status: number;
  readonly milliseconds: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

export interface ReceivedMetric {
  readonly name: string;
  /** Field of the union in `Metric`: 5 gauge, 7 sum, 9 histogram. */
  readonly type: number;
  readonly points: number;
}

/** A small collector: OTLP over HTTP, as protobuf. */
export interface OtlpReceiver {
  readonly url: string;
  /** Everything that came, as bytes. */
  readonly bodies: Buffer[];
  readonly headers: Record<string, unknown>[];
  /** Of all traces that came. */
  spans(): ReceivedSpan[];
  metrics(): ReceivedMetric[];
  /** Of what sent them. */
  resources(): Record<string, string | number>[];
  /** The status of every answer from now on; undefined: it does not answer. */
  answer: number | undefined;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: { path: string; body: Buffer }[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer(async (req, res) => {
    const sent = await buffer(req);
    headers.push(req.headers);
    const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    received.push({ path: req.url ?? '', body });
    if (receiver.answer !== undefined) res.writeHead(receiver.answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const of = (path: string) =>
    received.filter((one) => one.path === path).flatMap(({ body }) => messages(fieldsOf(body), 1));
  const inScopes = (path: string) =>
    of(path).flatMap((resource) => messages(resource, 2).flatMap((scope) => messages(scope, 2)));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    get bodies() {
      return received.map(({ body }) => body);
    },
    answer: 200,
    spans: () => inScopes('/v1/traces').map(spanOf),
    metrics: () => inScopes('/v1/metrics').map(metricOf),
    resources: () =>
      [...of('/v1/traces'), ...of('/v1/metrics')].flatMap((resource) =>
        messages(resource, 1).map((one) => attributesOf(one, 1)),
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

function spanOf(span: readonly Field[]): ReceivedSpan {
  const [status = []] = messages(span, 15);
  return {
    traceId: textOf(span, 1, 'hex'),
    spanId: textOf(span, 2, 'hex'),
    parentId: textOf(span, 4, 'hex'),
    name: textOf(span, 5),
    kind: numberOf(span, 6),
    status: numberOf(status, 3),
    milliseconds: (numberOf(span, 8) - numberOf(span, 7)) / 1e6,
    attributes: attributesOf(span, 9),
  };
}

function metricOf(metric: readonly Field[]): ReceivedMetric {
  const type = metric.find(([number]) => number >= 5 && number <= 11)?.[0] ?? 0;
  const [data = []] = messages(metric, type);
  return { name: textOf(metric, 1), type, points: messages(data, 1).length };
}

function attributesOf(of: readonly Field[], number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(of, number).map((pair) => {
      const [value = []] = messages(pair, 2);
      const isText = value.some(([kind]) => kind === 1);
      return [textOf(pair, 1), isText ? textOf(value, 1) : numberOf(value, 3)];
    }),
  );
}
