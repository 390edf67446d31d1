/**
 * Metrics for Prometheus. Declare a metric in the file that counts it. Use base units, and never use an account, a
 * phone number, or an address as a label, because each label value creates a time series that is kept. The metrics and
 * health pages have their own port and are off unless METRICS_PORT is set.
 */
import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const registry = new Registry();

function once<T>(name: string, make: () => T): T {
  return (registry.getSingleMetric(name) as T | undefined) ?? make();
}

/** Declaring the same name twice returns the same metric, so an app can be built twice in one process. */
export const metrics = {
  counter: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
    once(name, () => new Counter({ name, help, labelNames, registers: [registry] })),
  gauge: <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    once(name, () => new Gauge({ name, help, labelNames, registers: [registry] })),
  /** The default buckets are durations in seconds. */
  histogram: <L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets: number[] = SECONDS,
  ): Histogram<L> => once(name, () => new Histogram({ name, help, labelNames, buckets, registers: [registry] })),
  text: (): Promise<string> => registry.metrics(),
};

let collecting = false;

interface Probes {
  ready(): Promise<boolean>;
  /** Updates the metrics that are read on demand instead of counted. */
  measure(): Promise<void>;
}

export async function serveMetrics(port: number, host: string, probes: Probes): Promise<Server> {
  if (!collecting) collectDefaultMetrics({ register: registry });
  collecting = true;
  const pages: Record<string, () => Promise<{ status: number; type: string; text: string }>> = {
    '/metrics': async () => {
      await probes.measure();
      return { status: 200, type: registry.contentType, text: await metrics.text() };
    },
    '/livez': async () => ({ status: 200, type: 'text/plain', text: 'ok\n' }),
    '/readyz': async () =>
      (await probes.ready().catch(() => false))
        ? { status: 200, type: 'text/plain', text: 'ok\n' }
        : { status: 503, type: 'text/plain', text: 'not ready\n' },
  };
  const server = createServer((request, response) => {
    const page = request.method === 'GET' ? pages[request.url?.split('?')[0] ?? ''] : undefined;
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
