/**
 * Verification codes that customers send to their own users. Each code is an ordinary message: the gate checks, prices,
 * routes, and logs it. Only a keyed hash of the code is kept. A code is valid for one use and five attempts, and a new
 * code to the same phone replaces it, even if many requests arrive at the same time.
 */
import { randomInt } from 'node:crypto';
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import { MAX_ATTEMPTS, readVerification, type VerificationDraft } from '@parley/contract/verifications/rules.ts';
import {
  type createVerification,
  type listSentCodes,
  type SentCode,
  verificationChanged,
} from '@parley/contract/verifications/verifications.ts';
import { parseNumber } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Db, type Queryable, runTogether, type Tx } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import { addressNetwork, callerKey } from '../kernel/http/network.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { readAddress } from '../kernel/security/address_list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import type { Seals } from '../kernel/security/seal.ts';
import { accept, type Fallback, markVerified, sendInTest } from '../messages/messages.ts';
import { composeCode, readBrand } from './code_messages.ts';
import { requireAllowance } from './limits.ts';
import * as queries from './queries.ts';
import { TABLES } from './queries.ts';
import { requireNotStopped, stopOnSurge } from './stops.ts';

export { removeStop } from './stops.ts';

type Body = Parsed<typeof createVerification>['body'];

/** The facts about the caller that sending needs. */
type Sending = Pick<Actor, 'account_id' | 'user_id' | 'key_id' | 'test' | 'spend_limit_micros'>;

/** Sends a code. Every refusal leaves nothing behind: no message, no hold, and the earlier code stays valid. */
export async function sendCode(
  tx: Tx,
  kernel: Kernel,
  actor: Sending,
  body: Body,
  /** The opt-in form that the code belongs to. */
  form_id: string | null = null,
): Promise<SentCode> {
  const draft = readDraft(body);
  const { account_id } = actor;
  const target = { account_id, ...readPhone(draft.phone), ...readCaller(body.ip_address) };
  await requireAllowance(tx, kernel.config, target);
  await requireNotStopped(tx, target);
  const code = typeof draft.code === 'string' ? draft.code : randomCode(draft.code.length);
  const message = await sendMessage(tx, kernel, actor, { draft, code, body, to: target.phone }).catch(renameFields);
  await close(tx, await queries.replaceOpen(tx, TABLES.live, { account_id, phone: target.phone, form_id }));
  const id = newId(tx.now.getTime());
  const { channel } = draft.steps[0];
  const sent = await queries.insertCode(tx, {
    ...target,
    id,
    message_id: message.id,
    channel,
    code_hash: kernel.seals.mac(hashed(id, code), PURPOSE),
    own_code: typeof draft.code === 'string',
    user_id: actor.user_id,
    key_id: actor.key_id ?? null,
    form_id,
    expire_date: new Date(tx.now.getTime() + draft.valid_seconds * 1_000),
  });
  await queries.addCount(tx, { ...target, channel, hour: tx.now }, 'sent');
  await stopOnSurge(tx, kernel.config, target);
  return sent;
}

/**
 * Sends the code of a test key: the gate runs, but nothing reaches a phone, and neither limits nor stops apply. The
 * code is the beginning of `12345678`, unless the request contains one.
 */
export async function sendTestCode(tx: Tx, kernel: Kernel, actor: Actor, body: Body): Promise<SentCode> {
  const draft = readDraft(body);
  const { account_id } = actor;
  const { phone, country } = readPhone(draft.phone);
  readCaller(body.ip_address);
  await queries.lockTestPhone(tx, account_id, phone);
  const code = typeof draft.code === 'string' ? draft.code : TEST_CODE.slice(0, draft.code.length);
  const [message] = await sendInTest(tx, actor, async (trial) => [
    await sendMessage(trial, kernel, actor, { draft, code, body, to: phone }).catch(renameFields),
  ]);
  await queries.replaceOpen(tx, TABLES.test, { account_id, phone });
  const id = newId(tx.now.getTime());
  const sent = await queries.insertTestCode(tx, {
    ...{ account_id, id, phone, country, message_id: message!.id, channel: draft.steps[0].channel },
    code_hash: kernel.seals.mac(hashed(id, code), PURPOSE),
    expire_date: new Date(tx.now.getTime() + draft.valid_seconds * 1_000),
  });
  return { ...sent, test: true };
}

function readDraft(body: Body): VerificationDraft {
  const { draft, findings } = readVerification(body);
  const [first, ...others] = findings;
  if (first) throw new Problem(first.code, { field: first.field, message: first.message, others });
  return draft!;
}

/** Throws RECIPIENTS_INVALID, also for premium numbers. */
function readPhone(text: string): { phone: string; country: string; range: string; neighbors: string } {
  const parsed = parseNumber(text);
  if (!parsed) throw new Problem('RECIPIENTS_INVALID', { field: 'phone', message: `Not a mobile number: ${text}` });
  const { number: phone, country } = parsed;
  return { phone, country, range: queries.toRange(phone), neighbors: phone.slice(0, -4) };
}

function readCaller(text: string | null | undefined): { address: string | null; network: string | null } {
  if (!text) return { address: null, network: null };
  const address = readAddress(text);
  if (address === null || address.includes('/')) throw new Problem('VERIFICATION_ADDRESS_INVALID');
  return { address: callerKey(address), network: addressNetwork(address) };
}

