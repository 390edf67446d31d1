import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings, StartError } from './settings.ts';
import { call, createDirectory, openBusiness } from './test/box.ts';
import { runProgram, startProgram } from './test/program.ts';

describe('the program', () => {
  test('prints one line of JSON when it is ready and stops cleanly with connected clients', async () => {
    const program = await startProgram({ SANDBOX_DATA_DIR: createDirectory() });
    expect(Object.keys(program.ports)).toEqual(['ready', 'http', 'smpp', 'smpp_tls', 'smtp']);
    const business = await openBusiness(program.ports);
    const stream = await fetch(`http://127.0.0.1:${program.ports.http}/api/live`);
    expect((await call(program.ports.http, 'GET', 'ports')).body).toMatchObject({ smpp: program.ports.smpp });
    program.process.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.output().trim().split('\n')).toHaveLength(1);
    expect(business.client.state).not.toBe('bound');
    await stream.body!.cancel().catch(() => {});
  });

  test.each([
    [{ SANDBOX_PORT: '41000000' }, /SANDBOX_PORT must be a port number/],
    [{ SANDBOX_SMPP_PORT: 'abc' }, /SANDBOX_SMPP_PORT must be a port number/],
    [{ SANDBOX_HOST: 'not a host' }, /SANDBOX_HOST must be/],
    [{ SANDBOX_HOST: '192.0.2.1' }, /SANDBOX_HOST 192\.0\.2\.1 is not an address of this machine/],
    [{ SANDBOX_PORT: '4999', SANDBOX_SMTP_PORT: '4999' }, /SANDBOX_PORT and SANDBOX_SMTP_PORT are both 4999/],
  ])('does not start with the settings %j', async (env, message) => {
    expect(await refusal({ SANDBOX_DATA_DIR: createDirectory(), ...env })).toMatch(message);
  });

  test.each(['SANDBOX_PORT', 'SANDBOX_SMPP_PORT', 'SANDBOX_SMPP_TLS_PORT', 'SANDBOX_SMTP_PORT'])(
    'does not start when the port in %s is in use',
    async (variable) => {
      const server = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once('listening', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const error = await refusal({ SANDBOX_DATA_DIR: createDirectory(), [variable]: String(port) });
      expect(error).toContain(`port ${port} (${variable}) is in use`);
    },
  );

  test('does not start when the data directory is a file or is in use', async () => {
    const file = join(createDirectory(), 'file');
    writeFileSync(file, '');
    expect(await refusal({ SANDBOX_DATA_DIR: file })).toMatch(/SANDBOX_DATA_DIR .* cannot be written/);
    const data_dir = createDirectory();
    const program = await startProgram({ SANDBOX_DATA_DIR: data_dir });
    expect(await refusal({ SANDBOX_DATA_DIR: data_dir })).toContain(
      `in use by another sandbox (process ${program.process.pid})`,
    );
    program.process.kill('SIGKILL');
    await program.exited;
    await startProgram({ SANDBOX_DATA_DIR: data_dir });
  });
});

test('settings have the documented defaults', () => {
  expect(readSettings({})).toMatchObject({
    host: '127.0.0.1',
    http_port: 4100,
    smpp_port: 4101,
    smpp_tls_port: 4102,
    smtp_port: 4103,
    data_dir: expect.stringMatching(/data\/sandbox$/),
  });
  expect(() => readSettings({ SANDBOX_PORT: '-1' })).toThrow(StartError);
});

/** Returns the error from a program that fails to start: one line on stderr, exit code 1, nothing on stdout. */
async function refusal(env: Record<string, string>): Promise<string> {
  const end = await runProgram(env);
  if ('process' in end) throw new Error('the sandbox must refuse to start');
  expect(end.code).toBe(1);
  expect(end.stdout).toBe('');
  expect(end.stderr.trim().split('\n')).toHaveLength(1);
  return end.stderr;
}
