/**
 * Measures in Chromium how long a thread of 5,000 messages takes from the click on its row to its last message on the
 * screen, and the long tasks while the user scrolls to its beginning. The yardstick is a thread of two messages.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../../test_chromium.ts';
import { percentile, type Result, type Rig } from '../rig.ts';
import { openScreen } from './interaction.ts';
import { makeScreens, type Screens } from './screens.ts';

const MAX_OPEN_MS = 200;
/** The shortest duration of a long task, as browsers define it. */
const LONG_MS = 50;
const ROUNDS = 10;
const MAX_STEPS = 1_000;
/** The rows of the list: the long thread has the latest message. */
const [LONG_ROW, SHORT_ROW, OTHER_ROW] = [0, 1, 5];

export async function openLongThread(rig: Rig): Promise<Result[]> {
  const screens = await makeScreens(rig);
  const browser = await chromium.launch(CHROMIUM);
  try {
    const short = await measureOpening(browser, rig, screens, SHORT_ROW);
    const long = await measureOpening(browser, rig, screens, LONG_ROW);
    const [p50, p95] = [percentile(long.times, 50), percentile(long.times, 95)];
    const yardstick = percentile(short.times, 95);
    return [
      {
        name: `A thread of 5,000 messages from the click to its last message, ${ROUNDS} times`,
        parley:
          `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; CPU time of the page p95 ` +
          `${percentile(long.cpu, 95).toFixed(0)} ms`,
        baseline: `a thread of 2 messages p95 ${yardstick.toFixed(0)} ms`,
        ratio: (p95 / yardstick).toFixed(1),
        target: `p95 under ${MAX_OPEN_MS} ms`,
        met: p95 < MAX_OPEN_MS,
      },
      await measureScrolling(browser, rig, screens),
    ];
  } finally {
    await browser.close();
  }
}

interface Opening {
  times: number[];
  /** The CPU time of the page in milliseconds, which other programs on the machine do not change. */
  cpu: number[];
}

/** Each round loads the page again, so that the thread is not in its cache. Another thread loads the code first. */
async function measureOpening(browser: Browser, rig: Rig, { inbox, token }: Screens, row: number): Promise<Opening> {
  const times: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openScreen(browser, rig.url + inbox, token);
    const rows = page
      .getByRole('region', { name: 'Conversations' })
      .getByRole('button')
      .filter({ has: page.getByRole('img') });
    await rows.nth(OTHER_ROW).click();
    await page.getByRole('region', { name: 'Messages' }).getByRole('article').first().waitFor();
    await page.waitForTimeout(500);
    await rows.nth(row).evaluate((element) => void Object.assign(globalThis, { row: element }));
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readCpu = async () => {
      const { metrics } = await client.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    };
    const before = await readCpu();
    times.push(await page.evaluate<number>(TIME_OPENING));
    cpu.push((await readCpu()) - before);
    await page.close();
  }
  return { times, cpu };
}

/** Runs in the page: clicks the row, and waits until the messages of its conversation are painted. */
const TIME_OPENING = `new Promise((resolve) => {
  const before = document.querySelector('[aria-label="Messages"]');
  const startedAt = performance.now();
  const check = () => {
    const messages = document.querySelector('[aria-label="Messages"]');
    if (messages && messages !== before && messages.querySelector('article'))
      setTimeout(() => resolve(performance.now() - startedAt));
    else requestAnimationFrame(check);
  };
  window.row.click();
  requestAnimationFrame(check);
})`;

/** Tasks are measured in CPU time, so that other programs on the machine do not make them longer. */
async function measureScrolling(browser: Browser, rig: Rig, { thread, token }: Screens): Promise<Result> {
  const page = await openScreen(browser, rig.url + thread, token);
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.getByRole('article').first().waitFor();
  await browser.startTracing(page, { categories: ['toplevel'] });
  await messages.hover();
  const beginning = messages.getByText('This is the beginning of the conversation');
  let steps = 0;
  while (steps < MAX_STEPS && !(await isInView(page, beginning))) {
    await page.mouse.wheel(0, -1_500);
    await page.waitForTimeout(30);
    steps++;
  }
  const tasks = readTasks(await browser.stopTracing());
  const reached = await isInView(page, beginning);
  await page.close();
  const long = tasks.filter((ms) => ms > LONG_MS);
  const longest = Math.max(0, ...tasks);
  return {
    name: `Scrolling through a thread of 5,000 messages in ${steps} steps`,
    parley:
      `${long.length} of ${tasks.length} tasks over ${LONG_MS} ms of CPU time, p99 ` +
      `${percentile(tasks, 99).toFixed(0)} ms, the longest ${longest.toFixed(0)} ms`,
    baseline: reached ? 'up to its beginning' : 'its beginning was not reached',
    ratio: (longest / LONG_MS).toFixed(1),
    target: 'no long tasks',
    met: reached && tasks.length > 0 && long.length === 0,
  };
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** The CPU time in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** The CPU time in milliseconds of each task on the main threads of pages. */
function readTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(
      ({ name, pid, tid, tdur }) => name.endsWith('RunTask') && tdur !== undefined && threads.has(`${pid} ${tid}`),
    )
    .map(({ tdur }) => tdur! / 1_000);
}

const isInView = async (page: Page, element: ReturnType<Page['getByText']>): Promise<boolean> => {
  const box = await element.boundingBox({ timeout: 100 }).catch(() => null);
  return box !== null && box.y >= 0 && box.y < page.viewportSize()!.height;
};
