import { type Audience, getAudience } from '@parley/contract/audiences/audiences.ts';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { useEndpoint } from '../http/query.ts';
import { RecordPage } from './RecordPage.tsx';

afterEach(() => vi.unstubAllGlobals());

const AUDIENCE = { id: 'a', name: 'Spring customers' } as Audience;
let reply: () => Response | Promise<Response>;

function Page() {
  const query = useEndpoint(getAudience, { params: { id: 'a' } });
  return (
    <RecordPage
      query={query}
      noun="audience"
      list={{ to: '/elsewhere', label: 'All audiences' }}
      back={<p>Audiences</p>}
    >
      {(audience) => (
        <>
          <h1>{audience.name}</h1>
          <button type="button" onClick={() => void query.refetch()}>
            Reload
          </button>
        </>
      )}
    </RecordPage>
  );
}

function drawPage() {
  const session = sessionStub();
  stubApi((call) => (call.path === '/v1/audiences/a' ? reply() : session(call)));
  return draw(Page);
}

test('the page shows a skeleton while the record loads, then its content', async () => {
  let arrive = () => {};
  reply = () =>
    new Promise((resolve) => {
      arrive = () => resolve(respond(AUDIENCE));
    });
  await drawPage();
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(screen.getByText('Audiences')).toBeTruthy();
  arrive();
  expect(await screen.findByRole('heading', { name: 'Spring customers' })).toBeTruthy();
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull();
});

test.each([404, 400])('the page reports a missing record (status %i) and links to the list', async (status) => {
  reply = () => refuse(status, { code: 1301, message: 'Audience not found' });
  await drawPage();
  expect(await screen.findByRole('heading', { level: 1, name: 'Audience not found' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'All audiences' }));
  expect(await screen.findByText('Elsewhere')).toBeTruthy();
});

test('the page shows why a record could not be loaded and loads it on Retry', async () => {
  reply = () => refuse(500, { code: 1001, message: 'Something went wrong' });
  await drawPage();
  expect((await screen.findByRole('alert')).textContent).toContain('The audience could not be loaded');
  expect(screen.getByText('Something went wrong')).toBeTruthy();
  reply = () => respond(AUDIENCE);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Spring customers' })).toBeTruthy();
});

test('the content stays visible when a later load fails', async () => {
  reply = () => respond(AUDIENCE);
  await drawPage();
  await screen.findByRole('heading', { name: 'Spring customers' });
  reply = () => refuse(500, { code: 1001, message: 'Something went wrong' });
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.getByRole('heading', { name: 'Spring customers' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
