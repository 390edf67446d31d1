/** Days as `yyyy-MM-dd` in the account's zone, both inclusive; null leaves that end open. */
export interface DateRange {
  from: string | null;
  to: string | null;
}
