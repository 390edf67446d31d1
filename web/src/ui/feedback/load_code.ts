/**
 * Loads code on demand over a connection that may fail: a failed import is repeated, first quickly, then slower. Style
 * sheets that failed to load are requested again with the code.
 */
const QUICK_RETRIES_MS = [300, 1_200];
const SLOW_RETRY_MS = 5_000;

/** Rejects if the code cannot be loaded within a few seconds. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (const pause_ms of QUICK_RETRIES_MS) {
    try {
      return await loadOnce(load);
    } catch {
      await pause(pause_ms);
    }
  }
  return loadOnce(load);
}

/** Never rejects: after the first failures it calls `onFailure` once and goes on until the code is there. */
export async function loadCodeEventually<T>(load: () => Promise<T>, onFailure: () => void = () => {}): Promise<T> {
  try {
    return await loadCode(load);
  } catch {
    onFailure();
  }
  for (;;) {
    await pauseOrOnline(SLOW_RETRY_MS);
    try {
      return await loadOnce(load);
    } catch {
      // The next round retries.
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function pauseOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
  });
}

/** The addresses of style sheets that failed to load. The bundler would not request them again. */
const missingStyles = new Set<string>();
const STYLE_ERROR = /Unable to preload CSS for (\S+)/;

async function loadOnce<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all([...missingStyles].map(loadStyle));
  try {
    return await load();
  } catch (error) {
    const href = STYLE_ERROR.exec(error instanceof Error ? error.message : '')?.[1];
    if (href) missingStyles.add(href);
    throw error;
  }
}

function loadStyle(href: string): Promise<void> {
  for (const old of document.querySelectorAll(`link[href="${CSS.escape(href)}"]`)) old.remove();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => {
      missingStyles.delete(href);
      resolve();
    };
    link.onerror = () => {
      link.remove();
      reject(new Error(`Unable to preload CSS for ${href}`));
    };
    document.head.append(link);
  });
}
