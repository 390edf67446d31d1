/**
 * Small values that are not messages, such as senders, templates, and channel settings. Each value is stored whole
 * under its key. Every new journal segment starts with all of the values, so keep them few and small.
 */

export class Facts {
  private readonly values = new Map<string, unknown>();
  private record: (key: string, value: unknown) => void = () => {};

  onChange(record: (key: string, value: unknown) => void): void {
    this.record = record;
  }

  get<T>(key: string): T | undefined {
    return this.values.get(key) as T | undefined;
  }

  /** Returns the values whose keys start with the prefix, in the order in which they were first put. */
  list<T>(prefix: string): T[] {
    const values: T[] = [];
    for (const [key, value] of this.values) if (key.startsWith(prefix)) values.push(value as T);
    return values;
  }

  put(key: string, value: unknown): void {
    this.apply(key, value);
    this.record(key, value);
  }

  remove(key: string): void {
    if (this.values.has(key)) this.put(key, null);
  }

  /** Sets a value without recording it. Used to replay the journal. */
  apply(key: string, value: unknown): void {
    if (value === null) this.values.delete(key);
    else this.values.set(key, value);
  }

  clear(isKept: (key: string) => boolean): void {
    for (const key of [...this.values.keys()]) if (!isKept(key)) this.values.delete(key);
  }

  entries(): Iterable<[string, unknown]> {
    return this.values.entries();
  }
}