/** Reports the problems of the message with the fields of this call. */
function renameFields(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const rename = (field: string | undefined) =>
    field
      ?.replace(/^fallbacks\b/, 'fallback')
      .replace(/(^|\.)from$/, '$1sender')
      .replace(
        /(^|\.)(to|variables|text)$/,
        (_, dot: string, name: string) => `${dot}${name === 'to' ? 'phone' : 'template'}`,
      );
  const { name, message, internal, field, others } = error;
  throw new Problem(name, {
    message,
    internal,
    ...(field === undefined ? {} : { field: rename(field)! }),
    others: others.map((other) => ({ ...other, ...(other.field ? { field: rename(other.field)! } : {}) })),
  });
}

const randomCode = (length: number): string => Array.from({ length }, () => String(randomInt(0, 10))).join('');

async function sendMessage(
  tx: Tx,
  kernel: Kernel,
  { account_id, user_id, key_id, test = false, spend_limit_micros = null }: Sending,
  { draft, code, body, to }: { draft: VerificationDraft; code: string; body: Body; to: string },
): Promise<Message> {
  const brand = body.brand || (await readBrand(tx, account_id));
  const text = { account_id, code, brand, locale: body.locale ?? null };
  const [first, ...others] = draft.steps;
  const fallbacks = others.map(
    (step): Fallback => ({
      channel: step.channel,
      from: step.sender,
      trigger: 'undelivered',
      wait_seconds: step.threshold,
      compose: composeCode(tx, text, step),
    }),
  );
  const { accepted } = await accept(tx, kernel, {
    account_id,
    channel: first.channel,
    from: first.sender,
    recipients: [{ to, text: '' }],
    compose: composeCode(tx, text, first),
    source: 'verification',
    refusal: 'throw',
    user_id,
    key_id: key_id ?? null,
    spend_limit_micros,
    free: test,
    validity_seconds: draft.valid_seconds,
    code,
    tracks_code: true,
    fallbacks,
  });
  return accepted[0]!;
}

const PURPOSE = 'verifications';
const TEST_CODE = '12345678';
const hashed = (id: string, code: string): string => `${id} ${code}`;
/** Compared instead of a code that does not exist, so that both cases take the same time. */
const NO_CODE = { id: '00000000-0000-0000-0000-000000000000', code_hash: Buffer.alloc(32) };

/**
 * Returns the code if it is right, and uses it up. Every wrong code counts, also if many arrive at the same time: they
 * wait for the row.
 */
export const checkCode = (
  { db, seals }: { db: Db; seals: Seals },
  actor: Actor,
  input: { phone: string; code: string },
): Promise<SentCode | null> => db.tx((tx) => redeemCode(tx, seals, actor, input));

/** Like `checkCode`, but for the code of an opt-in form, as part of a larger transaction. */
export async function redeemCode(
  tx: Tx,
  seals: Seals,
  { account_id, test = false }: Pick<Actor, 'account_id' | 'test'>,
  { phone, code, form_id = null }: { phone: string; code: string; form_id?: string | null },
): Promise<SentCode | null> {
  const table = findTable({ test });
  const number = parseNumber(phone)?.number ?? phone.replace(/\D/g, '');
  const open = await queries.lockOpen(tx, table, { account_id, phone: number, form_id });
  const { id, code_hash } = open ?? NO_CODE;
  const matches = seals.isMac(hashed(id, code), PURPOSE, code_hash);
  if (!open) return null;
  const end = async (status: SentCode['status'], attempts = 0) => {
    const ended = await queries.closeCode(tx, table, account_id, id, { status, attempts });
    if (test) return { ...ended, test };
    await close(tx, [ended]);
    return ended;
  };
  if (open.is_expired) {
    await end('expired');
    return null;
  }
  if (!matches) {
    const { attempts } = await queries.countAttempt(tx, table, account_id, id);
    if (attempts >= MAX_ATTEMPTS) await end('failed');
    return null;
  }
  if (!test) await queries.addCount(tx, { ...open, account_id, phone: number }, 'verified');
  return end('verified', 1);
}

const findTable = ({ test = false }: Pick<Actor, 'test'>): queries.CodeTable => (test ? TABLES.test : TABLES.live);

/** Shows the outcome of codes in the message log, and announces it. All codes have the same outcome. */
export async function close(tx: Tx, codes: readonly SentCode[]): Promise<void> {
  for (const status of new Set(codes.map((code) => code.status)))
    await markVerified(
      tx,
      codes.filter((code) => code.status === status),
      status,
    );
  for (const code of codes) emit(tx, verificationChanged, code.account_id, code);
}

export async function listCodes(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof listSentCodes>['query'],
): Promise<Paged<SentCode>> {
  const { account_id, test = false } = actor;
  const table = findTable(actor);
  const page = readPage(query);
  const [rows, total] = await runTogether(
    queries.listCodes(db, table, account_id, query.filter, page),
    queries.countCodes(db, table, account_id, query.filter),
  );
  return paged(page, test ? rows.map((row) => ({ ...row, test })) : rows, total, (row) => row.id);
}
