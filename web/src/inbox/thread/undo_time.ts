/** How long sent replies wait on the server, so that their author can undo them. Each device has its own setting. */
const KEY = 'parley.undo_seconds';

/** At most MAX_UNDO_SECONDS of the contract. With zero, replies are sent immediately. */
export const UNDO_TIMES = [0, 5, 10, 20, 30] as const;
const DEFAULT_SECONDS = 5;

export function readUndoSeconds(): number {
  const stored = localStorage.getItem(KEY);
  const known = UNDO_TIMES.find((seconds) => String(seconds) === stored);
  return known ?? DEFAULT_SECONDS;
}

export const saveUndoSeconds = (seconds: number): void => localStorage.setItem(KEY, String(seconds));
