import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

/**
 * What happy-dom cannot know: it lays nothing out, so a focus trap sees no element that could take the focus (and prints the whole dialog), and it has
 * not heard of every tag of HTML. Everything else that is complained about is shown.
 */
const CANNOT_KNOW = [
  /Failed to find focusable element within provided node/,
  /^The tag <%?\w+> is unrecognized in this browser/,
];
for (const level of ['warn', 'error'] as const) {
  const say = console[level].bind(console);
  console[level] = (...words: unknown[]) => {
    if (!CANNOT_KNOW.some((known) => known.test(String(words[0])))) say(...words);
  };
}

// Only for tests that draw; those in plain Node have no document.
if (typeof window !== 'undefined') {
  // Fields that grow with their text ask when fonts are there; happy-dom has none.
  if (!document.fonts) Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  // Contracts and pages are loaded when they are needed, which takes its time on a busy machine.
  configure({ asyncUtilTimeout: 10_000 });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    // Files share one loaded app: what one told must not stand on the page of the next.
    notifications.clean();
    notifications.cleanQueue();
  });
}
