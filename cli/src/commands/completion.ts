import type { Command } from '../command.ts';
import { usageError } from '../problems.ts';

type Table = () => readonly Command[];

const words = (command: Command): string =>
  [...Object.keys(command.options), 'json', 'help'].map((name) => `--${name}`).join(' ');

/** A reference to an element of a shell array. */
const element = (array: string, index: string | number): string => `$\{${array}[${index}]}`;

function bash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.map((command) => `    ${command.name}) words="${words(command)}" ;;`);
  return [
    '_parley() {',
    `  local word="${element('COMP_WORDS', 'COMP_CWORD')}" words`,
    `  case "${element('COMP_WORDS', 1)}" in`,
    ...cases,
    `    *) words="${names}" ;;`,
    '  esac',
    `  [ "$COMP_CWORD" -eq 1 ] && words="${names}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _parley parley',
  ].join('\n');
}

const zsh = (commands: readonly Command[]): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;

const fish = (commands: readonly Command[]): string =>
  [
    'complete -c parley -f',
    ...commands.map(
      ({ name, summary }) => `complete -c parley -n __fish_use_subcommand -a ${name} -d ${JSON.stringify(summary)}`,
    ),
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).map(
        ([option, { help }]) =>
          `complete -c parley -n "__fish_seen_subcommand_from ${name}" -l ${option} -d ${JSON.stringify(help)}`,
      ),
    ),
  ].join('\n');

/** `list` returns all commands, including this one. */
export const completion = (list: Table): Command => ({
  name: 'completion',
  summary: 'Print a completion script for your shell',
  usage: 'bash | zsh | fish',
  text: [],
  options: {},
  arguments: { min: 1, max: 1 },
  examples: ['source <(parley completion bash)', 'parley completion fish > ~/.config/fish/completions/parley.fish'],
  async run({ positionals, output }) {
    const write = { bash, zsh, fish }[positionals[0] ?? ''];
    if (!write) throw usageError('The shell must be bash, zsh, or fish');
    const script = write(list());
    output.result({ script }, script);
  },
});
