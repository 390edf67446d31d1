/** Commands are data: their options, their help, and the function that runs them. */
import type { Parley } from '@parley/sdk';
import { connect, type Login, readLogin } from './login.ts';
import type { Output } from './output.ts';
import { usageError } from './problems.ts';

export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  /** The name of the value in the help. */
  value?: string;
  help: string;
}

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export interface Command {
  name: string;
  summary: string;
  /** The arguments in the help. */
  usage: string;
  /** Paragraphs of the help. */
  text: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** The number of arguments. */
  arguments: { min: number; max: number };
  examples: readonly string[];
  run(call: Call): Promise<void>;
}

/** One run of a command. */
export class Call {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly output: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;

  constructor(
    values: Values,
    positionals: readonly string[],
    output: Output,
    env: NodeJS.ProcessEnv,
    signal: AbortSignal,
  ) {
    this.values = values;
    this.positionals = positionals;
    this.output = output;
    this.env = env;
    this.signal = signal;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): string[] {
    return [this.values[name] ?? []].flat().map(String);
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** The option, or an error that names it. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw usageError(`--${name} is required`);
    return value;
  }

  login(): Promise<Login> {
    return readLogin(this.env);
  }

  async connect(): Promise<Parley> {
    return connect(await this.login());
  }
}
