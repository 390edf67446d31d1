/**
 * Settings of the generic adapter for more providers, from their published APIs. A preset needs only the account,
 * the API key, and a callback secret.
 */
import type { GenericSettings } from './generic.ts';

/** The adapter that reads these settings. */
export const PRESET_ADAPTER = 'generic';

interface Preset {
  label: string;
  /** The provider's documentation of the calls. */
  docs: string;
  settings: Partial<GenericSettings> & Pick<GenericSettings, 'base_url' | 'body' | 'id_path'>;
}

export const SMS_PRESETS = {
  messagebird: {
    label: 'MessageBird',
    docs: 'https://developers.messagebird.com/api/sms-messaging/',
    settings: {
      base_url: 'https://rest.messagebird.com/messages',
      authorization: 'AccessKey {secret}',
      body:
        '{"originator": "{from}", "recipients": ["{to}"], "body": "{text}", "datacoding": "auto", ' +
        '"validity": {validity_seconds}, "reference": "{reference}", "reportUrl": "{callback_url}"}',
      id_path: 'id',
      error_path: 'errors.0.description',
      callback_id_path: 'id|mid',
      callback_from_path: 'originator',
      callback_to_path: 'recipient|shortcode',
      callback_text_path: 'body|payload|message',
      delivered_words: 'delivered',
      failed_words: 'delivery_failed, expired',
    },
  },
  africastalking: {
    label: 'Africa’s Talking',
    docs: 'https://developers.africastalking.com/docs/sms/sending/bulk',
    settings: {
      base_url: 'https://api.africastalking.com/version1/messaging',
      format: 'form',
      headers: 'apiKey: {secret}',
      body: 'username={account}&to={to_e164}&from={from_e164}&message={text}',
      id_path: 'SMSMessageData.Recipients.0.messageId',
      error_path: 'SMSMessageData.Recipients.0.status|SMSMessageData.Message',
      callback_to_path: 'to|phoneNumber',
      delivered_words: 'Success',
      failed_words: 'Failed, Rejected, AbsentSubscriber, Absent Subscriber, Expired',
    },
  },
  seven: {
    label: 'seven.io',
    docs: 'https://docs.seven.io/en/rest-api/endpoints/sms',
    settings: {
      base_url: 'https://gateway.seven.io/api/sms',
      headers: 'X-Api-Key: {secret}',
      body: '{"to": "{to}", "from": "{from}", "text": "{text}", "foreign_id": "{reference}"}',
      id_path: 'messages.0.id',
      error_path: 'messages.0.error_text|success',
      callback_id_path: 'data.msg_id|data.id',
      callback_status_path: 'data.status',
      callback_from_path: 'data.sender',
      callback_to_path: 'data.system',
      callback_text_path: 'data.text',
      delivered_words: 'DELIVERED',
      failed_words: 'NOTDELIVERED, REJECTED, FAILED, EXPIRED',
    },
  },
  telesign: {
    label: 'Telesign',
    docs: 'https://developer.telesign.com/enterprise/reference/sendsms',
    settings: {
      base_url: 'https://rest-api.telesign.com/v1/messaging',
      format: 'form',
      authorization: 'Basic {basic}',
      body:
        'phone_number={to}&sender_id={from}&message={text}&message_type=ARN&external_id={reference}&' +
        'callback_url={callback_url}',
      id_path: 'reference_id',
      error_path: 'status.description|errors.0.description',
      callback_id_path: 'reference_id',
      callback_status_path: 'status.code',
      callback_from_path: 'user_response.phone_number',
      callback_to_path: 'user_response.sender_id',
      callback_text_path: 'user_response.mo_message',
      delivered_words: '200',
      // 250 and 251 mean that the outcome is unknown.
      failed_words:
        '207, 210, 211, 220, 221, 222, 229, 230, 231, 233, 234, 235, 237, 238, 502, 503, 504, 505, 506, 507, ' +
        '508, 509, 510, 511, 512, 513, 514, 515, 517, 520, 521',
    },
  },
  elks46: {
    label: '46elks',
    docs: 'https://46elks.com/docs/send-sms',
    settings: {
      base_url: 'https://api.46elks.com/a1/sms',
      format: 'form',
      authorization: 'Basic {basic}',
      // Receipts do not name the recipient, so the callback URL does (`&to=`, encoded for the form).
      body: 'from={from_e164}&to={to_e164}&message={text}&whendelivered={callback_url}%26to%3D{to}',
      id_path: 'id',
      error_path: 'message',
      callback_text_path: 'message',
      delivered_words: 'delivered',
      failed_words: 'failed',
    },
  },
  gatewayapi: {
    label: 'GatewayAPI',
    docs: 'https://gatewayapi.com/docs/apis/rest/',
    settings: {
      base_url: 'https://gatewayapi.com/rest/mtsms',
      authorization: 'Token {secret}',
      body:
        '{"sender": "{from}", "message": "{text}", "recipients": [{"msisdn": {to}}], ' +
        '"validity_period": {validity_seconds}, "userref": "{reference}", "callback_url": "{callback_url}"}',
      id_path: 'ids.0',
      error_path: 'message',
      callback_from_path: 'msisdn',
      callback_to_path: 'receiver|msisdn',
      callback_text_path: 'message',
      delivered_words: 'DELIVERED',
      failed_words: 'UNDELIVERABLE, EXPIRED, REJECTED, DELETED, SKIPPED',
    },
  },
  wavecell: {
    label: '8x8',
    docs: 'https://developer.8x8.com/connect/reference/send-sms',
    settings: {
      base_url: 'https://sms.8x8.com/api/v1/subaccounts/{account}/messages',
      authorization: 'Bearer {secret}',
      body:
        '{"source": "{from}", "destination": "{to_e164}", "text": "{text}", "encoding": "AUTO", ' +
        '"clientMessageId": "{reference}", "dlrCallbackUrl": "{callback_url}"}',
      id_path: 'umid',
      error_path: 'message',
      callback_id_path: 'payload.umid',
      callback_status_path: 'payload.status.state',
      callback_from_path: 'payload.source',
      callback_to_path: 'payload.destination',
      callback_text_path: 'payload.body',
      delivered_words: 'delivered, read',
      failed_words: 'undelivered, rejected, failed',
    },
  },
  d7: {
    label: 'D7 Networks',
    docs: 'https://d7networks.com/docs/Messages/Send_Message/',
    settings: {
      base_url: 'https://api.d7networks.com/messages/v1/send',
      authorization: 'Bearer {secret}',
      body:
        '{"messages": [{"channel": "sms", "recipients": ["{to_e164}"], "content": "{text}", ' +
        '"data_coding": "auto"}], "message_globals": {"originator": "{from}", ' +
        '"report_url": "{callback_url}"}}',
      id_path: 'request_id',
      error_path: 'detail.message|detail.0.msg',
      callback_id_path: 'request_id',
      callback_from_path: 'originator',
      callback_to_path: 'recipient',
      // D7 Networks publishes no callback for replies.
      callback_text_path: '',
      delivered_words: 'delivered',
      failed_words: 'undelivered',
    },
  },
  brevo: {
    label: 'Brevo',
    docs: 'https://developers.brevo.com/reference/sendtransacsms',
    settings: {
      base_url: 'https://api.brevo.com/v3/transactionalSMS/sms',
      headers: 'api-key: {secret}',
      body:
        '{"sender": "{from}", "recipient": "{to}", "content": "{text}", "type": "transactional", ' +
        '"unicodeEnabled": true, "tag": "{reference}", "webUrl": "{callback_url}"}',
      id_path: 'messageId',
      error_path: 'message',
      callback_id_path: 'messageId',
      callback_status_path: 'msg_status',
      // Brevo publishes no callback for replies.
      callback_text_path: '',
      delivered_words: 'delivered',
      failed_words: 'soft_bounce, hard_bounce, blocked, rejected',
    },
  },
  signalwire: {
    label: 'SignalWire',
    docs: 'https://docs.signalwire.com/reference/compatibility-api/',
    settings: {
      base_url: 'https://example.signalwire.com/api/laml/2010-04-01/Accounts/{account}/Messages.json',
      format: 'form',
      authorization: 'Basic {basic}',
      body: 'From={from_e164}&To={to_e164}&Body={text}&StatusCallback={callback_url}',
      id_path: 'sid',
      error_path: 'message',
      callback_id_path: 'MessageSid',
      callback_status_path: 'MessageStatus',
      callback_from_path: 'From',
      callback_to_path: 'To',
      callback_text_path: 'Body',
      delivered_words: 'delivered',
      failed_words: 'undelivered, failed',
    },
  },
} as const satisfies Readonly<Record<string, Preset>>;
