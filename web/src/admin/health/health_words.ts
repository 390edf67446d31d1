/** "12 s", "5 min", "3 h"; a dash for an empty queue. */
export function formatWait(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${Math.max(0, seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
