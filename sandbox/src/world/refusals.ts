const maxEntries = 10_000;

/** Counts refusals, for magic numbers that refuse a message a few times and then accept it. */
export class Refusals {
  private refused = new Map<string, number>();

  /** Returns whether to refuse the message once more. Without `times`, the result is always true. */
  shouldRefuse(key: string, times: number | undefined): boolean {
    if (times === undefined) return true;
    const refused = this.refused.get(key) ?? 0;
    this.refused.delete(key);
    if (refused >= times) return false;
    this.refused.set(key, refused + 1);
    if (this.refused.size > maxEntries) this.refused.delete(this.refused.keys().next().value!);
    return true;
  }

  clear(): void {
    this.refused.clear();
  }
}
