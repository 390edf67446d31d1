import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import type { PersonSummary } from '@parley/contract/people/timeline.ts';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import PersonSections from './PersonSections.tsx';

afterEach(() => vi.unstubAllGlobals());

const conversation = { id: 'c1', number: '4917604069014', channel: 'SMS', assignee_id: null } as Conversation;
const SUMMARY: PersonSummary = {
  number: conversation.number,
  person_id: 'p1',
  tags: ['vip'],
  audiences: [{ id: 'a1', name: 'Regulars', channel: 'SMS', contact_id: 'k1' }],
  consents: [
    { channel: 'SMS', purpose: 'marketing', state: 'given', consent: null },
    { channel: 'WHATSAPP', purpose: 'marketing', state: 'withdrawn', consent: null },
  ],
  campaigns: [{ id: 'g1', name: 'Spring', channel: 'SMS', timestamp: '2030-01-01 10:00:00', status: 'delivered' }],
  notes: [
    {
      ...{ id: 'n1', timestamp: '2030-01-01 10:00:00', conversation_id: 'c2', assignee_id: null },
      ...{ text: 'Prefers mornings', user_name: 'Dana' },
    },
  ],
};
const show = async (summary: PersonSummary, permissions?: Record<string, number>) => {
  const calls = stubApi((call) =>
    call.path === `/v1/people/${conversation.number}/summary`
      ? respond(summary)
      : sessionStub(permissions ? { permissions } : {})(call),
  );
  await draw(() => <PersonSections conversation={conversation} />);
  return calls;
};
const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('the contact shows consent for the channel, audiences, campaigns, and notes with their links', async () => {
  await show(SUMMARY);
  const consent = await section('Consent');
  expect(consent.getByText('Given')).toBeTruthy();
  expect(consent.queryByText('Withdrawn')).toBeNull();
  expect(consent.getByText('Also on record: WhatsApp')).toBeTruthy();
  const link = (name: string, within_: Awaited<ReturnType<typeof section>>) =>
    within_.getByRole('link', { name }).getAttribute('href');
  expect(link('Regulars', await section('Audiences'))).toContain('/contacts/my-audiences/a1?');
  expect(link('Spring', await section('Campaigns'))).toBe('/sms/my-campaigns/g1');
  const notes = await section('Notes');
  expect(notes.getByText('Prefers mornings')).toBeTruthy();
  expect(link('other conversation', notes)).toBe('/inbox/unassigned?conversation=c2');
});

test('a number without records shows a notice, and campaigns are hidden without their permission', async () => {
  await show({ ...SUMMARY, tags: [], audiences: [], consents: [], campaigns: null, notes: [] });
  expect((await section('Consent')).getByText('No consent on record for SMS')).toBeTruthy();
  expect((await section('Audiences')).getByText('In no audience')).toBeTruthy();
  expect((await section('Notes')).getByText('No notes')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Campaigns' })).toBeNull();
});
