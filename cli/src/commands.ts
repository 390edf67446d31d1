import type { Command } from './command.ts';
import { completion } from './commands/completion.ts';
import { exportList } from './commands/export.ts';
import { importContacts } from './commands/import.ts';
import { listen } from './commands/listen.ts';
import { login, logout } from './commands/login.ts';
import { mcp } from './commands/mcp.ts';
import { replay } from './commands/replay.ts';
import { send } from './commands/send.ts';
import { tail } from './commands/tail.ts';
import { trigger } from './commands/trigger.ts';

export const COMMANDS: readonly Command[] = [
  ...[login, logout, send, tail, listen, trigger, replay, importContacts, exportList, mcp],
  completion(() => COMMANDS),
];
