import { describe, expect, it } from 'vitest'
import type { AuthorizationSettings } from '../../server-core/host/contract/authorization.ts'
import { faultOf, formOf, settingsOf, GRANT_KINDS } from './settings-form.ts'

const EVERY_WAY: readonly AuthorizationSettings[] = [
  {},
  {
    issuer: 'https://as.example',
    clientId: 'mine',
    clientSecret: { state: 'kept' },
    scopes: ['mcp', 'deploy'],
    redirectPort: 8_080,
    allowUndeclaredPkce: true,
    dpop: { algorithm: 'ES256' },
  },
  {
    grant: { kind: 'client-credentials', clientId: 'job', authentication: { method: 'secret' } },
    grantSecrets: { client_secret: { state: 'kept' } },
  },
  {
    grant: {
      kind: 'client-credentials',
      clientId: 'job',
      authentication: { method: 'private_key_jwt', keyId: 'k1' },
    },
    grantSecrets: { private_key: { state: 'kept' } },
  },
  { grant: { kind: 'workload-identity', source: { from: 'file', path: '/var/run/token' } } },
  {
    grant: {
      kind: 'enterprise-managed',
      clientId: 'mine',
      authentication: { method: 'secret' },
      identityProvider: {
        issuer: 'https://idp.example',
        clientId: 'there',
        authentication: { method: 'secret' },
      },
      subject: { source: { from: 'secret' }, type: 'id_token' },
    },
    grantSecrets: {
      client_secret: { state: 'kept' },
      idp_client_secret: { state: 'kept' },
      subject_token: { state: 'kept' },
    },
  },
]

describe('the form of the settings', () => {
  it.each(EVERY_WAY)('gives back what it was made of: %j', (settings) => {
    expect(settingsOf(formOf(settings), settings)).toEqual(settings)
    expect(faultOf(formOf(settings))).toBeUndefined()
  })

  it('takes a secret that was typed, and keeps one that was not', () => {
    const before: AuthorizationSettings = { clientId: 'mine', clientSecret: { state: 'kept' } }
    expect(settingsOf({ ...formOf(before), clientSecret: 'new one' }, before).clientSecret).toEqual({
      state: 'new',
      value: 'new one',
    })
  })

  it('says what a way still needs', () => {
    const empty = formOf({})
    const needy = GRANT_KINDS.filter(({ value }) => faultOf({ ...empty, grantKind: value }) !== undefined)
    expect(needy.map(({ value }) => value)).toEqual(['secret', 'key', 'enterprise'])
    expect(faultOf({ ...empty, grantKind: 'workload', sourceFrom: 'file' })).toContain('path')
    expect(faultOf({ ...empty, redirectPort: '99999' })).toContain('redirect port')
  })
})
