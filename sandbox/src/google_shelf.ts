// Where the provider keeps what it needs for the next minutes: in memory, at most so many things, each until it expires.
import type { Adapter, AdapterPayload } from 'oidc-provider';

const most = 5_000;

export class Shelf implements Adapter {
  private static readonly things = new Map<string, { payload: AdapterPayload; until: number }>();
  private readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, expires_in: number): Promise<void> {
    const { things } = Shelf;
    things.set(this.key(id), { payload, until: Date.now() + expires_in * 1000 });
    if (things.size > most) things.delete(things.keys().next().value!);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const thing = Shelf.things.get(this.key(id));
    return thing && thing.until > Date.now() ? thing.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.search((payload) => payload.uid === uid);
  }

  async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    return this.search((payload) => payload.userCode === code);
  }

  async consume(id: string): Promise<void> {
    const thing = Shelf.things.get(this.key(id));
    if (thing) thing.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    Shelf.things.delete(this.key(id));
  }

  async revokeByGrantId(grant: string): Promise<void> {
    for (const [key, { payload }] of Shelf.things) if (payload.grantId === grant) Shelf.things.delete(key);
  }

  private key(id: string): string {
    return `${this.kind} ${id}`;
  }

  private search(fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, until }] of Shelf.things)
      if (key.startsWith(`${this.kind} `) && until > Date.now() && fits(payload)) return payload;
    return undefined;
  }
}
