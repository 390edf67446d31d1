/** Reads WhatsApp data directly from the sandbox: a business's data, and the messages on the phones of its numbers. */
import { until, type World } from '../world.ts';

export const buildGraphUrl = (world: World): string => `http://127.0.0.1:${world.sandbox!.http}/graph/v25.0`;

/** Calls the sandbox's API: a read, or an update if `change` is given. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary responses
export async function callSandbox(world: World, path: string, change?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${world.sandbox!.http}/api/${path}`, {
    ...(change ? { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

export const callGraph = (world: World, path: string, body: object): Promise<Response> =>
  fetch(`${buildGraphUrl(world)}/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-whatsapp-token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const findNumber = async (world: World, number: string) =>
  (await callSandbox(world, 'whatsapp/numbers')).numbers.find(({ digits }: { digits: string }) => digits === number);

/** Waits for the given number of text messages on the phone and returns the last one. */
export async function waitForCode(world: World, number: string, count: number): Promise<string> {
  let texts: string[] = [];
  await until(`code ${count} at +${number}`, async () => {
    texts = (await callSandbox(world, `phones/${number}/messages`)).messages.map(({ text }: { text: string }) => text);
    return texts.length === count;
  });
  return texts.at(-1)!;
}
