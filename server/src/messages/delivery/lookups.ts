/**
 * Asks carriers for messages whose response was lost, if their API allows it. A message that the carrier has becomes
 * `sent`. A message that it does not have proves nothing, because it may still arrive there: the connection's policy
 * decides after the grace period (status/ambiguous.ts).
 */
import { adaptersWith, getAdapter } from '../../channels/index.ts';
import { openConnection } from '../../connections/connections.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { readText } from '../model/sealed_text.ts';
import { proveParts } from '../status/evidence.ts';
import { knownParts, type OpenSubmission } from '../status/open_submission.ts';
import { applyStatuses } from '../status/status.ts';

/** A receipt usually arrives earlier. */
const FIRST_AFTER = '5 seconds';
const AGAIN_AFTER_MS = 30_000;
/** The calls of one round. */
const BATCH = 20;

interface LostMessage extends OpenSubmission {
  sealed_text: string | null;
  attempt: number;
  number: string;
  sender_address: string;
  sent_at: number;
}

export class Lookups {
  private readonly kernel: Kernel;
  private readonly first_after: string;
  /** When each submission was last looked up. */
  private readonly asked = new Map<string, number>();
  private round: Promise<void> | null = null;

  constructor(kernel: Kernel, first_after = FIRST_AFTER) {
    this.kernel = kernel;
    this.first_after = first_after;
  }

  /** Starts a round unless one is running. Other tasks need not wait for the carriers. */
  start(): void {
    this.round ??= this.run()
      .catch((error) => this.kernel.log.error({ err: error }, 'lookup of lost messages failed'))
      .finally(() => {
        this.round = null;
      });
  }

  async idle(): Promise<void> {
    await this.round;
  }

  async run(): Promise<void> {
    const now = performance.now();
    for (const [key, at] of this.asked) if (now - at > AGAIN_AFTER_MS) this.asked.delete(key);
    const rows = (await this.select()).filter((row) => !this.asked.has(toKey(row)));
    for (const row of rows.slice(0, BATCH)) {
      this.asked.set(toKey(row), now);
      await this.lookUp(row).catch((error) =>
        this.kernel.log.warn({ err: error, message_id: row.message_id }, 'a lost message could not be looked up'),
      );
    }
  }

  private select(): Promise<LostMessage[]> {
    return this.kernel.db.rows<LostMessage>(sql`
      select d.account_id, d.message_id, d.connection_id, d.attempt, c.adapter, c.settings, m.text, d.sealed_text,
             d.number, d.sender_address, d.reference, false as given_up,
             extract(epoch from d.submit_date)::float8 * 1000 as sent_at, ${knownParts}
      from dispatch d
      join connections c on c.id = d.connection_id
      join messages m on m.account_id = d.account_id and m.id = d.message_id
      where d.stage = 'submitting' and d.worker_id is null and not d.held
        and d.unknown_date < now() - ${this.first_after}::interval
        and c.enabled and c.adapter = any(${adaptersWith('lookup')}::text[])
      order by d.submit_date limit ${BATCH * 10}`);
  }

  private async lookUp(row: LostMessage): Promise<void> {
    const { kernel } = this;
    const connection = await openConnection(kernel, kernel.db, row.connection_id);
    const lookup = connection && getAdapter(row.adapter).lookup;
    if (!lookup) return;
    const { sender_address: from, number: to, reference, sent_at } = row;
    const text = readText(kernel.seals, row);
    const found = await lookup.find(connection.spec, { from, to, text, reference, sent_at });
    if (found.length === 0) return;
    await kernel.db.tx(async (tx) => {
      const known = await tx.rows<{ external_id: string }>(sql`
        select external_id from submissions
        where connection_id = ${row.connection_id} and external_id = any(${found}::text[])`);
      const fresh = found.filter((id) => id !== '' && !known.some(({ external_id }) => external_id === id));
      const open = await tx.maybeOne(sql`
        select 1 from dispatch where account_id = ${row.account_id} and message_id = ${row.message_id}
          and attempt = ${row.attempt} and stage = 'submitting' and worker_id is null for update`);
      // Two candidates may belong to two messages, and then neither is proof.
      if (!open || fresh.length !== 1) return;
      const proof = { ...row, external_id: fresh[0]! };
      await applyStatuses(tx, await proveParts(tx, [proof], 'Confirmed by a status query to the carrier'));
    });
  }
}

const toKey = ({ message_id, attempt }: LostMessage): string => `${message_id} ${attempt}`;
