/**
 * Runs Lighthouse on a page of a running Parley: as a desktop, in its own Chromium, signed out or signed in. Uses only
 * the loopback interface.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { CHROMIUM } from '../../test_chromium.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
type Category = (typeof CATEGORIES)[number];

interface Report {
  /** Scores out of 100. */
  scores: Record<Category, number>;
  /** Cumulative layout shift. */
  shift: number;
  /** Total blocking time. */
  blocking_ms: number;
  /** Files besides API calls: the page, scripts, styles, fonts, and images. */
  files: number;
  /** Transferred bytes: the total, and the scripts and styles that the page did not use. */
  bytes: { all: number; unused_js: number; unused_css: number };
  /** Describes every audit that lost points in the given categories. */
  findings(...categories: Category[]): string[];
}

export async function audit(url: string, token?: string): Promise<Report> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-lighthouse-'));
  const browser = await chromium.launchPersistentContext(profile, {
    ...CHROMIUM,
    args: [...CHROMIUM.args, '--remote-debugging-port=0'],
  });
  try {
    if (token) {
      const page = await browser.newPage();
      // Opens a response from the same origin to set local storage. The app itself would redirect.
      await page.goto(new URL('/livez', url).href);
      await page.evaluate(([key, value]) => localStorage.setItem(key!, value!), ['parley.token', token]);
      await page.close();
    }
    const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
    // The event stream never ends, so the network never becomes idle. This limits how long Lighthouse waits for that.
    const maxWaitForLoad = 12_000;
    const flags = { port: Number(port), disableStorageReset: true, onlyCategories: [...CATEGORIES], maxWaitForLoad };
    const result = await lighthouse(url, { ...flags, logLevel: 'silent' }, desktopConfig);
    if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
    return buildReport(result.lhr);
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}

function buildReport(result: Result): Report {
  const { audits, categories, runtimeError } = result;
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Record<Category, number>;
  const readFigure = (id: string): number => {
    const value = audits[id]?.numericValue;
    if (value === undefined) throw new Error(`Lighthouse returned no figure for ${id}`);
    return value;
  };
  const readSavings = (id: string): number => {
    const { details } = audits[id] ?? {};
    return details?.type === 'opportunity' ? (details.overallSavingsBytes ?? 0) : 0;
  };
  return {
    scores,
    shift: readFigure('cumulative-layout-shift'),
    blocking_ms: readFigure('total-blocking-time'),
    files: countFiles(audits),
    bytes: {
      all: readFigure('total-byte-weight'),
      unused_js: readSavings('unused-javascript'),
      unused_css: readSavings('unused-css-rules'),
    },
    findings: (...names) =>
      names.flatMap((name) =>
        categories[name]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(
          ({ id }) => describeAudit(audits[id]!),
        ),
      ),
  };
}

function countFiles(audits: Result['audits']): number {
  const { details } = audits['network-requests'] ?? {};
  if (!details || !('items' in details)) throw new Error('Lighthouse listed no requests');
  const items = details.items as { resourceType?: string; url: string }[];
  return items.filter(({ resourceType, url }) => resourceType !== 'Preflight' && !/\/v1\//.test(url)).length;
}

/** Describes an audit with its figure and its first item. */
function describeAudit({ id, displayValue, details, title }: Result['audits'][string]): string {
  const first = details && 'items' in details ? JSON.stringify((details.items as unknown[])[0]) : undefined;
  return [`${id}: ${title}`, displayValue, first].filter(Boolean).join(' ');
}
