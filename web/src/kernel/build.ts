/** The build of the app in this tab, and whether the server has a newer one. */
const ENTRY = /<script[^>]*\ssrc="([^"]+)"/;

/** The address of the entry script, which contains a hash of the build. */
const readEntry = (): string | null =>
  document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** The entry script of the server's build if it differs from this tab's; null if it is the same or unknown. */
export async function findNewBuild(): Promise<string | null> {
  const current = readEntry();
  // The development server has no builds.
  if (!current?.startsWith('/assets/')) return null;
  try {
    const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
    if (!response.ok) return null;
    const latest = ENTRY.exec(await response.text())?.[1];
    return latest && latest !== current ? latest : null;
  } catch {
    return null;
  }
}
