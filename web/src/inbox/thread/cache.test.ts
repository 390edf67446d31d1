import type { ConversationMessage } from '@parley/contract/inbox/inbox.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import type { Message } from '@parley/contract/messages/messages.ts';
import type { Status } from '@parley/contract/messages/statuses.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { belongsTo, type ThreadPages, withFile, withMessage, withStatus } from './cache.ts';

const message = (id: string, status: Status, overrides: Partial<Message> = {}): ConversationMessage => ({
  id,
  account_id: 'a',
  text: id,
  from: '447700900000',
  to: '447700900123',
  channel: 'SMS',
  type: 'text',
  content: null,
  template_id: null,
  status,
  direction: 'MT',
  source: 'inbox',
  create_date: '2026-11-21 10:00:00',
  update_date: '2026-11-21 10:00:00',
  schedule: null,
  segments_count: 1,
  encoding: 'GSM-7',
  country: 'GB',
  mccmnc: null,
  price: 0.04,
  price_micros: 40_000,
  currency: 'USD',
  charge: 'held',
  sender_id: 's',
  campaign_id: null,
  user_id: null,
  failure: null,
  carrier_code: null,
  status_details: null,
  user_name: null,
  passed_on: null,
  ...{ assignee_name: null, timestamp: '2026-11-21 10:00:00', url: null, file_name: null, media_id: null },
  ...{ media_type: 'text', thumbnail_url: null, button_type: null, button_text: null, button_value: null },
  ...overrides,
});
const thread = (data: ConversationMessage[]): ThreadPages => ({
  pages: [{ data, pagination: { total: data.length } }],
  pageParams: [null],
});

describe('the open thread', () => {
  it('adds a message only once when both a response and an event contain it', () => {
    const first = withMessage(thread([message('1', 'sent')]), message('2', 'enroute'));
    const second = withMessage(first, message('2', 'enroute'));
    expect(second.pages[0]?.data.map((message) => message.id)).toEqual(['2', '1']);
    expect(second.pages[0]?.pagination.total).toBe(2);
  });

  it('inserts an earlier message in order unless its page is not loaded yet', () => {
    const page = (ids: string[], next: string | null) => ({
      data: ids.map((id) => message(id, 'received')),
      pagination: { total: 9, links: { next } },
    });
    const loaded = { pages: [page(['8', '6'], '/a'), page(['5', '3'], '/b')], pageParams: [null, 'a'] };
    const insert = (id: string, from = loaded) =>
      withMessage(from, message(id, 'received')).pages.map(({ data }) => data.map((entry) => entry.id).join(''));
    expect(insert('9')).toEqual(['986', '53']);
    expect(insert('4')).toEqual(['86', '543']);
    expect(insert('2')).toEqual(['86', '53']);
    expect(insert('2', { ...loaded, pages: [page(['8', '6'], '/a'), page(['5', '3'], null)] })).toEqual(['86', '532']);
    expect(withMessage(loaded, message('2', 'received')).pages[0]?.pagination.total).toBe(10);
  });

  it('adds a message’s file once, or the reason it is missing', () => {
    const waiting = { ...NO_CONTENT, media_type: 'image' as const };
    const complete = { ...waiting, media_id: 'm' };
    const before = thread([message('2', 'received', { content: waiting }), message('1', 'received')]);
    const after = withFile(before, message('2', 'received', { type: 'image', content: complete }));
    expect(after.pages[0]?.data[0]).toMatchObject({ type: 'image', content: { media_id: 'm' }, user_name: null });
    expect(after.pages[0]?.data[1]).toBe(before.pages[0]?.data[1]);
    const repeated = withFile(after, message('2', 'received', { content: waiting, status_details: 'too large' }));
    expect(repeated).toBe(after);
    const failed = withFile(before, message('2', 'received', { content: waiting, status_details: 'too large' }));
    expect(failed.pages[0]?.data[0]).toMatchObject({ status_details: 'too large' });
    expect(withFile(before, message('9', 'received'))).toBe(before);
  });

  it('inserts a late message in order', () => {
    const updated = withMessage(thread([message('3', 'sent'), message('1', 'sent')]), message('2', 'received'));
    expect(updated.pages[0]?.data.map((entry) => entry.id)).toEqual(['3', '2', '1']);
  });

  it('reaches the same state regardless of event order and repetition', () => {
    const events: Status[] = ['enroute', 'sent', 'delivered', 'read'];
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 4 }), (order) => {
        const all = [...order, ...events];
        const end = all.reduce(
          (state, status) => withStatus(state, message('1', status)),
          thread([message('1', 'enroute')]),
        );
        expect(end.pages[0]?.data[0]?.status).toBe('read');
      }),
    );
  });

  it('matches messages in both directions to their conversation', () => {
    const conversation = { sender_id: 's', number: '447700900123' };
    expect(belongsTo(message('1', 'sent'), conversation)).toBe(true);
    expect(
      belongsTo(message('2', 'received', { direction: 'MO', from: '447700900123', to: '447700900000' }), conversation),
    ).toBe(true);
    expect(belongsTo(message('3', 'sent', { sender_id: 'other' }), conversation)).toBe(false);
  });
});
