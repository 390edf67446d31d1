/** Changes of labels, and of the labels of a conversation. Apart from labels.ts, because the list loads only that. */
import { z } from 'zod';
import { idParams, plainName, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { CONVERSATION_PROBLEMS, Conversation, STATUS_NEEDS } from './inbox.ts';
import { LABEL_COLORS, LABELS_MAX, Label } from './labels.ts';

/** Users who may answer conversations or change their status can label them. */
export const LABEL_NEEDS = STATUS_NEEDS;

const name = plainName({ min: 1, max: 40 });
const color = z.enum(LABEL_COLORS);

export const createLabel = endpoint({
  id: 'labels.create',
  method: 'POST',
  path: '/v1/labels',
  summary: `Create a label. An account can have ${LABELS_MAX}`,
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  body: z.object({ name, color: color.default('gray') }),
  status: 201,
  output: Label,
  problems: ['LABEL_EXISTS', 'LABELS_LIMIT_EXCEEDED'],
});

export const updateLabel = endpoint({
  id: 'labels.update',
  method: 'PUT',
  path: '/v1/labels/{id}',
  summary: 'Rename a label or change its color. Omitted fields stay unchanged',
  needs: 'CONVERSATIONS:edit',
  audience: 'session',
  params: idParams('LABEL_NOT_FOUND'),
  body: z.object({ name, color }).partial(),
  output: Label,
  problems: ['LABEL_NOT_FOUND', 'LABEL_EXISTS'],
});

export const removeLabel = endpoint({
  id: 'labels.remove',
  method: 'DELETE',
  path: '/v1/labels/{id}',
  summary: 'Delete a label, and remove it from all conversations',
  needs: 'CONVERSATIONS:delete',
  audience: 'session',
  params: idParams('LABEL_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['LABEL_NOT_FOUND'],
});

const labelParams = idParams('CONVERSATION_ID_INVALID').extend({ label_id: uuid('LABEL_NOT_FOUND') });

export const addConversationLabel = endpoint({
  id: 'conversation_labels.add',
  method: 'PUT',
  path: '/v1/conversations/{id}/labels/{label_id}',
  summary: 'Add a label to a conversation',
  needs: LABEL_NEEDS,
  audience: 'session',
  params: labelParams,
  output: Conversation,
  problems: [...CONVERSATION_PROBLEMS, 'LABEL_NOT_FOUND'],
});

export const removeConversationLabel = endpoint({
  id: 'conversation_labels.remove',
  method: 'DELETE',
  path: '/v1/conversations/{id}/labels/{label_id}',
  summary: 'Remove a label from a conversation',
  needs: LABEL_NEEDS,
  audience: 'session',
  params: labelParams,
  output: Conversation,
  problems: CONVERSATION_PROBLEMS,
});
