import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, secret } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { codeIn, findMail, linkIn, mailsTo, mailTo } from '../../test/mailbox.ts';
import { makeCompany } from '../../test/make.ts';
import { recordStatements } from '../../test/statements.ts';
import { createWorld, type Reply, type World } from '../../test/world.ts';
import { hashesDone } from '../passwords/passwords.ts';
import { hashToken } from '../people/tokens.ts';
import { BROWSER_COOKIE, ticketToken } from '../social/tickets.ts';

let world: World;
let operators: { account_id: string };
let count = 0;

beforeAll(async () => {
  world = await createWorld();
  operators = await makeCompany(world.kernel, { operator: true });
});
afterAll(() => world.stop());

const PASSWORD = 'Tangled-teapot-7';
const newEmail = () => `person${++count}@signup.localhost`;
const form = (fields: object = {}) => ({
  email: newEmail(),
  password: PASSWORD,
  first_name: 'Iris',
  last_name: 'Vance',
  company_name: `Vance ${++count}`,
  country_code: 'GB',
  terms: true,
  ...fields,
});
const signUp = (fields: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
  world.as().post('/v1/users', form(fields), { cookie: `${BROWSER_COOKIE}=browser`, ...headers });
const signIn = (email: string, password = PASSWORD): Promise<Reply> =>
  world.as().raw('/v1/users/self/token', {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` },
  });
const codes = (reply: Reply): unknown[] => [reply.status, reply.body.errors?.[0].code];
const confirm = (id: string, code: string): Promise<Reply> => world.as().put(`/v1/email_verifications/${id}`, { code });

const stored = (token: string) => hashToken(ticketToken(token, 'browser'));
async function makeTicket(fields: object): Promise<string> {
  const token = secret();
  const ticket = {
    provider: 'example',
    issuer: 'https://id.localhost',
    subject: newId(),
    email: newEmail(),
    email_verified: true,
    ...fields,
  };
  await world.kernel.db.run(sql`
    insert into social_tickets (ticket_hash, provider, issuer, subject, email, email_verified, expire_date)
    values (${stored(token)}, ${ticket.provider}, ${ticket.issuer}, ${ticket.subject}, ${ticket.email},
            ${ticket.email_verified}, ${new Date(world.kernel.clock.now().getTime() + 60_000)})`);
  return token;
}

describe('signing up', () => {
  it('creates a person, a trial company, and an empty balance, and the emailed code signs the user in', async () => {
    const body = form({
      email: 'Iris.Vance@Signup.localhost',
      company_name: 'Vance Tea 🫖',
      phone_number: '07400 123456',
      timezone: 'europe/london',
      industry_id: 12,
    });
    const reply = await world.as().post('/v1/users', body, { 'x-source': 'autumn fair' });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      access_token: null,
      expire_date: null,
      next: 'email_verification',
      verification_id: expect.any(String),
      methods: [],
      email: 'iris.vance@signup.localhost',
    });
    const mail = await mailTo(world.kernel, 'iris.vance@signup.localhost');
    expect(mail.subject).toContain(codeIn(mail));
    expect(linkIn(mail, '/email-verification')).toBe(`${reply.body.data.verification_id}/${codeIn(mail)}`);

    const { body: confirmed, status } = await confirm(reply.body.data.verification_id, codeIn(mail));
    expect(status).toBe(200);
    expect(confirmed.data).toMatchObject({ purpose: 'sign_up', hash: null, next: null });
    const me = world.as(confirmed.data.access_token);
    expect((await me.get('/v1/users/self')).body.data).toMatchObject({
      status: 'EMAIL_VERIFIED',
      is_owner: true,
      pending: 'phone',
      phone_number: '447400123456',
      full_name: 'Iris Vance',
    });
    const account = (await me.get('/v1/accounts/self')).body.data;
    expect(account).toMatchObject({
      company_name: 'Vance Tea 🫖',
      status: 'UNVERIFIED',
      tags: ['PAID0'],
      trial: true,
      days_left: 30,
      timezone: 'Europe/London',
      industry_id: 12,
      country_code: 'GB',
    });
    // Until the phone number is verified, requests that require a permission are rejected.
    const refusal = await me.get('/v1/audiences');
    expect(codes(refusal)).toEqual([403, 1141]);
    const { db } = world.kernel;
    expect(
      await db.rows(sql`select available_micros, currency from balances where account_id = ${account.id}`),
    ).toEqual([{ available_micros: 0, currency: 'USD' }]);
    expect(
      await db.rows(sql`select action, detail from audit_log where account_id = ${account.id} order by number`),
    ).toEqual([
      { action: 'account.signed_up', detail: { source: 'autumn fair', social: false } },
      { action: 'email.verified', detail: {} },
      { action: 'session.signed_in', detail: { method: 'email', second_factor: false } },
    ]);
    const events = await db.rows(sql`
      select type, payload from events
      where account_id = ${operators.account_id} and payload->>'id' = ${account.id}`);
    expect(events).toEqual([{ type: 'customer.changed', payload: { id: account.id } }]);
    // Codes are stored only as hashes, so no row contains the code.
    const stored = await db.rows<{ text: string }>(sql`
      select to_jsonb(v)::text as text from verifications v union all select data::text from pgboss.job
      where name = 'auth.send_code'`);
    expect(stored.some(({ text }) => text.includes(`"${codeIn(mail)}`))).toBe(false);
  });

  it('returns the usual response for a taken address but creates nothing and emails its owner', async () => {
    const email = newEmail();
    const first = await signUp({ email });
    const code = codeIn(await mailTo(world.kernel, email));
    await confirm(first.body.data.verification_id, code);
    const stranger = form();
    const before = hashesDone();
    const unknown = await world.as().post('/v1/users', stranger);
    const between = hashesDone();
    const existing = await signUp({ email });
    expect([existing.status, Object.keys(existing.body.data).sort()]).toEqual([
      unknown.status,
      Object.keys(unknown.body.data).sort(),
    ]);
    expect({ ...existing.body.data, verification_id: '', email: '' }).toEqual({
      ...unknown.body.data,
      verification_id: '',
      email: '',
    });
    expect([between - before, hashesDone() - between]).toEqual([1, 1]);
    const mail = await mailTo(world.kernel, email, 2);
    expect(mail.subject).toContain('already have a Parley account');
    expect(mail.text).toContain('/sign-in');
    const rows = await world.kernel.db.rows(sql`select 1 from users where lower(email) = ${email}`);
    expect(rows.length).toBe(1);
    // The code in that email can be used only to choose a new password.
    const exchanged = await confirm(existing.body.data.verification_id, codeIn(mail));
    expect(exchanged.body.data).toMatchObject({ purpose: 'password_reset', access_token: null });
    const update = await world
      .as()
      .put(`/v1/password_resets/${exchanged.body.data.hash}`, { password: 'Other-teapot-8' });
    expect(update.status).toBe(204);
    expect((await signIn(email, 'Other-teapot-8')).body.data.access_token).toBeTruthy();
  });

  it('does not keep another person’s password for an unconfirmed address', async () => {
    const email = newEmail();
    await signUp({ email, password: 'Strangers-secret-1' });
    await mailTo(world.kernel, email);
    const ownReply = await signUp({ email, password: 'My-own-secret-1' });
    expect(ownReply.body.data.next).toBe('email_verification');
    const mail = await mailTo(world.kernel, email, 2);
    expect(mail.subject).toContain('already have a Parley account');
    const link = linkIn(mail, '/reset-password');
    expect((await world.as().put(`/v1/password_resets/${link}`, { password: 'Fresh-kettle-99' })).status).toBe(204);
    expect(codes(await signIn(email, 'Strangers-secret-1'))).toEqual([401, 1120]);
    const mySession = await signIn(email, 'Fresh-kettle-99');
    expect(mySession.body.data.access_token).toBeTruthy();
  });

  it('creates one user for 32 concurrent requests with the same address', async () => {
    const email = newEmail();
    const replies = await Promise.all(Array.from({ length: 32 }, () => signUp({ email })));
    expect(replies.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect((await world.kernel.db.rows(sql`select 1 from logins where lower(email) = ${email}`)).length).toBe(1);
    expect((await world.kernel.db.rows(sql`select 1 from users where lower(email) = ${email}`)).length).toBe(1);
  });

  it('runs the same SQL statements for a taken address and a free one', async () => {
    const email = newEmail();
    const first = await signUp({ email });
    await confirm(first.body.data.verification_id, codeIn(await mailTo(world.kernel, email)));
    await world.kernel.db.run(sql`delete from code_sends`);
    const statements = (address: string) =>
      recordStatements(world.kernel.db, 'code_sends', () => signUp({ email: address }));
    const unknown = await statements(newEmail());
    expect(unknown).toEqual([expect.arrayContaining(['commit'])]);
    expect(await statements(email)).toEqual(unknown);
  });

  it('does not reveal a taken address when the chosen password is used to sign in afterward', async () => {
    const existing = newEmail();
    const first = await signUp({ email: existing });
    await confirm(first.body.data.verification_id, codeIn(await mailTo(world.kernel, existing)));
    const unknown = newEmail();
    const recordAttempts = async (email: string) => {
      const responses: unknown[] = [];
      const costs: number[] = [];
      const note = async (reply: Promise<Reply>) => {
        const before = hashesDone();
        const { status, body } = await reply;
        costs.push(hashesDone() - before);
        responses.push([status, body.errors?.[0].code ?? [body.data.next, body.data.access_token, body.data.methods]]);
      };
      await note(signUp({ email, password: 'Typed-by-a-stranger-1' }));
      await note(signIn(email, 'Typed-by-a-stranger-1'));
      await note(signIn(email, 'Something-else-entirely-2'));
      await note(signUp({ email, password: 'Typed-the-second-time-2' }));
      await note(signIn(email, 'Typed-by-a-stranger-1'));
      await note(signIn(email, 'Typed-the-second-time-2'));
      return { responses, costs };
    };
    const first_run = await recordAttempts(unknown);
    expect(first_run.responses[1]).toEqual([200, ['email_verification', null, []]]);
    expect(first_run.responses[4]).toEqual([401, 1120]);
    expect(await recordAttempts(existing)).toEqual(first_run);
    // The owner of the address can still sign in with their own password, and no other password works.
    await world.kernel.db.run(sql`delete from sign_in_attempts`);
    expect((await signIn(existing)).body.data.next).toBeNull();
  });

  it('reserves the company name once the owner confirms the address', async () => {
    const company_name = `Rush ${++count}`;
    const [first_email, second_email] = [newEmail(), newEmail()];
    const enter = async (email: string) => {
      const { body } = await signUp({ email, company_name });
      const mail = await mailTo(world.kernel, email);
      return async () => (await confirm(body.data.verification_id, codeIn(mail))).body.data.access_token as string;
    };
    const [confirmOne, confirmTwo] = [await enter(first_email), await enter(second_email)];
    await confirmTwo();
    // The name is reserved. The second person to confirm is signed in, but must choose another name later.
    const fullwidth = company_name.replace('R', 'Ｒ').replace(' ', '\u00a0  ');
    for (const similarName of [company_name.toUpperCase(), fullwidth])
      expect(codes(await signUp({ company_name: similarName })), similarName).toEqual([409, 1129]);
    const invisible = await signUp({ company_name: `${company_name}\u200b` });
    expect([...codes(invisible), invisible.body.errors[0].field]).toEqual([400, 1705, 'company_name']);
    const token = await confirmOne();
    await world.kernel.db.run(sql`update logins set status = 'PHONE_VERIFIED' where lower(email) = ${first_email}`);
    const me = world.as(token);
    const apply = (name: string) =>
      me.post('/v1/accounts/self/verifications', {
        company_name: name,
        country_code: 'GB',
        company_address: '1 High Street, Leeds',
        company_website: '',
        company_size: '1-50',
        industry_id: 9,
        use_case: 'Appointment reminders for people who asked for them.',
        interests: ['sms'],
        monthly_volume: 'under_1000',
      });
    expect(codes(await apply(company_name))).toEqual([409, 1129]);
    expect((await apply(`${company_name} of Leeds`)).status).toBe(201);
    const reserved = await world.kernel.db.rows(sql`
      select name_held from accounts where company_name ilike ${`${company_name}%`} order by create_date`);
    expect(reserved).toEqual([{ name_held: true }, { name_held: true }]);
  });

  it('reserves the name for one of several concurrent confirmations and signs everyone in', async () => {
    const company_name = `Rush ${++count}`;
    const people = Array.from({ length: 8 }, newEmail);
    const ids = await Promise.all(people.map(async (email) => (await signUp({ email, company_name })).body.data));
    const mails = await Promise.all(people.map((email) => mailTo(world.kernel, email)));
    const all = await Promise.all(
      ids.map(({ verification_id }, index) => confirm(verification_id, codeIn(mails[index]!))),
    );
    expect(all.map(({ status }) => status)).toEqual(people.map(() => 200));
    const reserved = await world.kernel.db.rows(sql`
      select 1 from accounts where company_name = ${company_name} and name_held`);
    expect(reserved.length).toBe(1);
  });

  it('reveals a taken company name at most fifty times per hour to one network', async () => {
    const { db } = world.kernel;
    await db.run(sql`delete from sign_in_attempts`);
    const company_name = 'Vance Tea 🫖';
    const all: unknown[][] = [];
    for (let round = 0; round < 4; round++)
      all.push(...(await Promise.all(Array.from({ length: 15 }, () => signUp({ company_name })))).map(codes));
    const conflicts = all.filter(([status]) => status === 409);
    expect([conflicts.length, all.length - conflicts.length]).toEqual([50, 10]);
    expect(codes(await signUp())).toEqual([429, 1146]);
    await db.run(sql`update sign_in_attempts set last_date = last_date - interval '61 minutes'`);
    expect((await signUp()).status).toBe(201);
  });

  it.each([
    ['the company name is taken, regardless of case', { company_name: 'VANCE TEA 🫖' }, [409, 1129]],
    ['the password is missing', { password: undefined }, [400, 1105]],
    ['the password is too short', { password: 'Ab1' }, [400, 1114]],
    ['the password has no capital letter', { password: 'lowercase-77' }, [400, 1114]],
    ['the password is common', { password: 'Passw0rd!1' }, [400, 1115]],
    ['the password names the company', { company_name: 'Quillfeather', password: 'Quillfeather1' }, [400, 1115]],
    ['the country is unknown', { country_code: 'XX' }, [400, 1166]],
    ['the phone number is invalid', { phone_number: '12' }, [400, 7910]],
    ['the phone number is premium-rate', { phone_number: '+44 909 879 0000' }, [400, 7910]],
    ['the email address is invalid', { email: 'iris' }, [400, 1113]],
    ['a name contains NUL', { first_name: 'I\0ris' }, [400, 1705]],
    ['a name contains a lone surrogate', { last_name: '\ud800' }, [400, 1705]],
    ['the terms are not accepted', { terms: false }, [400, 1705]],
  ])('is rejected when %s', async (_, fields, expected) => {
    const { rows } = await world.kernel.db.one<{ rows: number }>(sql`select count(*) as rows from accounts`);
    expect(codes(await signUp(fields))).toEqual(expected);
    const after = await world.kernel.db.one<{ rows: number }>(sql`select count(*) as rows from accounts`);
    expect(after.rows).toBe(rows);
  });

  it('rejects another user’s verified phone number and people blocked by operators', async () => {
    const existing = await makeCompany(world.kernel);
    const { db } = world.kernel;
    await db.run(sql`update logins set phone_number = '447400111222' where id = ${existing.user_id}`);
    expect(codes(await signUp({ phone_number: '07400 111222' }))).toEqual([409, 1133]);
    await db.run(sql`
      update accounts set status = 'BLOCKED', blocked_by = 'operator', status_before_block = 'VERIFIED'
      where id = ${existing.account_id}`);
    expect(codes(await signUp({ phone_number: '07400 111222' }))).toEqual([403, 1137]);
    expect(codes(await signUp({ email: `${existing.user_id}@test.localhost` }))).toEqual([403, 1002]);
  });

  it('falls back to UTC when the time zone is unknown', async () => {
    const email = newEmail();
    await signUp({ email, timezone: 'Mars/Olympus' });
    const { timezone } = await world.kernel.db.one<{ timezone: string }>(sql`
      select timezone from accounts a join users u on u.account_id = a.id where lower(u.email) = ${email}`);
    expect(timezone).toBe('UTC');
  });
});

