/** Receipts and inbound messages for programs, with the real carrier of the sandbox. */

import type { Pdu } from '@parley/smpp/pdu.ts';
import { parseReceipt } from '@parley/smpp/receipt.ts';
import { STATUS } from '@parley/smpp/status.ts';
import type { RawPeer } from '@parley/smpp/test/raw.ts';
import { buildUdh } from '@parley/smpp/udh.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runChecks } from '../kernel/db/check.ts';
import { sql } from '../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { makeSmppCustomer, type SmppCustomer, submitSm } from '../test/smpp/customer.ts';
import { startWorkerProcess } from '../test/worker.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';
import { smppChecks } from './check.ts';
import { expireDeliveries, expireParts } from './expiry.ts';

let world: World;
let carrier: Carrier;
let company: Company;
let code: string;
let customer: SmppCustomer;
let next = 50_000;
const newNumber = () => testNumber(next++);

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true, settings: { SMPP_PORT: String(await freePort()) } });
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 20, receipt_jitter_ms: 0 });
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await makeCompany(world.kernel);
  ({ code } = await makeSender(world.kernel, company.account_id));
  customer = await makeSmppCustomer(world, company);
});

/** Returns the next deliver_sm, and confirms it with this status. */
async function take(peer: RawPeer, command_status = 0): Promise<Pdu> {
  for (;;) {
    const pdu = await peer.next();
    if (!pdu) throw new Error('the connection was closed');
    if (pdu.command !== 'deliver_sm') continue;
    const response = command_status === 0 ? { message_id: '' } : {};
    peer.send({ command: 'deliver_sm_resp', command_status, sequence_number: pdu.sequence_number, ...response });
    return pdu;
  }
}
async function submit(peer: RawPeer, to: string, registered_delivery = 1): Promise<string> {
  peer.send(submitSm(code, to, 'Hello', { registered_delivery }));
  const others: Pdu[] = [];
  for (;;) {
    const pdu = await peer.next();
    if (!pdu) throw new Error('the connection was closed');
    if (pdu.command !== 'submit_sm_resp') {
      others.push(pdu);
      continue;
    }
    expect(pdu.command_status).toBe(0);
    // Receipts of earlier messages are read later.
    peer.received.unshift(...others);
    return pdu.message_id!;
  }
}
const pending = async ({ account }: SmppCustomer = customer) =>
  (await world.as(company.token).get(`/v1/smpp_accounts/${account.id}`)).body.data.pending_count as number;
const isSent = (id: string) =>
  until('the message is delivered', async () => {
    const row = await world.kernel.db.one<{ status: string }>(sql`
      select status from messages where account_id = ${company.account_id} and id = ${id}`);
    return row.status === 'delivered';
  });

describe('a receipt', () => {
  test('has the text of appendix B and the parameters of the message', async () => {
    const { peer } = await customer.bind();
    const to = newNumber();
    const id = await submit(peer, to);
    const pdu = await take(peer);
    expect(pdu).toMatchObject({ source_addr: to, destination_addr: code, esm_class: 4 });
    expect(pdu.tlvs).toMatchObject({ receipted_message_id: id, message_state: 2 });
    expect(pdu.short_message!.toString('latin1')).toMatch(
      new RegExp(`^id:${id} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD err:000 text:Hello$`),
    );
    expect(parseReceipt(pdu)).toMatchObject({ id, state: 'DELIVERED' });
    await until('nothing waits', async () => (await pending()) === 0);
  });

  test('is sent only if registered_delivery requests it', async () => {
    const { peer } = await customer.bind({ type: 'transmitter' });
    const receiver = await customer.bind({ type: 'receiver' });
    const silent = await submit(peer, newNumber(), 0);
    const failures = await submit(peer, newNumber(), 2);
    await isSent(silent);
    await isSent(failures);
    const wanted = await submit(peer, newNumber(), 1);
    expect(parseReceipt(await take(receiver.peer))).toMatchObject({ id: wanted });
  });

  test('waits for a session, and for its confirmation', async () => {
    const { peer } = await customer.bind({ type: 'transmitter' });
    const id = await submit(peer, newNumber());
    await until('the receipt waits', async () => (await pending()) === 1);
    const broken = async () => (await runChecks(world.kernel.db, smppChecks)).filter(({ ok }) => !ok).length;
    const addToCount = (n: number) =>
      world.kernel.db.run(sql`
        update smpp_accounts set pending_count = pending_count + ${n} where id = ${customer.account.id}`);
    expect(await broken()).toBe(0);
    await addToCount(1);
    expect(await broken(), 'the doctor finds a wrong count').toBe(1);
    await addToCount(-1);
    const first = await customer.bind({ type: 'receiver' });
    // The program ends without confirming.
    expect((await first.peer.next())!.command).toBe('deliver_sm');
    first.peer.destroy();
    const second = await customer.bind();
    expect(parseReceipt(await take(second.peer, STATUS.ESME_RX_T_APPN))).toMatchObject({ id });
    expect(parseReceipt(await take(second.peer))).toMatchObject({ id });
    await until('nothing waits', async () => (await pending()) === 0);
  });

  test('is dropped if the program rejects it', async () => {
    const { peer } = await customer.bind();
    await submit(peer, newNumber());
    await take(peer, STATUS.ESME_RX_R_APPN);
    await until('nothing waits', async () => (await pending()) === 0);
  });

  test('is sent for each part of a long message, and rejects the parts of an incomplete one', async () => {
    const { peer } = await customer.bind();
    const part = (n: number, reference: number, to: string) =>
      submitSm(code, to, '', {
        ...{ registered_delivery: 1, esm_class: 0x40 },
        short_message: Buffer.concat([buildUdh({ reference, total: 2, part: n, bits: 8 }), Buffer.from(`part ${n} `)]),
      });
    const to = newNumber();
    const ids = [await peer.request(part(1, 1, to)), await peer.request(part(2, 1, to))].map((pdu) => pdu!.message_id);
    const receipts = [parseReceipt(await take(peer)), parseReceipt(await take(peer))];
    expect(receipts.map((receipt) => receipt!.id).sort()).toEqual([...ids].sort());
    const lonely = await peer.request(part(1, 2, to));
    await world.kernel.db.run(sql`update smpp_parts set create_date = create_date - interval '2 hours'`);
    await expireParts(world.kernel.db, new AbortController().signal);
    expect(parseReceipt(await take(peer))).toMatchObject({ id: lonely!.message_id, state: 'REJECTED' });
  });
});

