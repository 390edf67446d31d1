/** WhatsApp as the sandbox plays it, seen from its own side: what a business has there, and what came to the phones of its numbers. */
import { until, type World } from './world.ts';

export const graphOf = (world: World): string => `http://127.0.0.1:${world.sandbox!.http}/graph/v25.0`;

/** The sandbox's own interface; with `change` it is changed. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the sandbox says
export async function boxOf(world: World, path: string, change?: object): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${world.sandbox!.http}/api/${path}`, {
    ...(change ? { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export const callGraph = (world: World, path: string, body: object): Promise<Response> =>
  fetch(`${graphOf(world)}/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-whatsapp-token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const numberThere = async (world: World, number: string) =>
  (await boxOf(world, 'whatsapp/numbers')).numbers.find(({ digits }: { digits: string }) => digits === number);

/** The last of so many texts that came to the phone. */
export async function codeOf(world: World, number: string, count: number): Promise<string> {
  let texts: string[] = [];
  await until(`code ${count} at +${number}`, async () => {
    texts = (await boxOf(world, `phones/${number}/messages`)).messages.map(({ text }: { text: string }) => text);
    return texts.length === count;
  });
  return texts.at(-1)!;
}
