/**
 * A page that complains is a broken page: every console error or warning, every uncaught error, every answer of 400 and above and every request
 * that failed is a finding, and a test with findings fails unless it said before that it would cause them.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test';

export interface Quiet {
  watch(context: BrowserContext): void;
  /** This must happen: `/^401 GET \/v1\/users\/self\/token/`. */
  expect(finding: RegExp): void;
  /** This may happen, as often as it likes: the server is about to be killed. */
  allow(finding: RegExp): void;
  demand(): void;
}

export function listenFor(): Quiet {
  const findings: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];
  return {
    watch(context) {
      context.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return;
        // The browser's own line about an answer or a failure; those are told below, with what was asked.
        if (message.text().startsWith('Failed to load resource')) return;
        findings.push(`console ${message.type()}: ${message.text()}${at(message.page())}`);
      });
      context.on('weberror', (error) => findings.push(`uncaught: ${error.error()}${at(error.page())}`));
      context.on('response', (answer) => {
        if (answer.status() < 400) return;
        findings.push(`${answer.status()} ${answer.request().method()} ${pathOf(answer.url())}`);
      });
      context.on('requestfailed', (request) => {
        const why = request.failure()?.errorText ?? '';
        // The page itself gave it up: it went elsewhere.
        if (why === 'net::ERR_ABORTED') return;
        findings.push(`failed ${request.method()} ${pathOf(request.url())} ${why}`);
      });
    },
    expect: (finding) => void expected.push(finding),
    allow: (finding) => void allowed.push(finding),
    demand() {
      const known = [...expected, ...allowed];
      const left = findings.filter((finding) => !known.some((pattern) => pattern.test(finding)));
      const missing = expected.filter((pattern) => !findings.some((finding) => pattern.test(finding)));
      expect(left, 'what the pages complained about').toEqual([]);
      expect(missing.map(String), 'what was expected and did not happen').toEqual([]);
    },
  };
}

const at = (page: Page | null): string => (page ? ` (on ${pathOf(page.url())})` : '');

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
