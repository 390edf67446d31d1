import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { ContentView } from './ContentView.tsx';

afterEach(() => vi.unstubAllGlobals());

const content = { ...NO_CONTENT, media_type: 'image' as const, file_name: 'cat.png' };

test('an inbound file shows that it is being fetched', async () => {
  stubApi(sessionStub());
  await draw(() => <ContentView content={content}>Look</ContentView>);
  expect(screen.getByText('cat.png is being fetched')).toBeTruthy();
  expect(screen.getByText('Look')).toBeTruthy();
});

test('an inbound file that cannot be fetched shows the reason', async () => {
  stubApi(sessionStub());
  const missing = 'The file could not be fetched: file size should not exceed 5 MB';
  await draw(() => (
    <ContentView content={content} missing={missing}>
      Look
    </ContentView>
  ));
  expect(screen.getByText(`cat.png: ${missing}`)).toBeTruthy();
  expect(screen.queryByText(/being fetched/)).toBeNull();
});
