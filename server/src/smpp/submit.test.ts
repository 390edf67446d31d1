/** Submitting, querying, and canceling messages over SMPP. */
import { readFileSync } from 'node:fs';
import { PROBLEMS, type ProblemName } from '@parley/contract/problem.ts';
import type { Pdu, PduFields } from '@parley/smpp/pdu.ts';
import { STATUS } from '@parley/smpp/status.ts';
import type { RawPeer } from '@parley/smpp/test/raw.ts';
import { encodeText } from '@parley/smpp/text.ts';
import { absoluteTime, relativeTime } from '@parley/smpp/time.ts';
import { buildUdh } from '@parley/smpp/udh.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { makeCarrier, makeCompany, makeSender } from '../test/make.ts';
import { makeSmppCustomer, type SmppCustomer, submitSm } from '../test/smpp/customer.ts';
import { type Caller, createWorld, freePort, until, type World } from '../test/world.ts';
import { REFUSALS } from './statuses.ts';

const ANNA = '447400000001';

let world: World;
let api: Caller;
let account_id: string;
let code: string;
let customer: SmppCustomer;
let peer: RawPeer;
beforeAll(async () => {
  world = await createWorld({ role: 'api', settings: { SMPP_PORT: String(await freePort()) } });
  await makeCarrier(world.kernel, { countries: ['GB', 'US'] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  const company = await makeCompany(world.kernel);
  ({ account_id } = company);
  ({ code } = await makeSender(world.kernel, account_id));
  api = world.as(company.token);
  customer = await makeSmppCustomer(world, company);
  ({ peer } = await customer.bind());
});

const submit = async (text: string, fields: PduFields = {}, to = ANNA): Promise<Pdu> =>
  (await peer.request(submitSm(code, to, text, fields)))!;
const messages = () =>
  world.kernel.db.rows<Record<string, unknown>>(sql`
    select id, text, number, "from", segments_count, encoding, price_micros, status, channel, source, country,
      extract(epoch from expire_date - coalesce(schedule, create_date))::int as validity, schedule
    from messages where account_id = ${account_id} order by id`);

describe('a submit_sm', () => {
  test('becomes a message with the source SMPP and the system ID', async () => {
    const response = await submit('Your order is ready', { registered_delivery: 1 });
    expect(response).toMatchObject({ command: 'submit_sm_resp', command_status: 0 });
    expect(await messages()).toMatchObject([
      { id: response.message_id, text: 'Your order is ready', number: ANNA, from: code, source: 'smpp' },
    ]);
    const { body } = await api.get(`/v1/messages/${response.message_id}`);
    expect(body.data).toMatchObject({ source: 'smpp', smpp_system_id: customer.account.system_id, key_name: null });
    expect((await api.get('/v1/messages?filter[source]=smpp')).body.data).toHaveLength(1);
  });

  test('is read in each data coding, from message_payload, and with its schedule and validity', async () => {
    const sent: [PduFields, string][] = [
      [{ data_coding: 0, short_message: encodeText('€ [x]', 'gsm7').bytes }, '€ [x]'],
      [{ data_coding: 3, short_message: Buffer.from('Café', 'latin1') }, 'Café'],
      [{ data_coding: 8, short_message: encodeText('Привет 🙂', 'ucs2').bytes }, 'Привет 🙂'],
      [{ short_message: Buffer.alloc(0), tlvs: { message_payload: Buffer.from('x'.repeat(400)) } }, 'x'.repeat(400)],
    ];
    for (const [fields, text] of sent) {
      const { message_id, command_status } = await submit('', fields);
      expect(command_status, text).toBe(0);
      expect((await messages()).find(({ id }) => id === message_id)).toMatchObject({ text, validity: 86_400 });
    }
    const inAnHour = new Date(Date.now() + 3_600_000);
    const later = await submit('Later', {
      schedule_delivery_time: absoluteTime(inAnHour),
      validity_period: relativeTime(7_200),
    });
    expect((await messages()).find(({ id }) => id === later.message_id)).toMatchObject({
      status: 'scheduled',
      schedule: inAnHour.toISOString().slice(0, 19).replace('T', ' '),
    });
    expect((await submit('Long', { validity_period: relativeTime(864_000) })).command_status).toBe(0);
    expect((await messages()).find(({ text }) => text === 'Long')).toMatchObject({ validity: 259_200 });
  });

  test('is refused with the status for the reason', async () => {
    await world.kernel.db.run(sql`
      insert into stop_list (account_id, id, number, reason)
      values (${account_id}, gen_random_uuid(), '447400000009', 'keyword')`);
    const cases: [keyof typeof STATUS, PduFields, string?][] = [
      ['ESME_RINVSRCADR', { source_addr: 'Nobody', source_addr_ton: 5 }],
      ['ESME_RINVSRCADR', { source_addr: '' }],
      ['ESME_RINVDSTADR', {}, '12'],
      ['ESME_RINVDSTADR', {}, ''],
      ['ESME_RPROHIBITED', {}, '447400000009'],
      ['ESME_RINVMSGLEN', { short_message: Buffer.alloc(0) }],
      ['ESME_RINVMSGLEN', { tlvs: { message_payload: Buffer.alloc(2_000, 0x61) }, short_message: Buffer.alloc(0) }],
      ['ESME_RINVDCS', { data_coding: 4 }],
      ['ESME_RINVDCS', { data_coding: 8, short_message: Buffer.from('odd') }],
      ['ESME_RINVSCHED', { schedule_delivery_time: '200101000000000+' }],
      ['ESME_RINVSCHED', { schedule_delivery_time: '991332000000000+' }],
      ['ESME_RINVEXPIRY', { validity_period: relativeTime(5) }],
      ['ESME_RINVREPFLAG', { replace_if_present_flag: 1 }],
      ['ESME_RINVDFTMSGID', { sm_default_msg_id: 1 }],
      ['ESME_RINVPRTFLG', { priority_flag: 4 }],
      ['ESME_RINVESMCLASS', { esm_class: 0x02 }],
      ['ESME_RINVESMCLASS', { esm_class: 0x04 }],
      ['ESME_RINVESMCLASS', { esm_class: 0x40, short_message: Buffer.from([6, 5, 4, 0, 80, 0, 80, 65]) }],
      ['ESME_RINVREGDLVFLG', { registered_delivery: 0x80 }],
      ['ESME_ROPTPARNOTALLWD', { tlvs: { message_payload: Buffer.from('b') } }],
    ];
    for (const [status, fields, to] of cases) {
      const { command_status } = (await peer.request(submitSm(code, to ?? ANNA, 'a', fields)))!;
      expect(command_status, JSON.stringify([status, fields])).toBe(STATUS[status]);
    }
    expect(await messages()).toEqual([]);
    await until('refusals are kept', async () => {
      const { body } = await api.get('/v1/refused_calls');
      return body.data?.some(
        (call: { method: string; path: string }) => call.method === 'SMPP' && call.path === 'submit_sm',
      );
    });
  });

  test('is refused without money, from a blocked company, and from another source address', async () => {
    await world.kernel.db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${account_id}`);
    expect((await submit('Hi')).command_status).toBe(STATUS.ESME_RSERTYPDENIED);
    await world.kernel.db.run(sql`update accounts set status = 'VERIFIED' where id = ${account_id}`);
    const poor = await makeCompany(world.kernel, { balance_micros: 0 });
    const sender = await makeSender(world.kernel, poor.account_id);
    const other = await (await makeSmppCustomer(world, poor)).bind();
    expect(await other.peer.request(submitSm(sender.code, ANNA, 'Hi'))).toMatchObject({
      command_status: STATUS.ESME_RSERTYPDENIED,
    });
    // A sender of another company is unknown.
    expect(await other.peer.request(submitSm(code, ANNA, 'Hi'))).toMatchObject({
      command_status: STATUS.ESME_RINVSRCADR,
    });
    await api.put(`/v1/smpp_accounts/${customer.account.id}`, { sources: ['12345'] });
    await until('the change applies', async () => (await submit('Hi')).command_status === STATUS.ESME_RINVSRCADR);
  });

  test('is throttled above the throughput and refused above the window', async () => {
    const slow = await api.post('/v1/smpp_accounts', { name: 'Slow', throughput: 2, window: 5 });
    const { system_id, password } = slow.body.data;
    const { peer: busy } = await customer.bind({ system_id, password });
    const results: number[] = [];
    busy.send(...Array.from({ length: 20 }, (_, n) => submitSm(code, ANNA, `Flood ${n}`)));
    for (let n = 0; n < 20; n++) results.push((await busy.next())!.command_status);
    const count = (status: number) => results.filter((one) => one === status).length;
    expect(count(0)).toBe(2);
    expect(count(STATUS.ESME_RTHROTTLED) + count(STATUS.ESME_RMSGQFUL)).toBe(18);
    expect(count(STATUS.ESME_RTHROTTLED)).toBeGreaterThan(0);
  });

  test('that is repeated with the same user_message_reference gets the first response', async () => {
    const tlvs = { user_message_reference: 77 };
    const first = await submit('Once', { tlvs });
    const second = await submit('Once', { tlvs });
    expect(second.message_id).toBe(first.message_id);
    expect((await submit('Twice', { tlvs })).message_id).not.toBe(first.message_id);
    expect((await submit('Once')).message_id).not.toBe(first.message_id);
    expect(await messages()).toHaveLength(3);
  });

  test('equals the message that POST /v1/messages accepts', async () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abc €[]{}~Ωé\n@_'), minLength: 1, maxLength: 320 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    );
    const sample = fc.record({ text, seconds: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }) });
    await fc.assert(
      fc.asyncProperty(sample, async ({ text: given, seconds }) => {
        const plain = given.replaceAll('\0', '').toWellFormed();
        const { bytes } = encodeText(plain, 'ucs2');
        const period = seconds === undefined ? {} : { validity_period: relativeTime(seconds) };
        const fields = { data_coding: 8, short_message: Buffer.alloc(0), tlvs: { message_payload: bytes }, ...period };
        const over = await submit('', fields);
        const validity = seconds === undefined ? {} : { validity_seconds: Math.min(seconds, 259_200) };
        const reply = await api.post('/v1/messages', {
          from: code,
          to: ANNA,
          channel: 'sms',
          text: plain,
          ...validity,
        });
        if (over.command_status === 0) {
          const rows = (await messages()).slice(-2).map(({ id: _, source: __, ...row }) => row);
          expect(reply.status, plain).toBe(200);
          expect(rows[0]).toEqual(rows[1]);
        } else {
          const number = reply.body.errors[0].code as number;
          const name = (Object.keys(PROBLEMS) as ProblemName[]).find((one) => PROBLEMS[one].code === number)!;
          const status = (REFUSALS as Record<string, keyof typeof STATUS>)[name] ?? 'ESME_RSUBMITFAIL';
          expect(over.command_status, `${name} ${plain}`).toBe(STATUS[status]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a long message', () => {
  const part = (number: number, text: string, total = 3): PduFields => ({
    esm_class: 0x40,
    short_message: Buffer.concat([buildUdh({ reference: 9, total, part: number, bits: 8 }), Buffer.from(text)]),
  });

  test('is accepted once its parts have arrived in any order, and a repeated part gets the same ID', async () => {
    const third = await submit('', part(3, 'three'));
    const first = await submit('', part(1, 'one '));
    expect(await messages()).toEqual([]);
    expect((await submit('', part(1, 'one '))).message_id).toBe(first.message_id);
    const second = await submit('', part(2, 'two '));
    expect([first, second, third].map(({ message_id }) => message_id!.slice(36))).toEqual(['.1', '.2', '.3']);
    expect((await submit('', part(2, 'two '))).message_id).toBe(second.message_id);
    expect(await messages()).toMatchObject([{ text: 'one two three', segments_count: 1 }]);
    // The reference is used again.
    for (const [n, text] of ['a', 'b', 'c'].entries()) await submit('', part(n + 1, text));
    expect((await messages()).map(({ text }) => text)).toEqual(['one two three', 'abc']);
  });

  test('can use sar parameters, and is completed by a repeated last part after a refusal', async () => {
    const sar = (n: number): PduFields => ({
      tlvs: { sar_msg_ref_num: 5, sar_total_segments: 2, sar_segment_seqnum: n },
    });
    await submit('left ', sar(1));
    await world.kernel.db.run(sql`update accounts set status = 'UNVERIFIED' where id = ${account_id}`);
    expect((await submit('right', sar(2))).command_status).toBe(STATUS.ESME_RSERTYPDENIED);
    await world.kernel.db.run(sql`update accounts set status = 'VERIFIED' where id = ${account_id}`);
    const { message_id } = await submit('right', sar(2));
    expect(await messages()).toMatchObject([{ text: 'left right' }]);
    const state = await peer.request({ command: 'query_sm', sequence_number: 50, message_id: message_id! });
    expect(state).toMatchObject({ command_status: 0, message_id, message_state: 1 });
  });
});

test('the documentation lists each problem with its command_status', () => {
  const page = readFileSync(new URL('../../../docs/smpp.md', import.meta.url), 'utf8');
  const documented = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, names = '', status = ''] = line.split('|').map((cell) => cell.trim());
      return [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => [name, status]);
    });
  expect(Object.fromEntries(documented)).toEqual(REFUSALS);
});

describe('query_sm and cancel_sm', () => {
  test('find and cancel the messages of the account', async () => {
    const { message_id } = await submit('Hi');
    const ask = { command: 'query_sm', sequence_number: 60, message_id: message_id! } as const;
    expect(await peer.request(ask)).toMatchObject({ command_status: 0, message_state: 1, final_date: '' });
    const stop = { command: 'cancel_sm', sequence_number: 61, message_id: message_id! } as const;
    expect(await peer.request(stop)).toMatchObject({ command: 'cancel_sm_resp', command_status: 0 });
    expect(await messages()).toMatchObject([{ status: 'canceled' }]);
    expect(await peer.request(ask)).toMatchObject({ command_status: 0, message_state: 4 });
    expect((await peer.request(stop))!.command_status).toBe(STATUS.ESME_RCANCELFAIL);
  });

  test('do not find messages of other companies, of other SMPP accounts, or of the API', async () => {
    const { message_id } = await submit('Hi');
    const neighbor = await api.post('/v1/smpp_accounts', { name: 'Neighbor' });
    const stranger = await makeSmppCustomer(world, await makeCompany(world.kernel));
    const sent = await api.post('/v1/messages', { from: code, to: ANNA, channel: 'sms', text: 'By API' });
    const { system_id, password } = neighbor.body.data;
    const others = [await customer.bind({ system_id, password }), await stranger.bind()];
    const ids: [RawPeer, string][] = [
      ...others.map((other): [RawPeer, string] => [other.peer, message_id!]),
      [peer, sent.body.data[0].id],
      [peer, 'x'],
      [peer, ''],
    ];
    for (const [who, id] of ids) {
      const found = await who.request({ command: 'query_sm', sequence_number: 70, message_id: id });
      expect(found!.command_status).toBe(STATUS.ESME_RINVMSGID);
      const stopped = await who.request({ command: 'cancel_sm', sequence_number: 71, message_id: id });
      expect(stopped!.command_status).toBe(id === '' ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RINVMSGID);
    }
    expect((await messages()).map(({ status }) => status)).toEqual(['enroute', 'enroute']);
  });

  test('other operations are refused', async () => {
    const cases = [
      [{ command: 'submit_multi', dest_addresses: [{ destination_addr: ANNA }], short_message: Buffer.from('a') }, 3],
      [{ command: 'data_sm', source_addr: code, destination_addr: ANNA }, 3],
      [{ command: 'replace_sm', message_id: '1', short_message: Buffer.from('a') }, STATUS.ESME_RREPLACEFAIL],
      [{ command: 'deliver_sm', short_message: Buffer.from('a') }, STATUS.ESME_RINVCMDID],
    ] as const;
    for (const [pdu, status] of cases)
      expect((await peer.request({ ...pdu, sequence_number: 80 } as never))!.command_status, pdu.command).toBe(status);
    peer.write(Buffer.from('0000001000000099000000000000005a', 'hex'));
    expect(await peer.next()).toMatchObject({ command: 'generic_nack', command_status: 3, sequence_number: 0x5a });
  });
});
