/**
 * Fails a test if its pages report problems. Every console error or warning, uncaught error, response with a status of
 * 400 or above, and failed request is a finding, unless the test announced it.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test';

export interface Quiet {
  watch(context: BrowserContext): void;
  /** Announces a finding that must occur, such as `/^401 GET \/v1\/users\/self\/token/`. */
  expect(finding: RegExp): void;
  /** Announces a finding that may occur any number of times, such as failed requests to a killed server. */
  allow(finding: RegExp): void;
  /** Fails on unannounced findings and on expected findings that did not occur. */
  verify(): void;
}

export function createQuiet(): Quiet {
  const findings: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];
  return {
    watch(context) {
      context.on('console', (message) => {
        if (!['error', 'warning'].includes(message.type())) return;
        // Chromium also logs failed responses and requests. These are recorded below, together with the request.
        if (message.text().startsWith('Failed to load resource')) return;
        findings.push(`console ${message.type()}: ${message.text()}${at(message.page())}`);
      });
      context.on('weberror', (error) => findings.push(`uncaught: ${error.error()}${at(error.page())}`));
      context.on('response', (response) => {
        if (response.status() < 400) return;
        findings.push(`${response.status()} ${response.request().method()} ${readPath(response.url())}`);
      });
      context.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? '';
        // The page canceled the request itself, usually by navigating away.
        if (reason === 'net::ERR_ABORTED') return;
        findings.push(`failed ${request.method()} ${readPath(request.url())} ${reason}`);
      });
    },
    expect: (finding) => void expected.push(finding),
    allow: (finding) => void allowed.push(finding),
    verify() {
      const patterns = [...expected, ...allowed];
      const unexpected = findings.filter((finding) => !patterns.some((pattern) => pattern.test(finding)));
      const missing = expected.filter((pattern) => !findings.some((finding) => pattern.test(finding)));
      expect(unexpected, 'unexpected findings').toEqual([]);
      expect(missing.map(String), 'expected findings that did not occur').toEqual([]);
    },
  };
}

const at = (page: Page | null): string => (page ? ` (on ${readPath(page.url())})` : '');

function readPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
