// Magic numbers that refuse so many times and then accept: how often each message was refused by now.
const most = 10_000;

export class Refusals {
  #refused = new Map<string, number>();

  /** Whether it is refused once more; without `times`, always. */
  still(key: string, times: number | undefined): boolean {
    if (times === undefined) return true;
    const refused = this.#refused.get(key) ?? 0;
    this.#refused.delete(key);
    if (refused >= times) return false;
    this.#refused.set(key, refused + 1);
    if (this.#refused.size > most) this.#refused.delete(this.#refused.keys().next().value!);
    return true;
  }

  clear(): void {
    this.#refused.clear();
  }
}
