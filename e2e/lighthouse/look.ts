/** Lighthouse on a page of a running Parley: a desktop, a Chromium of its own, nobody or somebody signed in. Loopback only. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import config from '../playwright.config.ts';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Look {
  /** Of 100. */
  scores: Record<Category, number>;
  /** Cumulative layout shift. */
  shift: number;
  /** Bytes over the wire, all of them and what of the scripts and styles the page did not use. */
  bytes: { all: number; unused_js: number; unused_css: number };
  /** Whatever cost points of one of these, in words. */
  findings(...categories: Category[]): string[];
}

export async function look(url: string, token?: string): Promise<Look> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-lighthouse-'));
  const options = config.use!.launchOptions!;
  const browser = await chromium.launchPersistentContext(profile, {
    ...options,
    args: [...options.args!, '--remote-debugging-port=0'],
  });
  try {
    if (token) {
      const page = await browser.newPage();
      // Any answer of the same origin will do, but for the app itself, which would go somewhere.
      await page.goto(new URL('/livez', url).href);
      await page.evaluate(([key, value]) => localStorage.setItem(key!, value!), ['parley.token', token]);
      await page.close();
    }
    const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
    // The stream of events never ends, so the network is never idle: no more than this is waited for that.
    const maxWaitForLoad = 12_000;
    const flags = { port: Number(port), disableStorageReset: true, onlyCategories: [...CATEGORIES], maxWaitForLoad };
    const ran = await lighthouse(url, { ...flags, logLevel: 'silent' }, desktopConfig);
    if (!ran) throw new Error(`Lighthouse gave nothing for ${url}`);
    return told(ran.lhr);
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}

function told(result: Result): Look {
  const { audits, categories, runtimeError } = result;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Record<Category, number>;
  const numberOf = (id: string): number => {
    const value = audits[id]?.numericValue;
    if (value === undefined) throw new Error(`Lighthouse has no figure for ${id}`);
    return value;
  };
  const wasted = (id: string): number => {
    const { details } = audits[id] ?? {};
    return details?.type === 'opportunity' ? (details.overallSavingsBytes ?? 0) : 0;
  };
  return {
    scores,
    shift: numberOf('cumulative-layout-shift'),
    bytes: {
      all: numberOf('total-byte-weight'),
      unused_js: wasted('unused-javascript'),
      unused_css: wasted('unused-css-rules'),
    },
    findings: (...wanted) =>
      wanted.flatMap((name) =>
        categories[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(
          ({ id }) => sayOf(audits[id]!),
        ),
      ),
  };
}

/** What it is, how much, and enough to find the place. */
function sayOf({ id, displayValue, details, title }: Result['audits'][string]): string {
  const first = details && 'items' in details ? JSON.stringify((details.items as unknown[])[0]) : undefined;
  return [`${id}: ${title}`, displayValue, first].filter(Boolean).join(' ');
}
