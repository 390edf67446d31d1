/**
 * Measures the time from an interaction to the next paint in Chromium, on the log, in the inbox, and in a thread of
 * 5,000 messages. The yardstick is a bare page in the same browser whose click handler changes one word.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../../test_chromium.ts';
import { percentile, type Result, type Rig } from '../rig.ts';
import { makeScreens } from './screens.ts';

const MAX_P95_MS = 100;
const ROUNDS = 24;

export async function measureInteractions(rig: Rig): Promise<Result[]> {
  const screens = await makeScreens(rig);
  const browser = await chromium.launch(CHROMIUM);
  try {
    const yardstick = await measureYardstick(browser, rig.url);
    const results: Result[] = [];
    for (const [name, path, interact] of [
      ['the log', screens.log, useLog],
      ['the inbox', screens.inbox, useInbox],
      ['a thread of 5,000', screens.thread, useThread],
    ] as const) {
      const page = await openScreen(browser, rig.url + path, screens.token);
      await interact(page);
      const interactions = await readInteractions(page);
      await page.close();
      const times = interactions.map(({ duration }) => duration);
      for (const { duration, event } of interactions.sort((a, b) => b.duration - a.duration).slice(0, 3))
        console.log(`  ${name}: ${duration} ms, ${event}`);
      const p95 = percentile(times, 95);
      results.push({
        name: `Interaction to next paint in ${name}, ${times.length} interactions`,
        parley: `p95 ${p95} ms, p50 ${percentile(times, 50)} ms`,
        baseline: `a bare page p95 ${yardstick} ms`,
        ratio: (p95 / yardstick).toFixed(1),
        target: `p95 under ${MAX_P95_MS} ms`,
        met: times.length >= ROUNDS && p95 < MAX_P95_MS,
      });
    }
    return results;
  } finally {
    await browser.close();
  }
}

export async function openScreen(browser: Browser, url: string, token: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(new URL('/livez', url).href);
  await page.evaluate((value) => localStorage.setItem('parley.token', value), token);
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByRole('region', { name: 'Conversations' }))
    .first()
    .waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(1_500);
  return page;
}

/** Runs in the page. An interaction can have several events; the longest counts, as in the browser's own metric. */
const OBSERVE = `
  const times = (window.interactionTimes = new Map());
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries())
      if (interactionId && duration > (times.get(interactionId)?.duration ?? 0))
        times.set(interactionId, { duration, event: name + ' on ' + (target?.ariaLabel || target?.nodeName) });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;
/** A bare page of the same origin. */
const YARDSTICK = `
  const button = document.createElement('button');
  button.textContent = 'Off';
  button.addEventListener('click', () => { button.textContent = button.textContent === 'On' ? 'Off' : 'On'; });
  document.body.replaceChildren(button);`;

interface Interaction {
  duration: number;
  event: string;
}

async function readInteractions(page: Page): Promise<Interaction[]> {
  await page.waitForTimeout(300);
  return page.evaluate<Interaction[]>('[...window.interactionTimes.values()]');
}

async function measureYardstick(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(new URL('/livez', url).href);
  await page.evaluate(YARDSTICK);
  for (let round = 0; round < ROUNDS * 3; round++) {
    await page.getByRole('button').click();
    await page.waitForTimeout(50);
  }
  const times = (await readInteractions(page)).map(({ duration }) => duration);
  await page.close();
  return Math.max(8, percentile(times, 95) || 0);
}

/** Opens and closes the details of messages, and searches. */
async function useLog(page: Page): Promise<void> {
  const rows = page.getByRole('table').locator('tbody tr');
  for (let round = 0; round < ROUNDS; round++) {
    await rows
      .nth(round % 8)
      .locator('td')
      .nth(1)
      .click();
    await page.waitForTimeout(250);
    await page.keyboard.press('Escape');
    await page.waitForTimeout(250);
  }
  await page.getByRole('searchbox').or(page.getByRole('textbox')).first().click();
  await page.keyboard.type('447410000', { delay: 120 });
}

/** Opens one conversation after another. */
async function useInbox(page: Page): Promise<void> {
  const conversations = page
    .getByRole('region', { name: 'Conversations' })
    .getByRole('button')
    .filter({ has: page.getByRole('img') });
  for (let round = 0; round < ROUNDS; round++) {
    await conversations.nth(round % 8).click();
    await page.waitForTimeout(350);
  }
  await page.getByLabel('Search the inbox').click();
  await page.keyboard.type('7410', { delay: 120 });
}

/** Reads the thread upward, so that older messages load, and writes a reply. */
async function useThread(page: Page): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.waitFor();
  for (let round = 0; round < ROUNDS * 2; round++) {
    await messages.focus();
    await page.keyboard.press('PageUp');
    await page.waitForTimeout(150);
  }
  await page.getByRole('textbox', { name: /^Reply to/ }).click();
  await page.keyboard.type('Thank you, it arrived today.', { delay: 60 });
}
