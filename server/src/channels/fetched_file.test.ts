import { type AddressInfo, createServer, type Server } from 'node:net';
import { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CarrierRefusal } from './channel.ts';
import { fetchCapped, isAllowedUrl } from './fetched_file.ts';
import { viber } from './viber/viber.ts';
import { tokenFor } from './whatsapp/media.ts';

// A server on a private network, which must not be reachable through a file's URL.
let privateServer: Server;
let port: number;
let called = 0;
beforeAll(async () => {
  privateServer = createServer((socket) => {
    called++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => privateServer.listen(0, resolve));
  port = (privateServer.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => privateServer.close(resolve)));

const GRAPH = 'https://graph.example/v25.0';

test('a file is fetched from the carrier or the public internet, never from a private network', async () => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '[::ffff:127.0.0.1]'])
    for (const base_url of [GRAPH, `http://127.0.0.1:${port}`]) {
      const url = `https://${host}:${port}/9`;
      await expect(fetchCapped(url, { base_url, timeout_ms: 5_000, max_bytes: 100 }), url).rejects.toThrow(
        new CarrierRefusal('', 'The file’s URL points to a private network'),
      );
    }
  const settings = ViberSettings.parse({});
  await expect(viber.media!.fetch({ id: '1', settings }, `https://localhost:${port}/cat.png`)).rejects.toThrow(
    /private network/,
  );
  expect(called).toBe(0);
  // The host that the operator configured is called even on a private network.
  const operator_url = `https://127.0.0.1:${port}`;
  await expect(
    fetchCapped(`${operator_url}/9`, { base_url: operator_url, timeout_ms: 5_000, max_bytes: 100 }),
  ).rejects.not.toThrow(/private network/);
  expect(called).toBe(1);
});

test('plain HTTP is used only when the base URL of the carrier uses it', () => {
  expect(isAllowedUrl('https://files.example/9', GRAPH)).toBe(true);
  expect(isAllowedUrl('http://files.example/9', GRAPH)).toBe(false);
  expect(isAllowedUrl('http://localhost:4610/9', 'http://127.0.0.1:4610/v25.0')).toBe(true);
  expect(isAllowedUrl('http://localhost:4611/9', 'http://127.0.0.1:4610/v25.0')).toBe(false);
  expect(isAllowedUrl('nonsense', GRAPH)).toBe(false);
});

test('the WhatsApp token is sent only to the base URL and to Meta’s file hosts', () => {
  const settings = WhatsAppSettings.parse({ base_url: GRAPH, access_token: 'token-1', waba_id: '55' });
  const sendsToken = (url: string) => 'authorization' in tokenFor(settings, url);
  expect(
    [`${GRAPH}/9`, 'https://lookaside.fbsbx.com/whatsapp_business/9', 'https://scontent.fbcdn.net/9'].map(sendsToken),
  ).toEqual([true, true, true]);
  expect(
    ['https://graph.example.evil.example/9', 'https://evilfbsbx.com/9', 'https://fbsbx.com.evil.example/9'].map(
      sendsToken,
    ),
  ).toEqual([false, false, false]);
});
