/** How tests start the Chromium that `npm test` found or installed. */
import { existsSync } from 'node:fs';

const program = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);

/** Launch options for Playwright. Without a program, Playwright uses its own browser. */
export const CHROMIUM = {
  ...(program ? { executablePath: program } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
