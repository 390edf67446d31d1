/**
 * The sessions that are bound to this process. They are reported to the database every few seconds, and the settings of
 * their accounts are read again at the same time, so that a change applies to sessions in all processes.
 */
import type { BindType } from '@parley/contract/smpp/smpp.ts';
import type { BoundSession } from '@parley/smpp/server.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { allowsAddress } from '../kernel/security/address_list.ts';
import {
  type BoundAccount,
  deleteSession,
  listBoundAccounts,
  listSurplusSessions,
  reportSessions,
} from './accounts_bound.ts';
import { Throughput } from './throughput.ts';

const REPORT_MS = 2_000;
/** The weight of the last report in the average rate of a session. */
const RATE_WEIGHT = 0.5;

export interface Member {
  readonly id: string;
  readonly address: string;
  readonly tls: boolean;
  readonly bind_type: BindType;
  readonly session: BoundSession;
  account: BoundAccount;
  in_flight: number;
  accepted: number;
  refused: number;
  delivered: number;
  rate: number;
  last_error: string | null;
  last_error_at: Date | null;
}

export const noteError = (member: Member, error: string): void => {
  member.last_error = error.slice(0, 200);
  member.last_error_at = new Date();
};

export class Members {
  private readonly kernel: Kernel;
  private readonly members = new Map<string, Member>();
  private readonly byAccount = new Map<string, { members: Set<Member>; throughput: Throughput }>();
  /** The sessions of each company here, and its throughput if it has a limit. */
  private readonly byCompany = new Map<string, { count: number; throughput: Throughput | null }>();
  private counted = new Map<string, number>();
  private countedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private reporting: Promise<void> | null = null;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.timer = setInterval(() => void this.report(), REPORT_MS);
  }

  add(member: Member): void {
    this.members.set(member.id, member);
    const { id } = member.account;
    const group = this.byAccount.get(id) ?? {
      members: new Set(),
      throughput: new Throughput(this.rate(member.account)),
    };
    group.members.add(member);
    this.countSession(member.account.account_id, 1);
    this.byAccount.set(id, group);
    this.share(member.account);
  }

  remove(member: Member): void {
    this.members.delete(member.id);
    const group = this.byAccount.get(member.account.id);
    if (group?.members.delete(member)) this.countSession(member.account.account_id, -1);
    if (group?.members.size === 0) this.byAccount.delete(member.account.id);
    this.share(member.account);
    deleteSession(this.kernel.db, member.account.account_id, member.id).catch((error: unknown) =>
      this.kernel.log.warn({ err: error }, 'an SMPP session could not be removed'),
    );
  }

  /** Returns false if the account or its company sends faster than it may. */
  takeToken({ account }: Member): boolean {
    const buckets = [this.byAccount.get(account.id), this.byCompany.get(account.account_id)];
    return Throughput.takeAll(buckets.flatMap((group) => group?.throughput ?? []));
  }

  window({ account }: Member): number {
    return Math.min(account.window, this.kernel.config.SMPP_WINDOW);
  }

  /** The accounts that have sessions here, each with its sessions. */
  accounts(): { account: BoundAccount; members: readonly Member[] }[] {
    return [...this.byAccount.values()].map(({ members }) => {
      const list = [...members];
      return { account: list[0]!.account, members: list };
    });
  }

  /** The sessions of an account here. */
  sessions(smpp_account_id: string): readonly Member[] {
    return [...(this.byAccount.get(smpp_account_id)?.members ?? [])];
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.reporting;
  }

  private rate({ throughput }: BoundAccount): number {
    const { SMPP_THROUGHPUT: limit } = this.kernel.config;
    return throughput === null ? limit : Math.min(throughput, limit);
  }

  /** Divides the throughput of an account among processes, by their number of sessions. */
  private share(account: BoundAccount): void {
    this.shareCompany(account);
    const group = this.byAccount.get(account.id);
    if (!group) return;
    const own = group.members.size;
    const all = Math.max(own, account.bound_count);
    group.throughput.setRate((this.rate(account) * own) / all);
  }

  /** Divides the throughput of a company in the same way. */
  private shareCompany({ account_id, company_throughput, company_bound_count }: BoundAccount): void {
    const company = this.byCompany.get(account_id);
    if (!company) return;
    const rate = ((company_throughput ?? 0) * company.count) / Math.max(company.count, company_bound_count);
    if (company_throughput === null) company.throughput = null;
    else if (company.throughput) company.throughput.setRate(rate);
    else company.throughput = new Throughput(rate);
  }

  private countSession(account_id: string, change: 1 | -1): void {
    const company = this.byCompany.get(account_id) ?? { count: 0, throughput: null };
    company.count += change;
    if (company.count === 0) this.byCompany.delete(account_id);
    else this.byCompany.set(account_id, company);
  }

  private report(): Promise<void> {
    this.reporting ??= this.reportAll()
      .catch((error: unknown) => this.kernel.log.warn({ err: error }, 'SMPP sessions could not be reported'))
      .finally(() => {
        this.reporting = null;
      });
    return this.reporting;
  }

  private async reportAll(): Promise<void> {
    const members = [...this.members.values()];
    if (members.length === 0) return;
    this.measure(members);
    const { db } = this.kernel;
    const closed = await reportSessions(
      db,
      members.map((member) => ({ ...member, account_id: member.account.account_id })),
    );
    const keys = this.accounts().map(({ account }) => account);
    const accounts = new Map((await listBoundAccounts(db, keys)).map((account) => [account.id, account]));
    const surplus = await listSurplusSessions(db, [...new Set(keys.map(({ account_id }) => account_id))]);
    for (const member of members) {
      const account = accounts.get(member.account.id);
      if (account) member.account = account;
      if (!account || closed.has(member.id) || surplus.has(member.id) || !mayStay(member)) void member.session.unbind();
    }
    for (const account of accounts.values()) this.share(account);
  }

  private measure(members: readonly Member[]): void {
    const now = performance.now();
    const seconds = Math.max(0.001, (now - this.countedAt) / 1_000);
    for (const member of members) {
      const rate = (member.accepted - (this.counted.get(member.id) ?? 0)) / seconds;
      member.rate = Math.round((member.rate * (1 - RATE_WEIGHT) + rate * RATE_WEIGHT) * 10) / 10;
    }
    this.counted = new Map(members.map(({ id, accepted }) => [id, accepted]));
    this.countedAt = now;
  }
}

const mayStay = ({ account, address, tls, bind_type }: Member): boolean =>
  account.is_active &&
  (tls || !account.tls) &&
  account.bind_types.includes(bind_type) &&
  allowsAddress(account.addresses, address);
