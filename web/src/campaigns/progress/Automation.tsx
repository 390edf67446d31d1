/** The trigger of an automation, in words. */
import { listKeywords } from '@parley/contract/audiences/keywords.ts';
import { type Campaign, getCampaign } from '@parley/contract/campaigns/campaigns.ts';
import type { CampaignTrigger } from '@parley/contract/campaigns/triggers.ts';
import { useContactFields } from '../../audiences/people/contact_fields.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';

export default function Automation({ campaign: { trigger } }: { campaign: Campaign }) {
  if (!trigger) return null;
  return (
    <>
      <Cause trigger={trigger} />, {describeReentry(trigger)}
    </>
  );
}

function Cause({ trigger }: { trigger: CampaignTrigger }) {
  switch (trigger.on) {
    case 'joined':
      return trigger.imports
        ? 'When a person joins the audience'
        : 'When a person joins the audience without an import';
    case 'date':
      return <DateCause trigger={trigger} />;
    case 'no_reply':
      return <CampaignCause trigger={trigger} />;
    case 'keyword':
      return <KeywordCause trigger={trigger} />;
  }
}

function DateCause({ trigger: { field, offset_days, time, yearly } }: { trigger: CampaignTrigger }) {
  const label = useContactFields().find(({ key }) => key === field)?.label ?? field;
  const side = offset_days < 0 ? 'before' : 'after';
  const day = offset_days === 0 ? 'On the day of' : `${formatCount(Math.abs(offset_days), 'day')} ${side}`;
  return `${day} ${label}${yearly ? ' each year' : ''} at ${time}`;
}

function CampaignCause({ trigger: { campaign_id, wait_days } }: { trigger: CampaignTrigger }) {
  const query = useEndpoint(getCampaign, { params: { id: campaign_id ?? '' } });
  const name = query.data?.data.name ?? (query.error ? 'a deleted campaign' : 'a campaign');
  return `${formatCount(wait_days, 'day')} without a reply to ${name}`;
}

function KeywordCause({ trigger: { keyword_id } }: { trigger: CampaignTrigger }) {
  const query = useEndpoint(listKeywords, {});
  const words = query.data?.data.find(({ id }) => id === keyword_id)?.words.join(', ');
  return words ? `When a person sends ${words}` : 'When a person sends the keyword';
}

function describeReentry({ reentry, reentry_days }: CampaignTrigger): string {
  if (reentry === 'once') return 'once per person';
  return reentry === 'every' ? 'every time' : `once every ${formatCount(reentry_days, 'day')} per person`;
}
