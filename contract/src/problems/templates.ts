/** Templates. */
import type { Rows } from './row.ts';

export const TEMPLATES = {
  TEMPLATE_SENDER_REQUIRED: {
    code: 1241,
    status: 400,
    public: 'Choose the WhatsApp sender for the template',
    field: 'wa_sender_code',
  },
  TEMPLATE_NOT_FOUND: { code: 1251, status: 404, public: 'Template not found', field: 'template' },
  TEMPLATE_DATA_REQUIRED: { code: 1253, status: 400, public: 'Template data is required' },
  TEMPLATE_TEXT_REQUIRED: { code: 1254, status: 400, public: 'Text is required', field: 'text' },
  TEMPLATE_TEXT_INVALID: { code: 1255, status: 400, public: 'Text is not valid', field: 'text' },
  TEMPLATE_CHANNEL_REQUIRED: { code: 1256, status: 400, public: 'Channel is required', field: 'channel' },
  TEMPLATE_CHANNEL_INVALID: { code: 1257, status: 400, public: 'Channel is not valid', field: 'channel' },
  TEMPLATE_EXISTS: { code: 1258, status: 409, public: 'A template with this name already exists', field: 'name' },
  TEMPLATE_NAME_INVALID: { code: 1259, status: 400, public: 'Template name is not valid', field: 'name' },
  TEMPLATE_TEXT_TOO_LONG: { code: 1260, status: 400, public: 'Text can have at most 1,000 characters', field: 'text' },
  TEMPLATE_NAME_REQUIRED: { code: 1261, status: 400, public: 'Template name is required', field: 'name' },
  NAME_TOO_LONG: { code: 1262, status: 400, public: 'Name can have at most 45 characters', field: 'name' },
  TEMPLATE_NAME_TOO_LONG: {
    code: 1263,
    status: 400,
    public: 'Template name can have at most 45 characters',
    field: 'name',
  },
  MEDIA_REQUIRED: { code: 1264, status: 400, public: 'A link or an uploaded file is required', field: 'url' },
  MEDIA_LINK_TOO_LONG: { code: 1265, status: 400, public: 'The link can have at most 2,083 characters', field: 'url' },
  MEDIA_LINK_INVALID: { code: 1266, status: 400, public: 'Enter a valid link', field: 'url' },
  DOCUMENT_NAME_REQUIRED: { code: 1267, status: 400, public: 'Document name is required', field: 'filename' },
  DOCUMENT_NAME_TOO_LONG: {
    code: 1268,
    status: 400,
    public: 'Document name can have at most 25 characters',
    field: 'filename',
  },
  DOCUMENT_NAME_INVALID: {
    code: 1269,
    status: 400,
    public: 'Only letters, numbers, and (_) are allowed',
    field: 'filename',
  },
  BUTTON_TEXT_REQUIRED: { code: 1272, status: 400, public: 'Button text is required', field: 'button_text' },
  BUTTON_VALUE_INVALID: {
    code: 1273,
    status: 400,
    public: 'Button value is not valid for its type',
    field: 'button_value',
  },
  BUTTON_TEXT_TOO_LONG: {
    code: 1274,
    status: 400,
    public: 'Button text can have at most 20 characters',
    field: 'button_text',
  },
  WHATSAPP_IMAGE_INVALID: {
    code: 1275,
    status: 400,
    public: 'WhatsApp images must be JPG or PNG and at most 5 MB',
    field: 'url',
  },
  WHATSAPP_VIDEO_INVALID: {
    code: 1276,
    status: 400,
    public: 'WhatsApp videos must be MP4 or 3GP and at most 16 MB',
    field: 'url',
  },
  WHATSAPP_DOCUMENT_INVALID: {
    code: 1277,
    status: 400,
    public: 'WhatsApp documents must be PDF and at most 100 MB',
    field: 'url',
  },
  VIBER_IMAGE_INVALID: {
    code: 1278,
    status: 400,
    public: 'This image type or size is not allowed on Viber',
    field: 'url',
  },
  VIBER_VIDEO_INVALID: {
    code: 1279,
    status: 400,
    public: 'This video type or size is not allowed on Viber',
    field: 'url',
  },
  VIBER_DOCUMENT_INVALID: {
    code: 1280,
    status: 400,
    public: 'This file type or size is not allowed on Viber',
    field: 'url',
  },
  TEMPLATE_UNDER_REVIEW: {
    code: 1281,
    status: 409,
    public: 'The template is under review. You can change it after the review.',
  },
  TEMPLATE_IN_USE: { code: 1282, status: 409, public: 'This template is used by a campaign that has not ended' },
  TEMPLATE_EXISTS_AT_WHATSAPP: {
    code: 1284,
    status: 409,
    public:
      'Another company on the same WhatsApp Business account has a template with this name and language. ' +
      'Choose another name.',
    field: 'name',
  },
} as const satisfies Rows;
