/**
 * Decides whether a program may bind. Unknown system IDs and wrong passwords get the same response. Addresses that
 * fail too often are refused before any lookup.
 */
import { timingSafeEqual } from 'node:crypto';
import type { BindType } from '@parley/contract/smpp/smpp.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { STATUS } from '@parley/smpp/status.ts';
import { type Brand, readBrand, toAscii } from '../kernel/brand/brand.ts';
import { refusalLimiter } from '../kernel/http/rate.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { allowsAddress } from '../kernel/security/address_list.ts';
import { type BoundAccount, findAccountBySystemId, insertSession, storeBindError } from './accounts_bound.ts';

/** Refused binds per second and address. A burst can have three times as many. */
const REFUSALS_PER_SECOND = 5;
/** Lookups in progress. More binds are refused, so that a flood of them does not occupy the database. */
const MAX_LOOKUPS = 50;

interface Attempt {
  /** The ID of the session, if it is admitted. */
  id: string;
  bind: Pdu;
  address: string;
  tls: boolean;
}

export interface AdmittedAccount extends BoundAccount {
  /** The name of this server for the customer. */
  readonly server_name: string;
}

export interface BindGate {
  /** Returns the account, or the status of the refusal. */
  admit(attempt: Attempt): Promise<AdmittedAccount | number>;
}

export function createBindGate(kernel: Kernel): BindGate {
  const limiter = refusalLimiter(REFUSALS_PER_SECOND);
  let lookups = 0;
  return {
    async admit(attempt) {
      if (lookups >= MAX_LOOKUPS || isLimited(() => limiter.check(attempt.address))) return STATUS.ESME_RTHROTTLED;
      lookups++;
      try {
        const result = await check(kernel, attempt);
        if (typeof result === 'number') limiter.recordRefusal(attempt.address);
        return result;
      } finally {
        lookups--;
      }
    },
  };
}

function isLimited(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

async function check(kernel: Kernel, attempt: Attempt): Promise<AdmittedAccount | number> {
  const { id, bind, address, tls } = attempt;
  const { db, config } = kernel;
  const found = bind.system_id ? await findAccountBySystemId(db, bind.system_id) : null;
  if (!found) return STATUS.ESME_RINVPASWD;
  const { passwords, ...account } = found;
  const { account_id } = account;
  const refuse = async (status: number, text: string) => {
    await storeBindError(db, account_id, account.id, `${text} (from ${address})`);
    return status;
  };
  const opened = passwords.map((sealed) => kernel.seals.open(sealed, { table: 'smpp_accounts', row: account.id }));
  if (!opened.some((password) => isSame(password, bind.password ?? '')))
    return refuse(STATUS.ESME_RINVPASWD, 'Wrong password');
  const bind_type = bind.command.slice('bind_'.length) as BindType;
  if (!allowsAddress(account.addresses, address)) return refuse(STATUS.ESME_RBINDFAIL, 'IP address not allowed');
  if (account.tls && !tls) return refuse(STATUS.ESME_RBINDFAIL, 'TLS is required');
  if (!account.bind_types.includes(bind_type)) return refuse(STATUS.ESME_RBINDFAIL, `${bind_type} is not allowed`);
  if (!account.is_active)
    return refuse(STATUS.ESME_RBINDFAIL, 'The account is paused, blocked, or above the limit of the company');
  const window = Math.min(account.window, config.SMPP_WINDOW);
  const session = { id, account_id, smpp_account_id: account.id, bind_type, address, tls, window };
  const full = await db.tx((tx) => insertSession(tx, session, account.max_binds));
  if (full) return refuse(STATUS.ESME_RALYBND, full);
  const { bound_count, company_bound_count } = account;
  const server_name = toSystemId(await readBrand(db, account_id));
  return { ...account, server_name, bound_count: bound_count + 1, company_bound_count: company_bound_count + 1 };
}

/** SMPP allows 15 characters. */
const toSystemId = ({ name }: Brand): string => toAscii(name).slice(0, 15).trim() || 'SMPP';

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given, 'latin1')];
  return a.length === b.length && timingSafeEqual(a, b);
}
