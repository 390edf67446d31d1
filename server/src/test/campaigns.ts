/**
 * A company that is ready to send campaigns, and the steps that a worker takes, so that a test controls what happens in
 * between.
 */
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import type { Failure } from '@parley/contract/messages/messages.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';
import { fanOut } from '../campaigns/fanout/fanout.ts';
import { recount } from '../campaigns/progress/progress.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { receiveMessages } from '../messages/inbound/intake.ts';
import { applyStatuses } from '../messages/messages.ts';
import { type Company, makeAudience, makeCarrier, makeCompany, makeSender, testNumber } from './make.ts';
import type { Caller, World } from './world.ts';

export interface Stage extends Company {
  caller: Caller;
  sender_id: string;
  audience_id: string;
}

interface Recipient {
  number: string;
  country?: string;
  first_name?: string;
  last_name?: string;
  custom1?: string;
}

export const crowd = (count: number, from = 0): Recipient[] =>
  Array.from({ length: count }, (_, index) => ({ number: testNumber(from + index), first_name: `Person ${index}` }));

/** Creates the company with a sender and an audience. A segment costs 0.04. */
export async function makeStage(
  world: World,
  contacts: readonly Recipient[],
  company: Parameters<typeof makeCompany>[1] = {},
): Promise<Stage> {
  const { kernel } = world;
  if (!(await kernel.db.maybeOne(sql`select 1 from connections limit 1`))) await makeCarrier(kernel);
  const owner = await makeCompany(kernel, company);
  const { sender_id } = await makeSender(kernel, owner.account_id);
  const audience_id = await makeAudience(kernel, owner.account_id, contacts);
  return { ...owner, caller: world.as(owner.token), sender_id, audience_id };
}

export const campaignDraft = (stage: Stage, overrides: Record<string, unknown> = {}) => ({
  from: stage.sender_id,
  audience: stage.audience_id,
  text: 'Hello {first_name:friend}',
  ...overrides,
});

export async function startCampaign(stage: Stage, overrides: Record<string, unknown> = {}): Promise<Campaign> {
  const reply = await stage.caller.post('/v1/campaigns', campaignDraft(stage, overrides));
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
}

export async function readCampaign(stage: Stage, id: string): Promise<Campaign> {
  return (await stage.caller.get(`/v1/campaigns/${id}`)).body.data;
}

/** Fans the campaign out to the whole audience, or to `portions` batches of `size` recipients each. */
export async function fanOutAll(world: World, campaign: Campaign, size = 1_000, portions = 1_000): Promise<void> {
  for (let portion = 0; portion < portions; portion++) {
    const step = await fanOut(world.kernel, campaign, size);
    if (step !== 'more') return;
  }
}

export const count = (world: World, campaign: Campaign) => recount(world.kernel, campaign.account_id, campaign.id);

/** Applies a carrier status to up to `limit` waiting messages, as the delivery module would. */
export async function applyCarrierStatus(
  world: World,
  campaign: Campaign,
  status: Status,
  detail: { limit?: number; failure?: Failure; of?: Status } = {},
): Promise<number> {
  return world.kernel.db.tx(async (tx) => {
    const rows = await tx.rows<{ id: string }>(sql`
      select id from messages
      where account_id = ${campaign.account_id} and campaign_id = ${campaign.id} and status = ${detail.of ?? 'enroute'}
      order by id limit ${detail.limit ?? 100_000}`);
    await applyStatuses(
      tx,
      rows.map(({ id }) => ({
        account_id: campaign.account_id,
        message_id: id,
        status,
        source: 'carrier',
        ...(detail.failure ? { failure: detail.failure, text: 'Carrier report' } : {}),
      })),
    );
    return rows.length;
  });
}

export const readBalance = (world: World, stage: Stage) =>
  world.kernel.db.one<{ available_micros: number; held_micros: number }>(
    sql`select available_micros, held_micros from balances where account_id = ${stage.account_id}`,
  );

export const listEvents = async (world: World, stage: Stage, type: string): Promise<Campaign[]> =>
  (
    await world.kernel.db.rows<{ payload: Campaign }>(
      sql`select payload from events where account_id = ${stage.account_id} and type = ${type} order by id`,
    )
  ).map((row) => row.payload);

export const broken = async (world: World) => (await world.examine()).filter((finding) => !finding.ok);

/** A recipient writes to the sender of the stage. */
export async function writeBack(world: World, stage: Stage, number: string, text: string): Promise<void> {
  await world.kernel.db.tx(async (tx) => {
    const { code, channel, connection_id } = await tx.one<{ code: string; channel: 'SMS'; connection_id: string }>(sql`
      select s.code, s.channel, coalesce(s.connection_id, (select id from connections limit 1)) as connection_id
      from senders s where s.account_id = ${stage.account_id} and s.id = ${stage.sender_id}`);
    await receiveMessages(tx, [{ connection_id, channel, from: number, to: code, text, parts: 1, details: {} }]);
  });
}

/** The numbers that got a message of the runs of an automation, in order. */
export const listMessaged = async ({ kernel }: World, { account_id, id }: Campaign): Promise<string[]> =>
  (
    await kernel.db.rows<{ number: string }>(sql`
      select m.number from messages m join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
      where c.account_id = ${account_id} and c.series_id = ${id} order by m.number`)
  ).map(({ number }) => number);

export const joinAudience = ({ kernel }: World, stage: Stage, number: string, import_id: string | null) =>
  kernel.db.run(sql`
    with counted as (update audiences set contacts_count = contacts_count + 1 where id = ${stage.audience_id})
    insert into contacts (account_id, audience_id, id, number, country, import_id)
    values (${stage.account_id}, ${stage.audience_id}, ${newId()}, ${number}, 'GB', ${import_id})`);

export const leaveAudience = ({ kernel }: World, stage: Stage, number: string) =>
  kernel.db.run(sql`
    with counted as (update audiences set contacts_count = contacts_count - 1 where id = ${stage.audience_id})
    delete from contacts where account_id = ${stage.account_id} and number = ${number}`);
