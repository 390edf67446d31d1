/**
 * The `test` function for all files here, with fixtures for the running Parley, the sandbox, signed-in pages, and page
 * problems.
 */
import { type BrowserContextOptions, type Page, test as plain } from '@playwright/test';
import { type Api, PASSWORD, signedIn } from './api.ts';
import { createQuiet, type Quiet } from './quiet.ts';
import { type Sandbox, sandboxAt } from './sandbox.ts';

export { expect, type Locator, type Page } from '@playwright/test';

export interface Addresses {
  app: string;
  admin: string;
  sandbox: string;
  data_dir: string;
}
interface OpenOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'> {
  host?: 'app' | 'admin';
  path?: string;
  /** How long replies can be undone. Not at all by default, so that tests do not wait for it. */
  undoSeconds?: number;
}

interface Fixtures {
  at: Addresses;
  quiet: Quiet;
  sandbox: Sandbox;
  /** Signs in to the API to set up a test. */
  api: (email: string) => Promise<Api>;
  /** Opens a page in its own browser context, already signed in. */
  openAs: (email: string, options?: OpenOptions) => Promise<Page>;
}

export const test = plain.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to find the fixtures it needs
  at: async ({}, use) => use(JSON.parse(process.env.PARLEY_E2E!) as Addresses),
  baseURL: ({ at }, use) => use(at.app),
  quiet: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const quiet = createQuiet();
      await use(quiet);
      quiet.verify();
    },
    { auto: true },
  ],
  sandbox: ({ at }, use) => use(sandboxAt(at.sandbox)),
  context: async ({ context, quiet }, use) => {
    quiet.watch(context);
    await use(context);
  },
  api: ({ at }, use) => use((email) => signedIn(at, email)),
  openAs: async ({ at, browser, quiet, api }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (email, { host = 'app', path = '/', undoSeconds = 0, ...options } = {}) => {
      const { token } = await api(email);
      const context = await browser.newContext({
        baseURL: at[host],
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        storageState: {
          cookies: [],
          origins: [
            { origin: at[host], localStorage: [{ name: 'parley.token', value: token }, ...toUndo(undoSeconds)] },
          ],
        },
        ...options,
      });
      contexts.push(context);
      quiet.watch(context);
      const page = await context.newPage();
      await page.goto(path);
      return page;
    });
    for (const context of contexts) await context.close();
  },
});

const toUndo = (seconds: number) => [{ name: 'parley.undo_seconds', value: String(seconds) }];

/** Signs in through the sign-in page. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
