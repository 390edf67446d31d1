/** The palette command that creates a template. */
import { registerCommands } from '../kernel/commands.ts';
import { CREATE_TEMPLATE } from '../paths.ts';

registerCommands({
  id: 'templates.create',
  label: 'Create template',
  keywords: 'message library whatsapp viber sms',
  path: CREATE_TEMPLATE,
  needs: 'TEMPLATES:add',
});
