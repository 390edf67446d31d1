import type { Adapter, AdapterPayload } from 'oidc-provider';

const maxEntries = 5_000;

/** Stores the provider's short-lived data in memory. Each entry is kept until it expires. */
export class OidcStore implements Adapter {
  private static readonly entries = new Map<string, { payload: AdapterPayload; until: number }>();
  private readonly kind: string;

  constructor(kind: string) {
    this.kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, expires_in: number): Promise<void> {
    const { entries } = OidcStore;
    entries.set(this.key(id), { payload, until: Date.now() + expires_in * 1000 });
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = OidcStore.entries.get(this.key(id));
    return entry && entry.until > Date.now() ? entry.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findBy((payload) => payload.uid === uid);
  }

  async findByUserCode(code: string): Promise<AdapterPayload | undefined> {
    return this.findBy((payload) => payload.userCode === code);
  }

  async consume(id: string): Promise<void> {
    const entry = OidcStore.entries.get(this.key(id));
    if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    OidcStore.entries.delete(this.key(id));
  }

  async revokeByGrantId(grant: string): Promise<void> {
    for (const [key, { payload }] of OidcStore.entries) if (payload.grantId === grant) OidcStore.entries.delete(key);
  }

  private key(id: string): string {
    return `${this.kind} ${id}`;
  }

  private findBy(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, until }] of OidcStore.entries) {
      if (key.startsWith(`${this.kind} `) && until > Date.now() && matches(payload)) return payload;
    }
    return undefined;
  }
}
