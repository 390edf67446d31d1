/** Tests the offline banner, pages whose code cannot be loaded, and the notice of a new version. */

import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useUnsavedGuard } from '../../kernel/form/unsaved.ts';
import { reportNoResponse, reportResponse } from '../../kernel/http/connection.ts';
import { lazyPage } from '../../kernel/session/lazy_page.tsx';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { ThemeProvider } from '../../ui/theme/ThemeProvider.tsx';
import Everywhere from '../Everywhere.tsx';
import { PageError } from '../PageError.tsx';
import { useNewVersion } from './new_version.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  sessionStorage.clear();
  for (const script of document.querySelectorAll('script')) script.remove();
});

test('a banner states that the server cannot be reached, and disappears when it responds', async () => {
  stubApi(sessionStub());
  await draw(Everywhere);
  const banner = await screen.findByRole('status', { name: 'Connection' });
  expect(banner.textContent).toBe('');
  act(() => {
    reportNoResponse();
    reportNoResponse();
  });
  expect(banner.textContent).toContain('The server cannot be reached');
  expect(document.documentElement.dataset.offline).toBe('');
  act(() => reportResponse(200));
  expect(banner.textContent).toBe('');
  expect(document.documentElement.dataset.offline).toBeUndefined();
});

test('Retry now calls the server immediately', async () => {
  const session = sessionStub();
  stubApi((call) => (call.path === '/livez' ? Response.json({}) : session(call)));
  await draw(Everywhere);
  act(() => {
    reportNoResponse();
    reportNoResponse();
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry now' })).toBeNull());
});

/** An app with a frame and one page whose code `load` loads. */
function drawPage(load: () => Promise<{ default: () => React.ReactNode }>) {
  const root = createRootRoute({
    component: () => (
      <>
        <nav>Menu</nav>
        <Outlet />
      </>
    ),
    errorComponent: PageError,
  });
  const page = lazyPage(load as never);
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '/', component: page as never })]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
    defaultErrorComponent: PageError,
  });
  render(
    <ThemeProvider>
      <RouterProvider router={router as never} />
    </ThemeProvider>,
  );
}

test('a page that cannot be loaded shows an error inside the frame, and Retry loads it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  let isUp = false;
  drawPage(() => (isUp ? Promise.resolve({ default: () => <h1>Insights</h1> }) : Promise.reject(new TypeError())));
  expect(await screen.findByText('The page could not be loaded')).toBeTruthy();
  expect(screen.getByText('Menu')).toBeTruthy();
  isUp = true;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Insights' })).toBeTruthy();
});

test('a page that cannot be loaded is tried again when the connection returns', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  stubApi(() => Response.json({}));
  let isUp = false;
  drawPage(() => (isUp ? Promise.resolve({ default: () => <h1>Insights</h1> }) : Promise.reject(new TypeError())));
  expect(await screen.findByText('The page could not be loaded')).toBeTruthy();
  act(() => {
    reportNoResponse();
    reportNoResponse();
  });
  isUp = true;
  act(() => reportResponse(200));
  expect(await screen.findByRole('heading', { name: 'Insights' })).toBeTruthy();
});

/** Makes this tab's build `/assets/old.js`; the server has `/assets/<name>`. */
function stubBuild(name: string, session = sessionStub()) {
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', '/assets/old.js');
  // The test environment must not load it.
  Object.defineProperty(script, 'isConnected', { value: false });
  vi.spyOn(document, 'querySelector').mockImplementation((selector) =>
    selector.startsWith('script') ? script : document.documentElement.querySelector(selector),
  );
  return stubApi((call) =>
    call.path === '/'
      ? new Response(`<html><script type="module" crossorigin src="/assets/${name}"></script></html>`)
      : session(call),
  );
}

describe('a page of a build that is gone', () => {
  let reload: ReturnType<typeof vi.fn>;
  beforeEach(() => {
    reload = vi.fn();
    vi.spyOn(window.location, 'reload').mockImplementation(reload as never);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });

  test('a page whose build is gone reloads the tab once', async () => {
    stubBuild('new.js');
    drawPage(() => Promise.reject(new TypeError()));
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    cleanup();
    drawPage(() => Promise.reject(new TypeError()));
    expect(await screen.findByText('Parley was updated')).toBeTruthy();
    expect(reload).toHaveBeenCalledOnce();
  });

  test('a page of the current build does not reload the tab', async () => {
    stubBuild('old.js');
    drawPage(() => Promise.reject(new TypeError()));
    expect(await screen.findByText('The page could not be loaded')).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
  });
});

describe('the notice of a new version', () => {
  const NOTICE = 'A new version of Parley is available.';
  const Page = () => {
    useNewVersion(true);
    return null;
  };
  const drawPageWithNotice = async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await draw(Page);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
  };

  test('the notice waits until the tab has not been used for a while', async () => {
    stubBuild('newer.js');
    await drawPageWithNotice();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    fireEvent.keyDown(document.body, { key: 'a' });
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.queryByText(NOTICE)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(await screen.findByText(NOTICE)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  test('the notice waits while the page has unsaved input', async () => {
    stubBuild('newest.js');
    let isDirty = true;
    const Form = () => {
      useUnsavedGuard(() => isDirty);
      useNewVersion(true);
      return null;
    };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await draw(Form);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(screen.queryByText(NOTICE)).toBeNull();
    isDirty = false;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText(NOTICE)).toBeTruthy();
  });
});
