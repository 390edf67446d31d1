/**
 * Days as `yyyy-MM-dd` in the account's zone, both inclusive, or times as `yyyy-MM-ddTHH:mm` from a link; null leaves
 * that end open.
 */
export interface DateRange {
  from: string | null;
  to: string | null;
}
