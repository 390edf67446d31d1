/**
 * Sends the same two messages over a connection to each carrier variant. Both messages arrive complete and are reported
 * as delivered, and a reply is received.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../kernel/db/db.ts';
import { type Carrier, openCarrier } from '../../test/carrier.ts';
import { makeCarrier, makeCompany, makeSender } from '../../test/make.ts';
import { createWorld, until, type World } from '../../test/world.ts';
import { accept } from '../messages.ts';
import { forgetRoutes } from './route_book.ts';

const LONG = `${'A story of some length, told in parts. '.repeat(6)}It ends at 5€ - 6€.`;
const ARMENIAN = 'Ձեր պատվերը պատրաստ է։ '.repeat(5).trim();

let world: World;
let carrier: Carrier;
let number = 447_400_500_000;

beforeAll(async () => {
  world = await createWorld({ role: 'all', sandbox: true });
  carrier = openCarrier(world);
  await carrier.set({ receipt_delay_ms: 20, receipt_jitter_ms: 20 });
});
afterAll(() => world?.stop());
afterEach(async () => {
  await carrier.set({
    id_format: 'decimal',
    echo_reference: true,
    default_alphabet: 'gsm7',
    validity: 'any',
    clock_offset_minutes: 0,
    omitted_country_code: 0,
  });
  await world.kernel.db.run(sql`delete from routes`);
  await world.kernel.db.run(sql`update connections set enabled = false`);
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, number]>([
  ['16-bit part headers', { multipart: 'udh16' }, {}, 2],
  ['part numbers in parameters', { multipart: 'sar' }, {}, 2],
  ['a transmitter and a receiver', { bind_mode: 'separate' }, {}, 2],
  ['three binds', { binds: 3, window: 5 }, {}, 2],
  [
    'hexadecimal ids in responses and decimal ids in receipts',
    { id_format: 'hex_to_decimal' },
    { id_format: 'mixed' },
    2,
  ],
  [
    'decimal ids in responses and hexadecimal ids in receipts',
    { id_format: 'decimal_to_hex' },
    { id_format: 'reversed' },
    2,
  ],
  ['hexadecimal ids in another case and with zeros', { id_format: 'hex' }, { id_format: 'padded' }, 2],
  ['no echoed reference', { echoes_reference: false }, { echo_reference: false }, 2],
  ['a low throughput', { throughput: 5 }, {}, 2],
  ['TLS', { tls: true, tls_insecure: true }, {}, 2],
  ['each message in a single payload', { multipart: 'payload' }, {}, 1],
  ['absolute validity periods', { validity: 'absolute' }, { validity: 'absolute' }, 2],
  ['no validity periods', { validity: 'none' }, { validity: 'none' }, 2],
  ['numbers without their country code', { country: 'GB' }, { omitted_country_code: 44 }, 2],
  ['a leading plus and 00', { sender_prefix: 'plus', recipient_prefix: 'zeros' }, {}, 2],
])(
  'long messages and a reply arrive complete over a connection with %s',
  async (_, settings, carrierSettings, parts) => {
    const { kernel } = world;
    await carrier.set(carrierSettings);
    const port = settings.tls ? world.sandbox!.smpp_tls : world.sandbox!.smpp;
    const { connection_id } = await makeCarrier(kernel, { port, settings, countries: ['GB'] });
    forgetRoutes(kernel.db);
    const binds = Number(settings.binds ?? 1);
    await until('its binds are up', async () => {
      const boundRows = await kernel.db.rows(
        sql`select 1 from binds where connection_id = ${connection_id} and state = 'bound'`,
      );
      return boundRows.length === binds;
    });
    const { account_id } = await makeCompany(kernel);
    const { sender_id, code } = await makeSender(kernel, account_id);
    const [english, armenian] = [String(number++), String(number++)];
    await kernel.db.tx((tx) =>
      accept(tx, kernel, {
        account_id,
        channel: 'SMS',
        from: sender_id,
        source: 'api',
        refusal: 'throw',
        recipients: [
          { to: english, text: LONG },
          { to: armenian, text: ARMENIAN },
        ],
      }),
    );
    const statuses = () =>
      kernel.db.rows<{ status: string }>(
        sql`select status from messages where account_id = ${account_id} and direction = 'MT'`,
      );
    await until('both messages are delivered', async () =>
      (await statuses()).every(({ status }) => status === 'delivered'),
    );
    for (const [to, text] of [
      [english, LONG],
      [armenian, ARMENIAN],
    ] as const) {
      expect(await carrier.phone(to)).toMatchObject([{ text, from: code }]);
      expect(await carrier.accepted(to)).toHaveLength(parts);
    }
    await carrier.write(english, code, ARMENIAN);
    await until('the reply is stored', async () => {
      const replies = await kernel.db.rows<{ text: string }>(sql`
      select text from messages where account_id = ${account_id} and direction = 'MO'`);
      return replies.length === 1 && replies[0]!.text === ARMENIAN;
    });
    expect((await world.examine()).filter((finding) => !finding.ok)).toEqual([]);
  },
);

async function openConnection(settings: Record<string, unknown>) {
  const { connection_id } = await makeCarrier(world.kernel, { port: world.sandbox!.smpp, settings });
  forgetRoutes(world.kernel.db);
  await until('its bind is up', async () => {
    const bound = sql`select 1 from binds where connection_id = ${connection_id} and state = 'bound'`;
    return (await world.kernel.db.rows(bound)).length === 1;
  });
  const { account_id } = await makeCompany(world.kernel);
  const { sender_id, code } = await makeSender(world.kernel, account_id);
  const send = (text: string, to: string, schedule: Date | null = null) =>
    world.kernel.db.tx((tx) =>
      accept(tx, world.kernel, {
        account_id,
        channel: 'SMS',
        from: sender_id,
        source: 'api',
        refusal: 'throw',
        schedule,
        recipients: [{ to, text }],
      }),
    );
  return { account_id, connection_id, code, send };
}

test.each([
  ['Latin-1', 'latin1', 'á'.repeat(150), 2, 'Latin-1'],
  ['ASCII', 'ascii', `${'a'.repeat(69)}é`, 1, 'UCS-2'],
  ['ASCII', 'ascii', 'a'.repeat(141), 2, 'ASCII'],
] as const)(
  'a message is charged for the submitted segments when the alphabet is %s',
  async (_, default_alphabet, text, segments, encoding) => {
    await carrier.set({ default_alphabet });
    const { send } = await openConnection({ default_alphabet });
    const to = String(number++);
    const { accepted, total_micros } = await send(text, to);
    expect(accepted[0]).toMatchObject({ segments_count: segments, encoding });
    expect(total_micros).toBe(40_000 * segments);
    await until('the message arrives', async () => (await carrier.phone(to)).some((one) => one.text === text));
    expect(await carrier.accepted(to)).toHaveLength(segments);
  },
);

test('a STOP opts the recipient out when the carrier sends the number without its country code', async () => {
  await carrier.set({ omitted_country_code: 44 });
  const { account_id, code, send } = await openConnection({ country: 'GB' });
  const to = String(number++);
  await send('Hello', to);
  await until('the message arrives', async () => (await carrier.phone(to)).length === 1);
  await carrier.write(to, code, 'STOP');
  await until('the number is on the stop list', async () => {
    const stops = await world.kernel.db.rows<{ number: string }>(
      sql`select number from stop_list where account_id = ${account_id}`,
    );
    return stops.length === 1 && stops[0]!.number === to;
  });
  await expect(send('Hello again', to)).rejects.toMatchObject({ name: 'RECIPIENT_BLOCKED' });
});

test('a receipt has the time of the carrier when its UTC offset is known', async () => {
  await carrier.set({ clock_offset_minutes: 330 });
  const { account_id, send } = await openConnection({ utc_offset_minutes: 330 });
  const to = String(number++);
  await send('Hello', to);
  await until('the message is delivered', async () => {
    const [row] = await world.kernel.db.rows<{ status: string; late_ms: number }>(sql`
      select status, abs(extract(epoch from update_date - now())) * 1000 as late_ms from messages
      where account_id = ${account_id}`);
    return row?.status === 'delivered' && row.late_ms < 120_000;
  });
});

test('the timeline states both segment counts when a message is sent in more segments than were priced', async () => {
  const { account_id, connection_id, send } = await openConnection({});
  const to = String(number++);
  const later = new Date(Date.now() + 4_000);
  await send('a'.repeat(150), to, later);
  await world.kernel.db.run(sql`
    update connections set settings = settings || '{"default_alphabet": "latin1"}'
    where id = ${connection_id}`);
  await until('the message is sent', async () => (await carrier.accepted(to)).length === 2);
  await until('its timeline states both counts', async () => {
    const { timeline } = await world.kernel.db.one<{ timeline: { text?: string }[] }>(
      sql`select timeline from messages where account_id = ${account_id}`,
    );
    return timeline.some(({ text }) => text === 'Sent in 2 segments, charged as 1');
  });
});

test('a wrong password is shown to operators, and queued messages are sent once it is corrected', async () => {
  const { kernel } = world;
  const { connection_id } = await makeCarrier(kernel, { port: world.sandbox!.smpp, settings: { password: 'wrong' } });
  forgetRoutes(kernel.db);
  await until('the error is shown', async () => {
    const [bind] = await kernel.db.rows<{ state: string; detail: string }>(sql`
      select state, detail from binds where connection_id = ${connection_id}`);
    return bind?.state === 'waiting' && /ESME_RINVPASWD|ESME_RBINDFAIL/.test(bind.detail);
  });
  const { account_id } = await makeCompany(kernel);
  const { sender_id } = await makeSender(kernel, account_id);
  await kernel.db.tx((tx) =>
    accept(tx, kernel, {
      account_id,
      channel: 'SMS',
      from: sender_id,
      source: 'api',
      refusal: 'throw',
      recipients: [{ to: String(number++), text: 'Hello' }],
    }),
  );
  await kernel.db.run(
    sql`update connections set settings = settings || '{"password": "sandbox"}' where id = ${connection_id}`,
  );
  await until('the message is delivered', async () => {
    const { status } = await kernel.db.one<{ status: string }>(
      sql`select status from messages where account_id = ${account_id}`,
    );
    return status === 'delivered';
  });
});
