/** Writes the help of the program and of its commands. */
import type { Command, Option } from './command.ts';
import { table } from './output.ts';

const WIDTH = 80;

const EVERYWHERE: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'Write results and errors as JSON, one per line' },
  help: { type: 'boolean', help: 'Show this help' },
};

/** Breaks lines between words. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

const indented = (text: string): string => text.replace(/^/gm, '  ');

const optionRows = (options: Readonly<Record<string, Option>>): string[][] =>
  Object.entries(options).map(([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help]);

const section = (title: string, text: string): string => `${title}:\n${indented(text)}`;

export function programHelp(commands: readonly Command[]): string {
  return [
    'Send messages and follow events with Parley.',
    section('Usage', 'parley COMMAND [OPTIONS]'),
    section('Commands', table(commands.map(({ name, summary }) => [name, summary]))),
    section('Options', table([...optionRows(EVERYWHERE), ['--version', 'Show the version']])),
    wrap('PARLEY_URL and PARLEY_API_KEY take precedence over the values that `parley login` stores.'),
    section(
      'Exit codes',
      table([
        ['0', 'Done'],
        ['1', 'Refused or failed'],
        ['2', 'Incorrect usage'],
        ['3', 'Not signed in, or the key is not allowed to do this'],
        ['4', 'Parley did not respond'],
        ['130', 'Interrupted'],
      ]),
    ),
    'For the options of a command, run `parley COMMAND --help`.',
  ].join('\n\n');
}

export const commandHelp = ({ name, summary, usage, text, options, examples }: Command): string =>
  [
    `${summary}.`,
    section('Usage', `parley ${name} ${usage}`.trimEnd()),
    ...text.map(wrap),
    section('Options', table(optionRows({ ...options, ...EVERYWHERE }))),
    ...(examples.length > 0 ? [section(examples.length === 1 ? 'Example' : 'Examples', examples.join('\n'))] : []),
  ].join('\n\n');
