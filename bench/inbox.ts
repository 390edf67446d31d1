/**
 * Measures the inbox of a large team: agents with open pages, many conversations in the same account, and inbound
 * messages at a steady pace. Each message must reach each page exactly once, and the memory of the server must not
 * grow after the server has warmed up. The baseline is the second fifth of the same run.
 */
import { readFile } from 'node:fs/promises';
import { makeCompany, makeSender, makeUser } from '@parley/server/src/test/make.ts';
import { openStream } from './event_stream.ts';
import { connect, fillConversations, inboundMessages } from './inbound.ts';
import { percentile, type Result, type Rig, until } from './rig.ts';

const AGENTS = Number(process.env.BENCH_AGENTS ?? 50);
const CONVERSATIONS = Number(process.env.BENCH_CONVERSATIONS ?? 100_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 300);
const PER_SECOND = 20;
const MAX_GROWTH = 0.2;

export async function teamInbox(rig: Rig): Promise<Result[]> {
  const line = await connect(rig);
  try {
    const company = await makeCompany(rig.kernel);
    const { code, sender_id } = await makeSender(rig.kernel, company.account_id);
    await fillConversations(rig, company.account_id, sender_id, CONVERSATIONS);
    const permissions = { MESSAGES: 15, CONVERSATIONS: 15 };
    const tokens: string[] = [];
    while (tokens.length < AGENTS) tokens.push((await makeUser(rig.kernel, company.account_id, { permissions })).token);
    return [await measure(rig, tokens, inboundMessages(line.session, code).send)];
  } finally {
    await line.server.close();
  }
}

type Send = ReturnType<typeof inboundMessages>['send'];

async function measure(rig: Rig, tokens: readonly string[], send: Send): Promise<Result> {
  const sent = new Map<string, number>();
  const waits: number[] = [];
  /** How often each page got each message. */
  const received = tokens.map(() => new Map<string, number>());
  const streams = await Promise.all(
    tokens.map((token, page) =>
      openStream(rig.url, token, (frame) => {
        const now = performance.now();
        if (!frame.includes('"message.created"')) return;
        const text = /Is order \d+ ready\?/.exec(frame)?.[0] ?? '';
        const startedAt = sent.get(text);
        if (startedAt === undefined) return;
        waits.push(now - startedAt);
        received[page]!.set(text, (received[page]!.get(text) ?? 0) + 1);
      }),
    ),
  );
  const memory: number[] = [];
  const answers: Promise<void>[] = [];
  const total = SECONDS * PER_SECOND;
  const startedAt = performance.now();
  for (let n = 0; n < total; n++) {
    answers.push(send(1, (text) => sent.set(text, performance.now())));
    if (n % PER_SECOND === 0) memory.push(await readMemory(rig.server_pid));
    const next = startedAt + ((n + 1) * 1_000) / PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  await Promise.all(answers);
  await until('every page hears of every message', async () => waits.length >= total * tokens.length, 30_000);
  for (const stream of streams) stream.close();
  const lost = received.reduce((sum, page) => sum + (total - page.size), 0);
  const repeated = received.reduce((sum, page) => sum + [...page.values()].filter((count) => count > 1).length, 0);
  const part = Math.max(1, Math.ceil(memory.length / 5));
  const [first, last] = [mean(memory.slice(part, 2 * part)), mean(memory.slice(-part))];
  const [p50, p99] = [percentile(waits, 50), percentile(waits, 99)];
  const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  return {
    name:
      `${tokens.length} agents, ${CONVERSATIONS.toLocaleString('en-US')} conversations, ${PER_SECOND} inbound ` +
      `messages per second for ${SECONDS} s`,
    parley: `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${lost} lost, ${repeated} repeated, ${mib(last)}`,
    baseline: `${mib(first)} in the second fifth of the time`,
    ratio: (last / first).toFixed(2),
    target: `p99 under 300 ms, none lost or repeated, memory at most ${MAX_GROWTH * 100}% more`,
    met: p99 < 300 && lost === 0 && repeated === 0 && last <= first * (1 + MAX_GROWTH),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

async function readMemory(pid: number): Promise<number> {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1];
  return Number(pages) * 4_096;
}
