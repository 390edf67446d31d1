/** Third-party SMPP clients, against the real server and the carrier of the sandbox. */
import { peer, request } from '@parley/smpp/test/peer.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender, testNumber } from '../test/make.ts';
import { isKannelAvailable, startKannel } from '../test/peers/kannel.ts';
import { isNetSmppAvailable, runNetSmpp } from '../test/peers/net_smpp.ts';
import { makeSmppCustomer, type SmppCustomer, smppPort } from '../test/smpp/customer.ts';
import { createWorld, freePort, until, type World } from '../test/world.ts';

let world: World;
let carrier: Carrier;
let company: Company;
let code: string;
let customer: SmppCustomer;
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

const bindAs = () => {
  const { system_id, password } = customer.account;
  return { port: smppPort(world), system_id, password };
};
const texts = async () =>
  (
    await world.kernel.db.rows<{ text: string }>(sql`
      select text from messages where account_id = ${company.account_id} and direction = 'MT' order by id`)
  ).map(({ text }) => text);

// A machine on which these programs cannot be installed prints so and counts their tests as skipped.
describe.runIf(isKannelAvailable())('Kannel', () => {
  test('sends short, long, and Unicode messages, and gets receipts and inbound messages', async () => {
    const kannel = await startKannel(bindAs());
    onTestFinished(() => kannel.stop());
    const sent = ['Your order is ready', 'A long message. '.repeat(25).trim(), 'Привет, мир'];
    for (const [n, text] of sent.entries()) await kannel.send(code, testNumber(70_000 + n), text);
    await until('all messages are accepted', async () => (await texts()).length === 3);
    expect((await texts()).sort()).toEqual([...sent].sort());
    const receipts = () => kannel.calls.filter((call) => call.get('dlr') === '1').length;
    await until('all receipts have arrived', () => receipts() >= 3);
    await carrier.write(testNumber(70_010), code, 'Is it open today?');
    await until('the inbound message has arrived', () =>
      kannel.calls.some((call) => call.get('mo') === 'Is it open today?' && call.get('to')!.endsWith(code)),
    );
  });
});

describe.runIf(isNetSmppAvailable())('Net::SMPP', () => {
  test('binds, submits, gets its receipt, queries, and unbinds', async () => {
    const lines = await runNetSmpp(bindAs(), { from: code, to: testNumber(70_020), text: 'Hello from Perl' });
    const [bind, submit, deliver, query, unbind] = lines;
    expect(bind).toBe('bind 0');
    expect(submit).toMatch(/^submit 0 [0-9a-f-]{36}$/);
    const id = submit!.slice('submit 0 '.length);
    expect(deliver).toContain(`id:${id} sub:001 dlvrd:001`);
    expect([query, unbind]).toEqual(['query 0 2', 'unbind 0']);
    expect(await texts()).toEqual(['Hello from Perl']);
    const refused = await runNetSmpp({ ...bindAs(), password: 'wrong' }, { from: code, to: '1', text: 'x' });
    expect(refused).toEqual(['bind 14']);
  });
});

describe('npm smpp', () => {
  test('submits long Unicode text and reads its receipt', async () => {
    const { port, system_id, password } = bindAs();
    const session = peer.connect({ url: `smpp://127.0.0.1:${port}` });
    onTestFinished(() => session.destroy());
    const receipts: string[] = [];
    session.on('deliver_sm', (pdu) => {
      receipts.push((pdu.short_message as { message: string }).message);
      session.send(pdu.response());
    });
    expect((await request(session, 'bind_transceiver', { system_id, password })).command_status).toBe(0);
    const response = await request(session, 'submit_sm', {
      ...{ source_addr: code, destination_addr: testNumber(70_030), registered_delivery: 1 },
      short_message: 'Готово 🙂',
    });
    expect(response.command_status).toBe(0);
    await until('the receipt has arrived', () => receipts.length === 1);
    expect(receipts[0]).toContain(`id:${response.message_id} sub:001`);
    expect(await texts()).toEqual(['Готово 🙂']);
    expect((await request(session, 'unbind')).command_status).toBe(0);
  });
});
