/** The messages of the demo company in the last three months, and its customers' replies. */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Purpose } from '@parley/contract/messages/content.ts';

export interface PastCampaign {
  days_ago: number;
  name: string;
  channel: ChannelName;
  purpose: Purpose | null;
  text: string;
}

const sms = (days_ago: number, name: string, text: string): PastCampaign => ({
  days_ago,
  name,
  channel: 'SMS',
  purpose: null,
  text,
});
const chat = (channel: ChannelName, purpose: Purpose, days_ago: number, name: string, text: string): PastCampaign => ({
  days_ago,
  name,
  channel,
  purpose,
  text,
});

export const CAMPAIGNS: readonly PastCampaign[] = [
  sms(88, 'New season', 'Harbour Coffee: the new harvest from Huehuetenango is here. Taste it in all nine shops.'),
  chat('VIBER', 'promotional', 84, 'Viber launch', 'Harbour Coffee is now on Viber. Ask us anything about your beans.'),
  sms(80, 'Stamp card', 'Harbour Coffee: double stamps on every filter coffee this week.'),
  sms(73, 'Barista class', 'Harbour Coffee: two places are left in the barista class on Saturday. Reply YES to book.'),
  chat('WHATSAPP', 'marketing', 69, 'Winter blend', 'The winter blend is back: cocoa, plum, and a long finish.'),
  sms(66, 'Opening hours', 'Harbour Coffee: all shops open at 7:00 from Monday.'),
  sms(59, 'Cold brew weekend', 'Harbour Coffee: cold brew for 2.50 on Saturday and Sunday.'),
  chat(
    'VIBER',
    'promotional',
    55,
    'Bean subscription',
    'Fresh beans every two weeks, roasted to order. Pause anytime.',
  ),
  sms(52, 'Customer survey', 'Harbour Coffee: how did we do this month? Reply with a number from 1 to 5.'),
  sms(45, 'Roastery tour', 'Harbour Coffee: see how we roast. Tours on Friday at 17:00. Reply TOUR to join.'),
  chat(
    'WHATSAPP',
    'marketing',
    40,
    'Gift boxes',
    'Our gift boxes are here, with three roasts and a card in your words.',
  ),
  sms(38, 'Rainy days', 'Harbour Coffee: rainy out? Come warm up with us. Any hot drink for 3.00 until Sunday.'),
  sms(31, 'New shop', 'Harbour Coffee: shop number nine opens on Thursday at Elbe 4. The first cup is on us.'),
  chat('VIBER', 'promotional', 27, 'Tasting evening', 'Six coffees, one evening. Join our tasting on the 20th.'),
  sms(24, 'Stamp card finale', 'Harbour Coffee: full stamp cards are valid until the end of the month.'),
  sms(17, 'Decaf', 'Harbour Coffee: a decaf that tastes like coffee. Try it free with any pastry.'),
  chat('WHATSAPP', 'marketing', 12, 'Members first', 'Members order the new Kenya lot two days before everyone else.'),
  sms(10, 'Breakfast', 'Harbour Coffee: breakfast until 12:00, now in all shops.'),
  sms(3, 'Weekend', 'Harbour Coffee: bring a friend on Saturday and get the second cup free.'),
];

export const ORDER_TEXTS = [
  'Your Harbour Coffee order is ready at Am Kai 4.',
  'Your beans are on their way. They arrive tomorrow.',
  'Your order is packed and leaves the roastery today.',
] as const;

/** Messages from customers, and the team's replies. */
export const TALKS: readonly (readonly [question: string, answer: string | null, thanks: string | null])[] = [
  ['Is the class on Saturday full?', 'Two places are left. Shall I keep one for you?', 'Yes please!'],
  [
    'Do you grind the beans for a moka pot?',
    'We do. Tell us when you order, and we will grind them fresh.',
    'Great, thank you',
  ],
  [
    'My order has not arrived yet',
    'Sorry about that. It left yesterday and should be with you by noon.',
    'It is here!',
  ],
  ['Are dogs allowed at Elbe 4?', 'They are, and there is always a bowl of water.', 'Perfect'],
  ['TOUR', 'You are on the list for Friday at 17:00. See you at the roastery.', null],
  ['4', 'Thank you for the rating. What would make it a 5?', 'Oat milk in the small shop'],
  ['Which coffee is low in acid?', 'Try the Sumatra. It is smooth and mild.', 'Will do'],
  ['YES', 'You are booked for Saturday at 10:00.', null],
  ['Can I pause my subscription in August?', 'Done. It resumes on September 1.', 'Wonderful, thanks'],
  ['When do you open on Sunday?', null, null],
  ['Do you have gift cards?', null, null],
];

export const LINKS = [
  { name: 'Menu', url: 'https://harbour-coffee.example/menu' },
  { name: 'Bean subscription', url: 'https://harbour-coffee.example/subscription' },
  { name: 'Roastery tour', url: 'https://harbour-coffee.example/tour' },
] as const;
