/** In the command palette: writing a template. */
import { registerCommands } from '../kernel/commands.ts';
import { CREATE } from './links.ts';

registerCommands({
  id: 'templates.create',
  label: 'Create template',
  words: 'message library whatsapp viber sms',
  path: CREATE,
  needs: 'TEMPLATES:add',
});
