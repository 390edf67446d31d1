import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import WriteFrom from './WriteFrom.tsx';

afterEach(() => vi.unstubAllGlobals());

const ID = '0197a5f0-0000-7000-8000-0000000000';
const NUMBER = '4917604069014';
const sender = (suffix: string, fields: Partial<Sender>): Sender => ({
  ...{ id: `${ID}${suffix}`, account_id: 'a', name: 'Harbour', code: '4915700000001', channel: 'SMS', type: 'mobile' },
  ...{ status: 'available', countries: [], pool_id: null, two_way: true, create_date: '', update_date: '' },
  ...fields,
});
const SENDERS = [
  sender('e0', { name: 'Current' }),
  sender('e1', { name: 'Hamburg', countries: ['AT', 'DE'] }),
  sender('e2', { name: 'Known' }),
  sender('e3', { name: 'Harbour WhatsApp', channel: 'WHATSAPP', type: 'business' }),
  sender('e4', { name: 'One-way', two_way: false }),
  sender('e5', { name: 'Pool member', pool_id: `${ID}e6` }),
  sender('e7', { name: 'Abroad', countries: ['US'] }),
];
const CONVERSATION = {
  ...{ id: `${ID}f0`, number: NUMBER, sender_id: `${ID}e0`, channel: 'SMS', sender: '4915700000000' },
  ...{ contact_name: 'Ada Winter', profile_name: '', assignee_id: null, country: 'DE' },
} as Conversation;
const KNOWN = { ...CONVERSATION, id: `${ID}f2`, sender_id: `${ID}e2` };
const LONGER = { ...KNOWN, id: `${ID}f9`, number: `${NUMBER}9`, sender_id: `${ID}e1` };

async function show(answer: () => Response = () => respond([{ id: 'm1', conversation_id: `${ID}f8` }])) {
  const onClose = vi.fn();
  const calls = stubApi((call) => {
    if (call.path === '/v1/senders') return respond(SENDERS);
    if (call.path === '/v1/conversations') return respond([CONVERSATION, KNOWN, LONGER]);
    if (call.path === '/v1/templates') return respond([], { number: 1, size: 10, total: 0, links: { next: null } });
    if (call.path === '/v1/messages') return answer();
    return sessionStub()(call);
  });
  const { router } = await draw(() => <WriteFrom conversation={CONVERSATION} onClose={onClose} />);
  await screen.findByRole('button', { name: /Hamburg/ });
  const sent = () => calls.filter(({ method, path }) => method === 'POST' && path === '/v1/messages');
  return { onClose, sent, address: () => router.state.location.href };
}
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }));

test('other senders that people can reply to are listed, and one with a conversation opens it', async () => {
  const { onClose, address, sent } = await show();
  const names = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(names).toEqual(['HamburgSMS', 'KnownSMS', 'Harbour WhatsAppWhatsApp']);
  press(/Known/);
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(address()).toBe(`/inbox/unassigned?conversation=${KNOWN.id}`));
  expect(sent()).toEqual([]);
});

test('a text from a new sender starts a conversation and opens it', async () => {
  const { onClose, address, sent } = await show();
  press(/Hamburg/);
  const send = (await screen.findByRole('button', { name: 'Send message' })) as HTMLButtonElement;
  expect(send.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: 'x'.repeat(1_001) } });
  expect(send.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Message'), { target: { value: ' Hello ' } });
  fireEvent.click(send);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent().map(({ body }) => body)).toEqual([{ from: `${ID}e1`, to: [NUMBER], channel: 'SMS', text: 'Hello' }]);
  await waitFor(() => expect(address()).toBe(`/inbox/unassigned?conversation=${ID}f8`));
});

test('a channel that delivers only templates outside a session offers only these', async () => {
  await show();
  press(/Harbour WhatsApp/);
  expect(await screen.findByRole('dialog', { name: 'Write from Harbour WhatsApp' })).toBeTruthy();
  expect(await screen.findByText('You have not created any WhatsApp Templates yet.')).toBeTruthy();
  expect(screen.queryByLabelText('Message')).toBeNull();
});

test('a refused message keeps its text', async () => {
  const { onClose } = await show(() => refuse(400, { code: 1530, message: 'The number is blocked' }));
  press(/Hamburg/);
  fireEvent.change(await screen.findByLabelText('Message'), { target: { value: 'Hello' } });
  press('Send message');
  await waitFor(() =>
    expect((screen.getByRole('button', { name: 'Send message' }) as HTMLButtonElement).disabled).toBe(false),
  );
  expect((screen.getByLabelText('Message') as HTMLTextAreaElement).value).toBe('Hello');
  expect(onClose).not.toHaveBeenCalled();
});
