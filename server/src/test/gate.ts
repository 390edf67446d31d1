/** A verified company with a sender, an unreachable carrier, and funds for 25 messages, for testing the gate. */
import { expect } from 'vitest';
import { type Sql, sql } from '../kernel/db/db.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from './make.ts';
import { type Caller, createWorld, type Reply, type World } from './world.ts';

export const ANNA = '447400000001';
export const BRUNO = '447400000002';
export const PRICE = 40_000;
export const FUNDS = 1_000_000;

const TABLES = {
  messages: sql`messages`,
  dispatch: sql`dispatch`,
  ledger: sql`ledger`,
  holds: sql`holds`,
  events: sql`events`,
} satisfies Record<string, Sql>;

export interface Gate {
  world: World;
  company: Company;
  /** The sending user, initially the owner. */
  api: Caller;
  code: string;
  sender_id: string;
  /** Replaces the company with a new one. */
  renew(balance_micros?: number): Promise<void>;
  send(fields?: object, headers?: Record<string, string>): Promise<Reply>;
  count(table: keyof typeof TABLES): Promise<number>;
  balance(): Promise<{ available_micros: number; held_micros: number }>;
  expectNoMessages(): Promise<void>;
  /** Expects all consistency checks to pass. */
  expectSound(): Promise<void>;
}

export async function createGate(settings: Record<string, string> = {}): Promise<Gate> {
  const world = await createWorld({ role: 'api', settings });
  await makeCarrier(world.kernel, { countries: ['GB', 'US'] });
  const gate = {
    world,
    async renew(balance_micros = FUNDS) {
      gate.company = await makeCompany(world.kernel, { balance_micros });
      Object.assign(gate, await makeSender(world.kernel, gate.company.account_id));
      gate.api = world.as(gate.company.token);
    },
    send: (fields = {}, headers = {}) =>
      gate.api.post(
        '/v1/messages',
        { from: gate.code, to: ANNA, channel: 'sms', text: 'Your order is ready', ...fields },
        headers,
      ),
    async count(table) {
      const { account_id } = gate.company;
      const statement = sql`select count(*) as n from ${TABLES[table]} where account_id = ${account_id}`;
      return (await world.kernel.db.one<{ n: number }>(statement)).n;
    },
    async balance() {
      const { account_id, token } = gate.company;
      return (await world.as(token).get(`/v1/balances/${account_id}`)).body.data;
    },
    async expectNoMessages() {
      expect(await gate.count('messages')).toBe(0);
      expect(await gate.count('dispatch')).toBe(0);
      expect(await gate.count('holds')).toBe(0);
      expect(await gate.balance()).toMatchObject({ held_micros: 0 });
    },
    async expectSound() {
      expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
    },
  } as Gate;
  await gate.renew();
  return gate;
}
