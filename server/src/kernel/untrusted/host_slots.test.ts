import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';

const MODULE = new URL('./fair_slots.ts', import.meta.url).href;
const HOST = new URL('./host_slots.ts', import.meta.url).href;
/** Runs a task for each line of the input, until the process is killed or gets a line with the same name again. */
const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { fairSlots } from ${JSON.stringify(MODULE)};
  import { shareSlotsOnHost } from ${JSON.stringify(HOST)};
  shareSlotsOnHost(process.argv[1]);
  const slots = fairSlots({ total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 9, host: 'test' });
  const ends = new Map();
  for await (const line of createInterface(process.stdin)) {
    const end = ends.get(line);
    if (end) end();
    else {
      ends.set(line, () => {});
      const [account_id, verified] = line.split(' ');
      void slots.run({ account_id, verified: verified !== 'new' }, () => {
        console.log(line);
        return new Promise((resolve) => ends.set(line, resolve));
      });
    }
  }`;

const processes: ChildProcess[] = [];
afterEach(async () => {
  for (const child of processes.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

/** Starts a process of an installation. `started` has the tasks that hold a slot. */
function startProcess(installation: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, installation], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const started: string[] = [];
  createInterface(child.stdout!).on('line', (line) => started.push(line));
  return { child, started, turn: (line: string) => child.stdin!.write(`${line}\n`) };
}

const until = (isTrue: () => boolean) => expect.poll(isTrue, { timeout: 20_000, interval: 20 }).toBe(true);
/** Longer than several attempts of a waiting process. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 600));

describe.runIf(process.platform === 'linux')('the processes of an installation', () => {
  const installation = () => `postgres://${crypto.randomUUID()}`;

  test('share the slots of the host, of each tenant, and of all unverified tenants', async () => {
    const url = installation();
    const [first, second, other] = [startProcess(url), startProcess(url), startProcess(installation())];
    first.turn('a new');
    await until(() => first.started.includes('a new'));
    second.turn('a new');
    second.turn('b new');
    other.turn('a new');
    await until(() => other.started.includes('a new'));
    await pause();
    expect(second.started).toEqual([]);
    const third = startProcess(url);
    third.turn('c');
    await until(() => third.started.includes('c'));
    third.turn('d');
    await pause();
    expect(third.started).toEqual(['c']);
    third.turn('c');
    await until(() => third.started.includes('d'));
    first.turn('a new');
    third.turn('d');
    await until(() => second.started.length === 1);
  });

  test('free their slots when they are killed', async () => {
    const url = installation();
    const [first, second] = [startProcess(url), startProcess(url)];
    first.turn('a');
    await until(() => first.started.includes('a'));
    second.turn('a');
    await pause();
    expect(second.started).toEqual([]);
    first.child.kill('SIGKILL');
    await until(() => second.started.includes('a'));
  });
});
