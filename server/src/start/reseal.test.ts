import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { Db, sql } from '../kernel/db/db.ts';
import { createSeals } from '../kernel/security/seal.ts';
import { createWorld, type World } from '../test/world.ts';
import { RESEALED_TABLES, resealAll } from './reseal.ts';

const OLD = createSeals('o'.repeat(64));
const NEW = createSeals('n'.repeat(64), ['o'.repeat(64)]);
const ONLY_NEW = createSeals('n'.repeat(64));

let world: World;
let db: Db;

beforeAll(async () => {
  world = await createWorld({ role: 'none' });
  db = new Db({ url: world.kernel.db.url, max: 2, application_name: 'reseal test', seals: NEW });
});
afterAll(async () => {
  await db.close();
  await world.stop();
});

test('stored secrets can be opened with only the new key when they have been sealed again', async () => {
  const [login, connection, mail] = [newId(), newId(), newId()];
  const pin_row = 'whatsapp 4915550001';
  await db.run(sql`
    insert into logins (id, email, totp_secret)
    values (${login}, 'reseal@example.com', ${OLD.seal('JBSWY3DP', { table: 'logins', row: login })})`);
  const password = OLD.seal('carrier password', { table: 'connections', row: connection });
  await db.run(sql`
    insert into connections (id, name, channel, adapter, settings)
    values (${connection}, 'Reseal', 'SMS', 'smpp', ${{ host: '127.0.0.1', password, port: 2775 }})`);
  await db.run(sql`
    insert into carrier_pins (channel, number, pin, create_date)
    values ('whatsapp', '4915550001', ${OLD.seal('123456', { table: 'carrier_pins', row: pin_row })}, now())`);
  await db.run(sql`
    insert into mails (id, recipient, subject, sealed)
    values (${mail}, 'a@example.com', 'Code', ${NEW.seal('{}', { table: 'mails', row: mail })})`);

  const device = newId();
  await db.run(sql`
    insert into push_keys (public_key, private_key)
    values ('public', ${OLD.seal('private', { table: 'push_keys', row: 'vapid' })})`);
  await db.run(sql`
    insert into push_devices (account_id, id, user_id, session_id, name, subscription, endpoint_hash)
    values (${newId()}, ${device}, ${newId()}, ${newId()}, 'Phone',
            ${OLD.seal('{}', { table: 'push_devices', row: device })}, '')`);

  expect(await resealAll(db)).toEqual({ resealed: 5, unknown: [] });
  expect(await resealAll(db)).toEqual({ resealed: 0, unknown: [] });

  const { totp_secret } = await db.one<{ totp_secret: string }>(
    sql`select totp_secret from logins where id = ${login}`,
  );
  expect(ONLY_NEW.open(totp_secret, { table: 'logins', row: login })).toBe('JBSWY3DP');
  const { settings } = await db.one<{ settings: Record<string, string> }>(
    sql`select settings from connections where id = ${connection}`,
  );
  expect(settings).toMatchObject({ host: '127.0.0.1', port: 2775 });
  expect(ONLY_NEW.open(settings.password!, { table: 'connections', row: connection })).toBe('carrier password');
  const { pin } = await db.one<{ pin: string }>(sql`select pin from carrier_pins where number = '4915550001'`);
  expect(ONLY_NEW.open(pin, { table: 'carrier_pins', row: pin_row })).toBe('123456');
  const { private_key } = await db.one<{ private_key: string }>(sql`select private_key from push_keys`);
  expect(ONLY_NEW.open(private_key, { table: 'push_keys', row: 'vapid' })).toBe('private');
});

test('a value is reported and kept when it was sealed with an unknown key', async () => {
  const login = newId();
  const lost = createSeals('x'.repeat(64)).seal('JBSWY3DP', { table: 'logins', row: login });
  await db.run(sql`insert into logins (id, email, totp_secret) values (${login}, 'lost@example.com', ${lost})`);
  const { resealed, unknown } = await resealAll(db);
  expect(resealed).toBe(0);
  expect(unknown).toEqual([{ place: `authenticator ${login}`, error: expect.stringContaining('another SECRET_KEY') }]);
  expect(await db.one(sql`select totp_secret from logins where id = ${login}`)).toEqual({ totp_secret: lost });
});

test('the list of resealed tables contains every table with sealed values', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('start/'),
  );
  const places = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\{ table: '([a-z_]+)', row/g)].map(([, table]) => table!),
  );
  // Cookies and verification codes expire within minutes and are not stored in tables.
  expect([...new Set(places)].sort()).toEqual(['cookie', 'verifications', ...RESEALED_TABLES].sort());
});
