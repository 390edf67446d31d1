/** The program `parley`: finds the command, parses its options, and sets the exit code. */
import { parseArgs } from 'node:util';
import { Call, type Command, type Option, type Values } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, programHelp } from './help.ts';
import { Output } from './output.ts';
import { EXIT, usageError } from './problems.ts';
import { VERSION } from './version.ts';

const EVERYWHERE = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

function parse(command: Command, args: string[]): { values: Values; positionals: string[] } {
  const options = Object.entries<Option>(command.options).map(([name, { type, multiple = false }]) => [
    name,
    { type, multiple },
  ]);
  try {
    return parseArgs({ args, options: { ...Object.fromEntries(options), ...EVERYWHERE }, allowPositionals: true });
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

async function run(args: string[], output: Output, signal: AbortSignal): Promise<void> {
  const [name = '--help', ...rest] = args.filter((one) => one !== '--json').length === 0 ? [] : args;
  if (name === '--version') return output.result({ version: VERSION }, VERSION);
  if (['--help', '-h', 'help'].includes(name)) {
    const asked = COMMANDS.find((one) => one.name === rest[0]);
    const help = asked ? commandHelp(asked) : programHelp(COMMANDS);
    return output.result({ help }, help);
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) throw usageError(`Unknown command ${JSON.stringify(name)}. \`parley --help\` lists the commands.`);
  const { values, positionals } = parse(command, rest);
  if (values.help) return output.result({ help: commandHelp(command) }, commandHelp(command));
  const { min, max } = command.arguments;
  if (positionals.length < min || positionals.length > max)
    throw usageError(`Usage: parley ${name} ${command.usage}`.trimEnd());
  await command.run(new Call(values, positionals, output, process.env, signal));
}

const controller = new AbortController();
const output = new Output(process.argv.includes('--json'));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The second signal ends the program immediately.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  });
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output, such as `head`, has ended.
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.ok);
});

try {
  await run(process.argv.slice(2), output, controller.signal);
  process.exitCode = controller.signal.aborted ? EXIT.interrupted : EXIT.ok;
} catch (error) {
  process.exitCode = controller.signal.aborted ? EXIT.interrupted : output.error(error);
}
