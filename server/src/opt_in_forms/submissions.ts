/**
 * Handles the number that a person has entered: a code is sent, and the right code adds the person to the audience,
 * with the consent. Both steps look the same for known, unknown, and stopped numbers.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { fieldText, readFieldValue } from '@parley/contract/audiences/field_values.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { render } from '@parley/contract/channels/sms/text.ts';
import { optInConfirmed } from '@parley/contract/opt_in_forms/opt_in_forms.ts';
import { Problem } from '@parley/contract/problem.ts';
import {
  findPerson,
  joinAudience,
  listContactFieldKeys,
  listFields,
  listStoppedNumbers,
} from '../audiences/audiences.ts';
import { hashToken } from '../auth/auth.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { failpoint } from '../kernel/failpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import { accept } from '../messages/messages.ts';
import { redeemCode, sendCode } from '../verifications/verifications.ts';
import type { PublicForm, Submission } from './page_queries.ts';
import * as queries from './page_queries.ts';
import { findForm } from './queries.ts';

/** Sends the welcome message of a form. */
export const welcomeJob = job<{ account_id: string; id: string }>('opt_in_forms.welcome', { retry: 5 });

const CODE_LENGTH = 6;
/** Numbers that one network may enter in an hour, whether or not a code is sent. */
const NUMBERS_PER_HOUR = 300;

export type Draft = Pick<
  Submission,
  'number' | 'country' | 'entries' | 'language' | 'consent' | 'page' | 'address' | 'network'
>;

/** Returns the token of the page that asks for the code, or null if the network has entered too many numbers. */
export async function startOptIn(kernel: Kernel, form: PublicForm, draft: Draft): Promise<string | null> {
  const id = newId();
  const secret = randomBytes(24).toString('base64url');
  const row = { ...draft, account_id: form.account_id, id, form_id: form.id, token_hash: hashToken(secret) };
  const isAllowed = await kernel.db.tx(async (tx) => {
    if ((await queries.countFromNetwork(tx, form.account_id, draft.network)) >= NUMBERS_PER_HOUR) return false;
    await queries.insertSubmission(tx, row);
    await queries.addFigure(tx, form, 'started');
    return true;
  });
  if (!isAllowed) return null;
  await sendOptInCode(kernel, form, row);
  return `${id}.${secret}`;
}

/** A refusal is shown to the account, and never on the page. */
export async function sendOptInCode(
  kernel: Kernel,
  form: PublicForm,
  { number, language, address }: Pick<Submission, 'number' | 'language' | 'address'>,
): Promise<void> {
  const actor = { account_id: form.account_id, user_id: null, key_id: null };
  const request = { channel: form.channel, sender: form.sender_id, phone: number, code_length: CODE_LENGTH };
  try {
    await kernel.db.tx((tx) =>
      sendCode(tx, kernel, actor, { ...request, locale: language, ip_address: address }, form.id),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await kernel.db.tx(async (tx) => {
      await queries.addFigure(tx, form, 'refused');
      await queries.storeRefusal(tx, form, error.message);
    });
  }
}

/** The submission of a token; null if the token is wrong. */
export async function findByToken(kernel: Kernel, form: PublicForm, token: string): Promise<Submission | null> {
  const [id = '', secret = ''] = token.split('.');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const found = await queries.findSubmission(kernel.db, form.account_id, id);
  return found?.form_id === form.id && timingSafeEqual(found.token_hash, hashToken(secret)) ? found : null;
}

/** `wrong`: the code is not the last one that was sent, or too old. */
export async function confirmOptIn(
  kernel: Kernel,
  form: PublicForm,
  { account_id, id }: Submission,
  code: string,
): Promise<'wrong' | 'confirmed' | 'stopped'> {
  return kernel.db.tx(async (tx) => {
    const submission = await queries.lockSubmission(tx, account_id, id);
    if (!submission) return 'wrong';
    if (submission.status !== 'pending') return submission.status;
    const { number } = submission;
    const sent = await redeemCode(tx, kernel.seals, { account_id }, { phone: `+${number}`, code, form_id: form.id });
    if (!sent) return 'wrong';
    // The person may have opted out after the code was sent.
    if ((await listStoppedNumbers(tx, account_id, form.sender_id, [number])).size > 0) {
      await queries.closeSubmission(tx, submission, 'stopped', null);
      return 'stopped';
    }
    await join(tx, form, submission, sent.message_id);
    return 'confirmed';
  });
}

async function join(tx: Tx, form: PublicForm, submission: Submission, message_id: string): Promise<void> {
  const { account_id, id, number, country, entries, language } = submission;
  const fields = Object.fromEntries(
    (await listFields(tx, account_id)).flatMap((field) => {
      const value = readFieldValue(field, entries[`fields.${field.key}`]);
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
  const { first_name = '', last_name = '' } = entries;
  const { person_id, is_new } = await joinAudience(tx, {
    ...{ account_id, audience_id: form.audience_id, number, country, first_name, last_name, fields, language },
    tags: form.tags,
    consent: {
      ...{ purpose: form.purpose, method: 'double_opt_in', text: submission.consent, source: submission.page },
      ...{ address: submission.address, message_id },
    },
  });
  await queries.closeSubmission(tx, submission, 'confirmed', person_id);
  await queries.addFigure(tx, form, 'confirmed');
  if (is_new && form.welcome_text !== '') await enqueue(tx, welcomeJob, { account_id, id });
  const { audience_id } = form;
  emit(tx, optInConfirmed, account_id, { form_id: form.id, audience_id, person_id, number, is_new });
}

/** The transaction that accepts the message stores it, so a repeated job sends nothing. */
export async function sendWelcome(kernel: Kernel, { account_id, id }: { account_id: string; id: string }) {
  try {
    await kernel.db.tx(async (tx) => {
      const submission = await queries.lockSubmission(tx, account_id, id);
      if (!submission || submission.welcome_message_id !== null) return;
      const form = await findForm(tx, account_id, submission.form_id);
      if (!form || form.welcome_text === '') return;
      const { channel } = await queries.readSenderChannel(tx, account_id, form.sender_id);
      const { accepted } = await accept(tx, kernel, {
        ...{ account_id, channel: channel as ChannelName, from: form.sender_id, source: 'reply', refusal: 'throw' },
        recipients: [{ to: submission.number, text: await fillWelcomeText(tx, submission, form.welcome_text) }],
        source_text: form.welcome_text,
      });
      await queries.storeWelcome(tx, submission, accepted[0]!.id);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    kernel.log.warn({ account_id, id, problem: error.name }, 'could not send the welcome message of an opt-in form');
  }
  failpoint('opt_in.welcomed');
}

async function fillWelcomeText(tx: Tx, { account_id, number }: Submission, text: string): Promise<string> {
  if (!text.includes('{')) return text;
  const person = await findPerson(tx, account_id, number);
  const keys = await listContactFieldKeys(tx, account_id);
  const { first_name = '', last_name = '', custom1 = '', custom2 = '', fields = {} } = person ?? {};
  const own = Object.fromEntries(keys.map((key) => [key, fieldText(fields[key])]));
  // The opt-out stays in the text for the gate.
  return render(text, { ...own, first_name, last_name, custom1, custom2, sms_opt_out: '{sms_opt_out}' });
}