describe('signing up with a provider', () => {
  it('signs in immediately and consumes the ticket when the provider has confirmed the address', async () => {
    const email = newEmail();
    const token = await makeTicket({ email });
    const reply = await signUp({ email, password: undefined }, { 'x-social-token': token });
    expect(reply.body.data).toMatchObject({ next: null, email });
    const me = await world.as(reply.body.data.access_token).get('/v1/users/self');
    expect(me.body.data).toMatchObject({ status: 'EMAIL_VERIFIED', has_password: false });
    expect(codes(await signUp({ email: newEmail() }, { 'x-social-token': token }))).toEqual([410, 1140]);
  });

  it('uses a ticket only once when requests are concurrent', async () => {
    const email = newEmail();
    const token = await makeTicket({ email });
    const all = await Promise.all(
      Array.from({ length: 32 }, () => signUp({ email, password: undefined }, { 'x-social-token': token })),
    );
    expect(all.filter(({ body }) => body.data?.access_token).length).toBe(1);
    const connected = await world.kernel.db.rows(sql`
      select 1 from social_networks n join logins l on l.id = n.login_id where lower(l.email) = ${email}`);
    expect(connected.length).toBe(1);
  });

  it('offers to connect a taken address and keeps the ticket valid', async () => {
    const email = newEmail();
    const { verification_id } = (await signUp({ email })).body.data;
    // The unconfirmed user may belong to someone else, so connecting to it is not offered.
    const earlyTicket = await makeTicket({ email });
    const earlyReply = await signUp({ email, password: undefined }, { 'x-social-token': earlyTicket });
    expect(earlyReply.body.data).toMatchObject({ access_token: null, next: 'email_verification' });
    const exchanged = await confirm(verification_id, codeIn(await mailTo(world.kernel, email, 2)));
    await world.as().put(`/v1/password_resets/${exchanged.body.data.hash}`, { password: 'Fresh-kettle-99' });
    const token = await makeTicket({ email });
    const reply = await signUp({ email, password: undefined }, { 'x-social-token': token });
    expect(reply.body.data).toMatchObject({ access_token: null, next: 'link' });
    const { use_date } = await world.kernel.db.one<{ use_date: string | null }>(sql`
      select use_date from social_tickets where ticket_hash = ${stored(token)}`);
    expect(use_date).toBeNull();
  });

  it('sends a code for an unconfirmed address, and a password reset disconnects the provider', async () => {
    const email = newEmail();
    const token = await makeTicket({ email, email_verified: false });
    const { body } = await signUp({ email, password: undefined }, { 'x-social-token': token });
    expect(body.data).toMatchObject({ access_token: null, next: 'email_verification' });
    await world.kernel.db.run(sql`update code_sends set create_date = create_date - interval '10 minutes'`);
    await world.as().post('/v1/password_resets', { email });
    const link = linkIn(await findMail(world.kernel, email, '/reset-password'), '/reset-password');
    expect((await world.as().put(`/v1/password_resets/${link}`, { password: 'Owner-kettle-12' })).status).toBe(204);
    const remaining = sql`select 1 from social_networks n join logins l on l.id = n.login_id
    where lower(l.email) = ${email}`;
    expect(await world.kernel.db.rows(remaining)).toEqual([]);
  });

  it('accepts only the email address from the provider', async () => {
    const token = await makeTicket({});
    expect(codes(await signUp({}, { 'x-social-token': token }))).toEqual([400, 1113]);
    expect(await mailsTo(world.kernel, 'person-nobody@signup.localhost')).toEqual([]);
  });
});
