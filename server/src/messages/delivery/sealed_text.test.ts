import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { type Company, makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';

let world: World;
let carrier: Carrier;
let company: Company;
let sender_id: string;
beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  company = await makeCompany(world.kernel);
  ({ sender_id } = await makeSender(world.kernel, company.account_id));
  await makeCarrier(world.kernel, { port: world.sandbox!.smpp, countries: ['GB'] });
});
afterAll(() => world?.stop());

const send = (to: string) =>
  world.kernel.db.tx(async (tx) => {
    const { accepted } = await accept(tx, world.kernel, {
      account_id: company.account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'verification',
      refusal: 'throw',
      recipients: [{ to, text: '271828 is your code. Enter 271828 now.' }],
      code: '271828',
    });
    return accepted[0]!;
  });
const queueRow = (id: string) => sql`select sealed_text from dispatch where message_id = ${id}`;

test('a code reaches the phone but is masked in the message, and its sealed text is deleted', async () => {
  const message = await send('447400000001');
  expect(message.text).toBe('****** is your code. Enter ****** now.');
  await until('the phone has the code', async () => (await carrier.phone('447400000001')).length > 0);
  expect(await carrier.phone('447400000001')).toMatchObject([{ text: '271828 is your code. Enter 271828 now.' }]);
  await until('the queue row is gone', async () => (await world.kernel.db.maybeOne(queueRow(message.id))) === null);
  const stored = await world.kernel.db.one(sql`select text, segments_count from messages where id = ${message.id}`);
  expect(stored).toEqual({ text: message.text, segments_count: 1 });
});

test('a message whose sealed text cannot be opened fails instead of sending stars', async () => {
  const { kernel } = world;
  const { id } = await kernel.db.tx(async (tx) => {
    const { accepted } = await accept(tx, kernel, {
      account_id: company.account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'verification',
      refusal: 'throw',
      recipients: [{ to: '447400000002', text: '314159 is your code' }],
      code: '314159',
    });
    await tx.run(sql`update dispatch set sealed_text = 'sealed.other.key' where message_id = ${accepted[0]!.id}`);
    return accepted[0]!;
  });
  await until('the message failed', async () => {
    const { status } = await kernel.db.one<{ status: string }>(sql`select status from messages where id = ${id}`);
    return status === 'failed' || status === 'rejected';
  });
  expect(await carrier.phone('447400000002')).toEqual([]);
});
