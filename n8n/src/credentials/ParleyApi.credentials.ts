import type { CredentialType, Field } from '../n8n.ts';

export class ParleyApi implements CredentialType {
  name = 'parleyApi';
  displayName = 'Parley API';
  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-parley';
  icon = 'file:parley.svg';
  properties: Field[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://parley.example.com',
      description: 'The URL of your Parley server',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Create it in Parley under APIs, Keys. Messages sent with a test key are free and reach no phone.',
    },
  ];
  authenticate = {
    type: 'generic' as const,
    properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } },
  };
  test = { request: { baseURL: '={{$credentials.url}}', url: '/v1/accounts/self' } };
}
