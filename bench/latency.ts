/**
 * Measures the time on an idle system from the API request until the message arrives on the virtual phone. The baseline
 * is a bare HTTP request to the same server.
 */
import { makeCarrier, makeCompany, makeSender, testNumber } from '@parley/server/src/test/make.ts';
import { api, median, percentile, type Result, type Rig } from './rig.ts';

const COUNT = 200;

export async function latency(rig: Rig): Promise<Result> {
  await makeCarrier(rig.kernel, { port: rig.sandbox.smpp }).catch(() => null);
  const company = await makeCompany(rig.kernel);
  const { sender_id } = await makeSender(rig.kernel, company.account_id);
  const caller = api(rig.url, company.token);
  const times: number[] = [];
  const baseline: number[] = [];
  const arrivals = await watchPhones(rig.sandbox.url);
  try {
    for (let index = 0; index < COUNT; index++) {
      let startedAt = performance.now();
      await caller.get('/v1/accounts/self');
      baseline.push(performance.now() - startedAt);
      const to = testNumber(5_000_000 + index);
      const arrival = arrivals.at(to);
      startedAt = performance.now();
      await caller.post('/v1/messages', { from: sender_id, to: [to], channel: 'SMS', text: `Number ${index}` });
      times.push((await arrival) - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60));
    }
  } finally {
    arrivals.close();
  }
  const p99 = percentile(times, 99);
  return {
    name: `Accept to handset, ${COUNT} single messages on an idle system`,
    parley: `p50 ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    baseline: `a bare request p50 ${median(baseline).toFixed(1)} ms`,
    ratio: (median(times) / median(baseline)).toFixed(1),
    target: 'p99 under 250 ms',
    met: p99 < 250,
  };
}

/** Follows the sandbox's live feed, because polling would slow down the system being measured. */
export async function watchPhones(url: string): Promise<{ at(digits: string): Promise<number>; close(): void }> {
  const stop = new AbortController();
  const waiting = new Map<string, (at: number) => void>();
  const response = await fetch(`${url}/api/live`, { signal: stop.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const now = performance.now();
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        for (const [digits, resolve] of waiting) {
          if (!line.includes(digits)) continue;
          waiting.delete(digits);
          resolve(now);
        }
      }
    }
  })().catch(() => {});
  return {
    at: (digits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no message arrived at ${digits}`)), 20_000);
        waiting.set(digits, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      }),
    close: () => stop.abort(),
  };
}
