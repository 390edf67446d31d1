/**
 * Opens a sandbox for each test on free ports and in an empty directory, and connects a business over SMPP.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, SmppClient, type SubmitDraft } from '@parley/smpp/client.ts';
import { split } from '@parley/smpp/multipart.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { parseReceipt, type Receipt } from '@parley/smpp/receipt.ts';
import { wireAlphabet } from '@parley/smpp/text.ts';
import { expect, onTestFinished } from 'vitest';
import { type Limits, openSandbox, type Sandbox } from '../sandbox.ts';
import { readSettings } from '../settings.ts';

export function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sandbox-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const freePorts = {
  SANDBOX_PORT: '0',
  SANDBOX_SMPP_PORT: '0',
  SANDBOX_SMPP_TLS_PORT: '0',
  SANDBOX_SMTP_PORT: '0',
};

// biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member.
export type Json = any;

export interface ApiResponse {
  status: number;
  body: Json;
}

export async function call(
  port: number,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<ApiResponse> {
  const response = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: json ? JSON.parse(text) : text };
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

  call(method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> {
    return call(this.sandbox.ports.http, method, path, body, headers);
  }

  carrier(settings: Json): Promise<ApiResponse> {
    return this.call('PUT', 'carrier', settings);
  }

  async thread(digits: string): Promise<Json[]> {
    return (await this.get(`phones/${digits}/messages`)).messages;
  }

  business(options: Partial<ClientOptions> = {}): Promise<Business> {
    return openBusiness(this.sandbox.ports, options);
  }
}

export async function openBox(limits: Limits = {}, data_dir = createDirectory()): Promise<Box> {
  const settings = readSettings({ ...freePorts, SANDBOX_DATA_DIR: data_dir });
  const sandbox = await openSandbox(settings, limits);
  onTestFinished(() => sandbox.close());
  const box = new Box(sandbox, data_dir);
  // Tests should not wait for the carrier's default delay.
  if (sandbox.world.carrier.receipt_delay_ms === 400) await box.carrier({ receipt_delay_ms: 0, receipt_jitter_ms: 0 });
  return box;
}

/** A customer of the carrier: submits messages and collects deliveries. */
export class Business {
  client: SmppClient;
  delivered: Pdu[] = [];
  /** Override this with a function that throws to refuse a delivery. */
  onDeliver: (pdu: Pdu) => Promise<void> | void = () => {};

  constructor(client: SmppClient) {
    this.client = client;
    client.onDeliver = async (pdu) => {
      await this.onDeliver(pdu);
      this.delivered.push(pdu);
    };
  }

  /** Submits a text and returns one response per part. */
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

  /** Returns the states in the receipts for one message, in order. */
  receiptStates(message_id: string | undefined): string[] {
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
  onTestFinished(() => client.stop(0));
  client.start();
  await until(() => client.state === 'bound');
  return business;
}

/** Waits until the condition is true. */
export async function until(condition: () => boolean | Promise<boolean>, within_ms = 30_000): Promise<void> {
  const end = Date.now() + within_ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not true within ${within_ms} ms: ${condition}`);
    await pause(5);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
