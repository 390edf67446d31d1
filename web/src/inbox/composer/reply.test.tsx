import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { type Content, NO_CONTENT } from '@parley/contract/messages/content.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { toReplyBody } from '../../channels/compose/reply_body.ts';
import { ACCOUNT, draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { useQuote } from './quote.ts';
import { ReplyBox } from './ReplyBox.tsx';

const MENU = {
  id: '0197a5f0-0000-7000-8000-0000000000ad',
  type: 'document',
  file_name: 'Spring menu (für alle) 2030.pdf',
  bytes: 3,
  width: null,
  height: null,
  get_url: 'http://localhost/menu.pdf',
  thumbnail_url: null,
};
/** A request that accepts any file immediately. The upload itself has its own tests. */
class InstantUpload {
  readonly upload = {};
  readonly status = 200;
  readonly responseText = JSON.stringify({ data: MENU });
  onload?: () => void;
  onloadend?: () => void;
  open() {}
  setRequestHeader() {}
  abort() {}
  send() {
    queueMicrotask(() => {
      this.onload?.();
      this.onloadend?.();
    });
  }
}

afterEach(() => vi.unstubAllGlobals());

const CONVERSATION: Conversation = {
  id: '0197a5f0-0000-7000-8000-0000000000aa',
  account_id: ACCOUNT.id,
  channel: 'SMS',
  sender_id: '0197a5f0-0000-7000-8000-0000000000ab',
  sender: '4915700000001',
  sender_name: 'Harbour',
  business_name: null,
  business_name_en: null,
  number: '4917604069014',
  country: 'DE',
  contact_name: 'Ada',
  profile_name: '',
  alias: null,
  session: null,
  assignee_id: null,
  assignee_name: null,
  status: 'open',
  snooze_until: null,
  waiting_since: null,
  clocks: null,
  unread_count: 0,
  last_read_timestamp: null,
  timestamp: '2026-01-01 00:00:00',
  last_message: null,
  label_ids: [],
  stopped: false,
};

test('a user without permission to send sees why replies are disabled', async () => {
  stubApi(sessionStub({ permissions: { MESSAGES: 1, CONVERSATIONS: 15 } }));
  await draw(() => <ReplyBox conversation={CONVERSATION} onSend={vi.fn()} />);
  expect((screen.getByLabelText('Reply to Ada') as HTMLTextAreaElement).disabled).toBe(true);
  act(() => screen.getByRole('button', { name: 'Send' }).focus());
  expect(await screen.findByText('You need Add Message permission.')).toBeTruthy();
});

const text = () => screen.getByLabelText('Reply to Ada') as HTMLTextAreaElement;
const session = (minutes: number | null, limit_reached = false) => ({
  open: minutes !== null && minutes > 0 && !limit_reached,
  until: minutes === null ? null : new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' '),
  limit_reached,
});
const ALL = { MESSAGES: 15, CONVERSATIONS: 15, TEMPLATES: 15, MEDIA: 15 };

test('a closed WhatsApp session allows only templates', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const conversation = { ...CONVERSATION, channel: 'WHATSAPP' as const, session: session(-1) };
  await draw(() => <ReplyBox conversation={conversation} onSend={vi.fn()} />);
  expect(screen.getByText(/^The WhatsApp session is closed/)).toBeTruthy();
  expect(text().disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Attach Image' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('button', { name: 'Reply from Template' }).getAttribute('aria-disabled')).toBeNull();
});

