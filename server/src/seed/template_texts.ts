/** The demo company's templates: each kind on each channel. The last one was rejected by WhatsApp. */

import type { ChannelName } from '@parley/contract/channels/names.ts';
import { AUTHENTICATION_TEXT } from '@parley/contract/channels/whatsapp/authentication.ts';
import type { Button, MessageType } from '@parley/contract/messages/content.ts';
import type { TemplateDraft } from '@parley/contract/templates/draft.ts';

export const DEMO_FILES = {
  roast: { type: 'image', file_name: 'new_roast.jpg', content_type: 'image/jpeg' },
  pour: { type: 'video', file_name: 'morning_pour.mp4', content_type: 'video/mp4' },
  menu: { type: 'document', file_name: 'menu.pdf', content_type: 'application/pdf' },
} as const;

export interface DemoTemplate {
  readonly channel: ChannelName;
  readonly name: string;
  readonly text: string;
  readonly file?: keyof typeof DEMO_FILES;
  /** The file name that recipients see for a document. */
  readonly filename?: string;
  readonly header?: string;
  readonly footer?: string;
  readonly buttons?: readonly Button[];
  readonly wa_category?: TemplateDraft['wa_category'];
  readonly samples?: readonly string[];
  /** WhatsApp's reason for rejecting the template. */
  readonly rejected?: 'INCORRECT_CATEGORY';
}

export const messageType = ({ file }: DemoTemplate): MessageType => (file ? DEMO_FILES[file].type : 'text');

const reply = (text: string): Button => ({ type: 'quick_reply', text, value: '' });
const link = (text: string, value: string): Button => ({ type: 'link', text, value });
const ADDRESS = 'Harbour Coffee, Am Kai 4, Hamburg';

export const DEMO_TEMPLATES: readonly DemoTemplate[] = [
  {
    channel: 'SMS',
    name: 'Order ready',
    text: 'Hello {first_name:there}, your order {custom1} is ready at the counter. Harbour Coffee, Am Kai 4',
  },
  {
    channel: 'SMS',
    name: 'Table reminder',
    text:
      'Hello {first_name:there}, your table is reserved for {custom1}. Running late? Just reply to this message. ' +
      'Harbour Coffee',
  },
  {
    channel: 'SMS',
    name: 'Weekend offer',
    text:
      'This weekend the second cup is on us, {first_name:dear guest}. Show this message at the counter. ' +
      'Harbour Coffee. Reply STOP to end',
  },
  {
    channel: 'VIBER',
    name: 'Order ready',
    text: 'Hello {first_name:there}, your order {custom1} is ready. We will keep it for you until 18:00.',
  },
  {
    channel: 'VIBER',
    name: 'Book a tasting',
    text:
      'Join us every Thursday at 18:30 to taste three coffees, {first_name:dear guest}. ' +
      'Twelve places, free of charge.',
    buttons: [link('Book a place', 'https://harbour.example/tasting')],
  },
  {
    channel: 'VIBER',
    name: 'New roast',
    text: 'Our new Ethiopia Guji is here: peach, jasmine, honey. 250 g for 12.50 until Sunday.',
    file: 'roast',
    buttons: [link('Order beans', 'https://harbour.example/guji')],
  },
  {
    channel: 'VIBER',
    name: 'Pouring course',
    text: 'Learn to pour a heart into milk foam: our course for beginners, Saturdays at 10.',
    file: 'pour',
    buttons: [link('See the dates', 'https://harbour.example/courses')],
  },
  { channel: 'VIBER', name: 'Menu', text: '', file: 'menu', filename: 'harbour_menu' },
  {
    channel: 'WHATSAPP',
    name: 'sign_in_code',
    text: AUTHENTICATION_TEXT,
    wa_category: 'AUTHENTICATION',
    samples: ['482913'],
  },
  {
    channel: 'WHATSAPP',
    name: 'menu_by_request',
    text: 'Here is our menu, {first_name}, as you asked. The kitchen is open until 18:00.',
    file: 'menu',
    filename: 'harbour_menu',
    footer: ADDRESS,
    buttons: [reply('Book a table')],
    wa_category: 'UTILITY',
    samples: ['Ada'],
  },
  {
    channel: 'WHATSAPP',
    name: 'pouring_course',
    text: 'Learn to pour a heart into milk foam, {first_name}: our course for beginners, Saturdays at 10.',
    file: 'pour',
    footer: ADDRESS,
    buttons: [link('See the dates', 'https://harbour.example/courses'), reply('Not for me')],
    wa_category: 'MARKETING',
    samples: ['Ada'],
  },
  {
    channel: 'WHATSAPP',
    name: 'new_roast',
    text: 'Our new *Ethiopia Guji* is here, {first_name}: peach, jasmine, honey. 250 g for 12.50 until Sunday.',
    file: 'roast',
    footer: ADDRESS,
    buttons: [link('Order beans', 'https://harbour.example/guji'), reply('Stop offers')],
    wa_category: 'MARKETING',
    samples: ['Ada'],
  },
  {
    channel: 'WHATSAPP',
    name: 'table_reminder',
    text: 'Hello {first_name}, we look forward to seeing you {when}. If your plans change, call us or reply here.',
    header: 'Your table',
    footer: ADDRESS,
    buttons: [reply('I will be there'), { type: 'phone_call', text: 'Call us', value: '+4917139200900' }],
    wa_category: 'UTILITY',
    samples: ['Ada', 'on Friday at 18:30'],
  },
  {
    channel: 'WHATSAPP',
    name: 'order_ready',
    text: 'Hello {first_name}, your order is ready at the counter. We will keep it warm for 20 minutes.',
    header: 'Order {number}',
    footer: ADDRESS,
    buttons: [reply('On my way'), reply('Later, please')],
    wa_category: 'UTILITY',
    samples: ['1204', 'Ada'],
  },
  {
    channel: 'WHATSAPP',
    name: 'thanks_for_your_order',
    text:
      'Thank you for your order, {first_name}. This week the second cinnamon bun is free: ' +
      'show this message at the counter.',
    footer: ADDRESS,
    wa_category: 'UTILITY',
    samples: ['Ada'],
    rejected: 'INCORRECT_CATEGORY',
  },
];
