/** Realistic data for the gallery. Phone numbers come from ranges reserved for fiction. */
import type { CampaignStatus } from '@parley/contract/campaigns/statuses.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
export interface SampleCampaign {
  id: string;
  name: string;
  channel: string;
  status: CampaignStatus;
  recipients: number;
  cost_micros: number;
  create_date: string;
}

const NAMES = [
  'Spring sale, loyal customers',
  'Table reminders',
  'New opening hours',
  'Order 48211 is ready',
  'Survey after delivery',
  'Winter tires',
  'Gift card for birthdays',
  'Delivery delayed by snow',
  'Opening in Gyumri',
  'Weekend brunch',
];
const STATUSES: readonly CampaignStatus[] = [
  'completed',
  'in_progress',
  'scheduled',
  'paused',
  'failed',
  'canceled',
  'in_complete',
  'completed',
  'completed',
  'in_progress',
];
const CHANNELS = ALL_CHANNELS.map(({ name }) => name);

const pad = (value: number): string => String(value).padStart(2, '0');

export const campaigns = (count: number): SampleCampaign[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `6f0c${String(index).padStart(4, '0')}-91b4-4a7e-8f00-5d2c7be91a11`,
    name: `${NAMES[index % NAMES.length]}${index < NAMES.length ? '' : ` ${Math.floor(index / NAMES.length) + 1}`}`,
    channel: CHANNELS[index % 3] as string,
    status: STATUSES[index % STATUSES.length] as CampaignStatus,
    recipients: 1204 + ((index * 7919) % 90_000),
    cost_micros: 18_060_000 + ((index * 3_571_000) % 900_000_000),
    create_date: `2026-11-${pad(21 - (index % 20))} 09:${pad((index * 7) % 60)}:12`,
  }));

export const PEOPLE = ['Anna', 'Marcus', 'Siranush', 'Leïla', 'Tom', 'Wei'];
export const MESSAGE =
  'Hi {first_name}, your table for two at Harbour Kitchen is ready tonight at 19:30. Reply YES to keep it, or call ' +
  'us if your plans have changed. We hold it for 15 minutes. Reply STOP to opt out.';

export const traffic = Array.from({ length: 14 }, (_, day) => ({
  day: `${String(8 + day).padStart(2, '0')}-11`,
  sms: 3200 + Math.round(Math.sin(day / 2) * 1400) + day * 90,
  whatsapp: 1800 + Math.round(Math.cos(day / 2.5) * 700) + day * 40,
  viber: 600 + Math.round(Math.sin(day / 1.7) * 260),
}));