describe('an inbound message', () => {
  test('is delivered to the accounts with its source address, in parts if it is long', async () => {
    const other = await makeSmppCustomer(world, company, { sources: ['999999'] });
    const stranger = await makeSmppCustomer(world, await makeCompany(world.kernel));
    const { peer } = await customer.bind({ type: 'receiver' });
    const [otherBind, strangerBind] = [await other.bind(), await stranger.bind()];
    const from = newNumber();
    await carrier.write(from, code, 'Привет, это длинное сообщение '.repeat(4));
    const first = await take(peer);
    const second = await take(peer);
    expect(first).toMatchObject({ source_addr: from, destination_addr: code, data_coding: 8, esm_class: 0x40 });
    expect(second.short_message!.subarray(0, 6)).toEqual(Buffer.from([5, 0, 3, first.short_message![3]!, 2, 2]));
    await until('nothing waits', async () => (await pending()) === 0);
    expect(await pending(other)).toBe(0);
    expect([...otherBind.peer.received, ...strangerBind.peer.received]).toEqual([]);
  });
});

describe('deliveries', () => {
  test('of a fast program are not delayed by a program that never confirms', async () => {
    const slow = await makeSmppCustomer(world, company, { receives_inbound: false });
    const stuck = await slow.bind();
    for (let n = 0; n < 60; n++) await submit(stuck.peer, newNumber());
    const { peer } = await customer.bind({ type: 'transceiver' });
    const ids = new Set<string>();
    for (let n = 0; n < 20; n++) ids.add(await submit(peer, newNumber()));
    for (let n = 0; n < 20; n++) ids.delete(parseReceipt(await take(peer))!.id);
    expect(ids.size).toBe(0);
    // The window of the session limits the number of unconfirmed deliveries.
    expect(stuck.peer.received.filter(({ command }) => command === 'deliver_sm').length).toBeLessThanOrEqual(50);
    stuck.peer.destroy();
  });

  test('are dropped after the set time', async () => {
    const { peer } = await customer.bind({ type: 'transmitter' });
    await submit(peer, newNumber());
    await until('the receipt waits', async () => (await pending()) === 1);
    const { db } = world.kernel;
    await expireDeliveries(db, 72, new AbortController().signal);
    expect(await pending()).toBe(1);
    await db.run(sql`
      update smpp_deliveries set create_date = now() - interval '73 hours' where account_id = ${company.account_id}`);
    await expireDeliveries(db, 72, new AbortController().signal);
    expect(await pending()).toBe(0);
  });

  test('reach another process, and survive one that is killed before it stores a confirmation', async () => {
    const { peer } = await customer.bind({ type: 'transmitter' });
    const port = String(await freePort());
    const settings = { ROLE: 'api', PORT: String(await freePort()), SMPP_PORT: port };
    const killed = await startWorkerProcess(world, { ...settings, FAILPOINT: 'before_smpp_ack' });
    const first = await customer.bind({ type: 'receiver', port: Number(port) });
    const id = await submit(peer, newNumber());
    expect(parseReceipt(await take(first.peer))).toMatchObject({ id });
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    // The lease of the dead process ends.
    await world.kernel.db.run(sql`
      update smpp_deliveries set due_date = now() where account_id = ${company.account_id}`);
    const second = await customer.bind({ type: 'receiver' });
    expect(parseReceipt(await take(second.peer))).toMatchObject({ id });
    await until('nothing waits', async () => (await pending()) === 0);
  });
});

describe('a process that is killed between the commit and the response', () => {
  test('has accepted the message once, and a repeated submit gets its ID', async () => {
    const port = String(await freePort());
    const settings = { ROLE: 'api', PORT: String(await freePort()), SMPP_PORT: port };
    const killed = await startWorkerProcess(world, { ...settings, FAILPOINT: 'after_group_commit' });
    const to = newNumber();
    const pdu = submitSm(code, to, 'Hello', { registered_delivery: 1, tlvs: { user_message_reference: 5 } });
    const first = await customer.bind({ port: Number(port) });
    expect(await first.peer.request(pdu)).toBeUndefined();
    expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const { peer } = await customer.bind();
    const { message_id } = (await peer.request(pdu))!;
    expect(parseReceipt(await take(peer))).toMatchObject({ id: message_id, state: 'DELIVERED' });
    const rows = await world.kernel.db.rows<{ id: string }>(sql`
      select id from messages where account_id = ${company.account_id}`);
    expect(rows).toEqual([{ id: message_id }]);
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  });
});
