// A sandbox of its own for each test, on free ports and an empty directory, and a business that talks to it over SMPP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, SmppClient, type SubmitDraft } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { parseReceipt, type Receipt } from '@parley/smpp/receipt.ts';
import { wireAlphabet } from '@parley/smpp/text.ts';
import { afterEach, expect } from 'vitest';
import { type Limits, openSandbox, type Sandbox } from '../sandbox.ts';
import { readSettings } from '../settings.ts';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
export const later = (cleanup: () => Promise<unknown> | unknown): void => void cleanups.push(cleanup);

export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sandbox-'));
  later(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const anyPorts = {
  SANDBOX_PORT: '0',
  SANDBOX_SMPP_PORT: '0',
  SANDBOX_SMPP_TLS_PORT: '0',
  SANDBOX_SMTP_PORT: '0',
};

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into member by member.
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
}

export async function call(port: number, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, body: json ? JSON.parse(text) : text };
}

export class Box {
  sandbox: Sandbox;
  data_dir: string;

  constructor(sandbox: Sandbox, data_dir: string) {
    this.sandbox = sandbox;
    this.data_dir = data_dir;
  }

  async get(path: string): Promise<Json> {
    const { status, body } = await call(this.sandbox.ports.http, 'GET', path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  call(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    return call(this.sandbox.ports.http, method, path, body, headers);
  }

  carrier(settings: Json): Promise<Answer> {
    return this.call('PUT', 'carrier', settings);
  }

  async thread(digits: string): Promise<Json[]> {
    return (await this.get(`phones/${digits}/messages`)).messages;
  }

  business(options: Partial<ClientOptions> = {}): Promise<Business> {
    return openBusiness(this.sandbox.ports, options);
  }
}

export async function openBox(limits: Limits = {}, data_dir = emptyDirectory()): Promise<Box> {
  const settings = readSettings({ ...anyPorts, SANDBOX_DATA_DIR: data_dir });
  const sandbox = await openSandbox(settings, limits);
  later(() => sandbox.close());
  const box = new Box(sandbox, data_dir);
  // Tests wait for what they cause, not for the carrier's usual leisure.
  if (sandbox.world.carrier.receipt_delay_ms === 400) await box.carrier({ receipt_delay_ms: 0, receipt_jitter_ms: 0 });
  return box;
}

/** A customer of the carrier: what it was delivered, and how it submits. */
export class Business {
  client: SmppClient;
  delivered: Pdu[] = [];
  /** Throw here to refuse a delivery. */
  onDeliver: (pdu: Pdu) => Promise<void> | void = () => {};

  constructor(client: SmppClient) {
    this.client = client;
    client.onDeliver = async (pdu) => {
      await this.onDeliver(pdu);
      this.delivered.push(pdu);
    };
  }

  /** The responses, one per part. */
  async send(to: string, text: string, fields: SubmitDraft = {}, mode: 'udh8' | 'udh16' | 'sar' | 'payload' = 'udh8') {
    const parts = split(text, mode, { ...wireAlphabet(text, 'gsm7'), reference: 77 });
    return Promise.all(
      parts.map((part) =>
        this.client.submit({
          source_addr: 'Parley',
          source_addr_ton: 5,
          destination_addr: to,
          registered_delivery: 1,
          ...part,
          ...fields,
          tlvs: { ...part.tlvs, ...fields.tlvs },
        }),
      ),
    );
  }

  get receipts(): Receipt[] {
    return this.delivered.map((pdu) => parseReceipt(pdu)).filter((receipt) => receipt !== null);
  }

  get replies(): Pdu[] {
    return this.delivered.filter((pdu) => parseReceipt(pdu) === null);
  }

  /** States told about one message, in order. */
  told(message_id: string | undefined): string[] {
    return this.receipts.filter((receipt) => receipt.id === message_id).map((receipt) => receipt.state);
  }
}

export async function openBusiness(ports: { smpp: number }, options: Partial<ClientOptions> = {}): Promise<Business> {
  const client = new SmppClient({
    host: '127.0.0.1',
    port: ports.smpp,
    system_id: 'acme',
    password: 'sandbox',
    window: 100,
    reconnect: { min_ms: 10, max_ms: 100 },
    throttle: { min_ms: 1, max_ms: 2 },
    response_timeout_ms: 1_500,
    ...options,
  });
  const business = new Business(client);
  later(() => client.stop(0));
  client.start();
  await until(() => client.state === 'bound');
  return business;
}

/** Waits until it holds; fails with what it last saw. */
export async function until(holds: () => boolean | Promise<boolean>, within_ms = 30_000): Promise<void> {
  const end = Date.now() + within_ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`did not come true within ${within_ms} ms: ${holds}`);
    await pause(5);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
