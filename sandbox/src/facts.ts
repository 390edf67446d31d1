// Small lasting things that are not messages: senders, templates, settings of the channels. Whole values by key, kept in the journal
// and written again at the head of every new segment, so keep them few and small.

export class Facts {
  #values = new Map<string, unknown>();
  #note: (key: string, value: unknown) => void = () => {};

  onChange(note: (key: string, value: unknown) => void): void {
    this.#note = note;
  }

  get<T>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  /** In the order they were first put. */
  list<T>(prefix: string): T[] {
    const found: T[] = [];
    for (const [key, value] of this.#values) if (key.startsWith(prefix)) found.push(value as T);
    return found;
  }

  put(key: string, value: unknown): void {
    this.apply(key, value);
    this.#note(key, value);
  }

  remove(key: string): void {
    if (this.#values.has(key)) this.put(key, null);
  }

  /** For start-up: nothing is noted. */
  apply(key: string, value: unknown): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  clear(keeps: (key: string) => boolean): void {
    for (const key of [...this.#values.keys()]) if (!keeps(key)) this.#values.delete(key);
  }

  entries(): Iterable<[string, unknown]> {
    return this.#values.entries();
  }
}