test('a closed Viber session shows a notice but still allows text', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, channel: 'VIBER' as const, session: session(5, true) };
  await draw(() => <ReplyBox conversation={conversation} onSend={onSend} />);
  expect(screen.getByText(/^Viber’s session limit is reached/)).toBeTruthy();
  fireEvent.change(text(), { target: { value: 'Still here?' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(onSend).toHaveBeenCalledWith({ text: 'Still here?' });
});

test('a reply quotes the chosen message, and the next reply does not', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, id: 'quoting', channel: 'WHATSAPP' as const, session: session(60) };
  function Page() {
    const [, setQuote] = useQuote(conversation.id);
    return (
      <>
        <button type="button" onClick={() => setQuote({ id: 'm1', text: 'When?', file_name: null })}>
          Quote
        </button>
        <ReplyBox conversation={conversation} onSend={onSend} />
      </>
    );
  }
  await draw(Page);
  fireEvent.click(screen.getByRole('button', { name: 'Quote' }));
  expect(await screen.findByText('Reply to: When?')).toBeTruthy();
  fireEvent.change(text(), { target: { value: 'At nine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(onSend).toHaveBeenCalledWith({ text: 'At nine', reply_to: 'm1' });
  expect(screen.queryByText('Reply to: When?')).toBeNull();
  fireEvent.change(text(), { target: { value: 'Or at ten' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(onSend).toHaveBeenLastCalledWith({ text: 'Or at ten' });
});

test('an SMS conversation does not offer attachments', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  await draw(() => <ReplyBox conversation={CONVERSATION} onSend={vi.fn()} />);
  expect(screen.queryByRole('button', { name: /^Attach/ })).toBeNull();
});

const TEMPLATE = {
  id: '0197a5f0-0000-7000-8000-0000000000ac',
  channel: 'WHATSAPP',
  name: 'order_ready',
  text: 'Hello {first_name}, order {custom1} is ready.',
  type: 'text',
  media_id: null,
  url: null,
  filename: null,
  header: null,
  footer: 'Harbour Coffee',
  buttons: [{ type: 'quick_reply', text: 'On my way', value: '' }],
  wa_category: 'UTILITY',
  language: 'en',
  external_id: '77',
  paused: false,
};

test('Reply from Template fills the variables, previews the message, and sends it', async () => {
  const paging = { number: 1, size: 20, total: 1, links: { first: '', current: '', previous: null, next: null } };
  stubApi((call) =>
    call.path.startsWith('/v1/templates')
      ? respond([TEMPLATE, { ...TEMPLATE, id: 'r', name: 'on_hold', paused: true, reason: null }], paging)
      : sessionStub({ permissions: ALL })(call),
  );
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, channel: 'WHATSAPP' as const, session: session(-1) };
  await draw(() => <ReplyBox conversation={conversation} onSend={onSend} />);
  fireEvent.click(screen.getByRole('button', { name: 'Reply from Template' }));
  // A paused template is labeled as paused and cannot be selected.
  fireEvent.click(await screen.findByRole('button', { name: /^on_hold.*Paused: it cannot be sent now\.$/ }));
  fireEvent.click(screen.getByRole('button', { name: /order_ready/ }));
  const dialog = within(screen.getByRole('dialog'));
  expect((dialog.getByLabelText('first_name, variable 1') as HTMLInputElement).value).toBe('Ada');
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.change(dialog.getByLabelText('custom1, variable 2'), { target: { value: '1042' } });
  expect(dialog.getByLabelText('Message preview').textContent).toContain('Hello Ada, order 1042 is ready.');
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSend).toHaveBeenCalledWith({
      text: 'Hello Ada, order 1042 is ready.',
      template: TEMPLATE.id,
      variables: ['Ada', '1042'],
    }),
  );
});

test('Attach Image requires a file or valid link and sends it with the text', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, channel: 'VIBER' as const, session: session(30) };
  await draw(() => <ReplyBox conversation={conversation} onSend={onSend} />);
  fireEvent.change(text(), { target: { value: 'Do not send yet' } });
  fireEvent.click(screen.getByRole('button', { name: 'Attach Image' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Attach Image' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('File is a required field')).toBeTruthy();
  fireEvent.click(dialog.getByText('Use a link'));
  fireEvent.change(dialog.getByLabelText(/^URL/), { target: { value: 'http://example.com/cat.png' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText("URL should start with 'https'")).toBeTruthy();
  fireEvent.change(dialog.getByLabelText(/^URL/), { target: { value: 'https://example.com/cat.png' } });
  fireEvent.change(dialog.getByLabelText('Message'), { target: { value: 'Look' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('A Viber message with an image and text needs a button')).toBeTruthy();
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole('switch', { name: 'Button' }));
  fireEvent.change(dialog.getByLabelText('Message'), { target: { value: ' ' } });
  expect(dialog.getByText('A message with a button needs text')).toBeTruthy();
  expect(dialog.getByText('Button text is required!')).toBeTruthy();
  expect(dialog.getByText('Button action URL is required!')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Message'), { target: { value: 'Look' } });
  fireEvent.change(dialog.getByLabelText(/^Button text/), { target: { value: 'Shop' } });
  fireEvent.change(dialog.getByLabelText(/^Button action URL/), { target: { value: 'somewhere' } });
  expect(dialog.getByText('Button action URL is not valid')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText(/^Button action URL/), { target: { value: 'http://example.com/shop' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSend).toHaveBeenCalledWith({
      type: 'image',
      text: 'Look',
      url: 'https://example.com/cat.png',
      buttons: [{ type: 'link', text: 'Shop', value: 'http://example.com/shop' }],
    }),
  );
  expect(onSend).toHaveBeenCalledTimes(1);
  expect(text().value).toBe('Do not send yet');
});

test('Attach Document suggests a name based on the file and requires one', async () => {
  vi.stubGlobal('XMLHttpRequest', InstantUpload);
  stubApi((call) =>
    call.path === '/v1/media/slots'
      ? respond({ id: MENU.id, put_url: '/v1/media/uploads/1', content_type: 'application/pdf' })
      : sessionStub({ permissions: ALL })(call),
  );
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, channel: 'WHATSAPP' as const, session: session(30) };
  await draw(() => <ReplyBox conversation={conversation} onSend={onSend} />);
  for (const name of ['Reply from Template', 'Attach Image', 'Attach Video'])
    expect(screen.getByRole('button', { name })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Attach Document' }));
  const element = await screen.findByRole('dialog', { name: 'Attach Document' });
  const dialog = within(element);
  fireEvent.change(element.querySelector('input[type=file]')!, {
    target: { files: [new File(['pdf'], MENU.file_name, { type: 'application/pdf' })] },
  });
  const name = dialog.getByLabelText(/^Document name/) as HTMLInputElement;
  await waitFor(() => expect(name.value).toBe('Spring_menu_fur_alle_2030'));
  fireEvent.change(name, { target: { value: '' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('Document name is required!')).toBeTruthy();
  fireEvent.change(name, { target: { value: 'my menu' } });
  expect(dialog.getByText('Only letters, numbers, and (_) are allowed')).toBeTruthy();
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.change(name, { target: { value: 'menu_2030' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSend).toHaveBeenCalledWith({ type: 'document', text: '', media_id: MENU.id, file_name: 'menu_2030' }),
  );
});

test('a retried document keeps its name', () => {
  const content = { ...NO_CONTENT, media_type: 'document' as const, file_name: 'menu_2030.pdf' };
  const again = (change: Partial<Content>) =>
    toReplyBody({ text: '', type: 'document', template_id: null, content: { ...content, ...change } });
  expect(again({ media_id: 'm' })).toEqual({ text: '', type: 'document', media_id: 'm', file_name: 'menu_2030' });
  expect(again({ url: 'https://e.example/a.pdf' })).toMatchObject({ file_name: 'menu_2030' });
  expect(again({ media_id: 'm', file_name: 'My menu.pdf' })).not.toHaveProperty('file_name');
});

test('Reply with Buttons on WhatsApp accepts up to three quick replies and previews them', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const onSend = vi.fn();
  const conversation = { ...CONVERSATION, channel: 'WHATSAPP' as const, session: session(30) };
  await draw(() => <ReplyBox conversation={conversation} onSend={onSend} />);
  fireEvent.change(text(), { target: { value: 'When should we come?' } });
  fireEvent.click(screen.getByRole('button', { name: 'Reply with Buttons' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reply with Buttons' }));
  const phone = within(dialog.getByRole('region', { name: 'Message preview' }));
  expect(phone.getByText('When should we come?')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  expect(await dialog.findByText('Button text is required!')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText(/^Quick reply 1/));
  fireEvent.change(dialog.getByLabelText(/^Quick reply 1/), { target: { value: 'Today' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add quick reply' }));
  fireEvent.change(dialog.getByLabelText(/^Quick reply 2/), { target: { value: 'today' } });
  expect(dialog.getByText('Another button already has this text')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText(/^Quick reply 2/), { target: { value: 'Tomorrow' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add quick reply' }));
  expect(dialog.queryByRole('button', { name: 'Add quick reply' })).toBeNull();
  fireEvent.change(dialog.getByLabelText(/^Quick reply 3/), { target: { value: 'What day works for you?' } });
  expect(dialog.getByLabelText(/^Quick reply 3/).getAttribute('aria-invalid')).toBe('true');
  fireEvent.click(dialog.getByRole('button', { name: 'Remove quick reply 3' }));
  expect(within(phone.getByRole('list', { name: 'Buttons' })).getAllByRole('listitem')).toHaveLength(2);
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSend).toHaveBeenCalledWith({
      type: 'text',
      text: 'When should we come?',
      buttons: [
        { type: 'quick_reply', text: 'Today', value: '' },
        { type: 'quick_reply', text: 'Tomorrow', value: '' },
      ],
    }),
  );
  expect(text().value).toBe('');
});

test('Reply with Buttons accepts one link on Viber and is unavailable in closed sessions and on SMS', async () => {
  stubApi(sessionStub({ permissions: ALL }));
  const onSend = vi.fn();
  const viber = { ...CONVERSATION, channel: 'VIBER' as const, session: session(30) };
  await draw(() => <ReplyBox conversation={viber} onSend={onSend} />);
  fireEvent.click(screen.getByRole('button', { name: 'Reply with Buttons' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reply with Buttons' }));
  expect(dialog.getByText(/A message with a button is promotional/)).toBeTruthy();
  expect(dialog.queryByRole('radiogroup', { name: 'Button type' })).toBeNull();
  fireEvent.change(dialog.getByRole('textbox', { name: /^Message/ }), { target: { value: 'Our spring menu' } });
  fireEvent.change(dialog.getByLabelText(/^Button text/), { target: { value: 'See it' } });
  fireEvent.change(dialog.getByLabelText(/^Button action URL/), { target: { value: 'https://harbour.example/menu' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSend).toHaveBeenCalledWith({
      type: 'text',
      text: 'Our spring menu',
      buttons: [{ type: 'link', text: 'See it', value: 'https://harbour.example/menu' }],
    }),
  );
  cleanup();
  await draw(() => <ReplyBox conversation={{ ...viber, channel: 'WHATSAPP', session: session(-1) }} onSend={onSend} />);
  expect(screen.getByRole('button', { name: 'Reply with Buttons' }).getAttribute('aria-disabled')).toBe('true');
  cleanup();
  await draw(() => <ReplyBox conversation={CONVERSATION} onSend={onSend} />);
  expect(screen.queryByRole('button', { name: 'Reply with Buttons' })).toBeNull();
});

test('a retried message keeps its buttons', () => {
  const buttons = [{ type: 'quick_reply' as const, text: 'Yes', value: '' }];
  const again = toReplyBody({ text: 'Well?', type: 'text', template_id: null, content: { ...NO_CONTENT, buttons } });
  expect(again).toEqual({ text: 'Well?', buttons });
});
