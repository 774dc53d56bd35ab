import type { AuthorizationSettings } from '../../server-core/host/contract/authorization.ts'
import { authorizationText } from './text.ts'

type Grant = NonNullable<AuthorizationSettings['grant']>
type Authentication = (Grant & { kind: 'client-credentials' })['authentication']
type Source = (Grant & { kind: 'workload-identity' })['source']
type SecretName = keyof NonNullable<AuthorizationSettings['grantSecrets']>

/** Ways to a token. */
export type GrantKind = 'page' | 'secret' | 'key' | 'workload' | 'enterprise'

export const GRANT_KINDS: readonly { readonly value: GrantKind; readonly label: string }[] = [
  { value: 'page', label: authorizationText.settingsForm.authorizationCodeGrant },
  { value: 'secret', label: authorizationText.settingsForm.clientSecretGrant },
  { value: 'key', label: authorizationText.settingsForm.signedJwtGrant },
  { value: 'workload', label: authorizationText.settingsForm.workloadIdentity },
  { value: 'enterprise', label: authorizationText.settingsForm.enterpriseGrant },
]

/** The settings while they are typed; every field is text. */
export type SettingsForm = {
  readonly grantKind: GrantKind
  readonly clientId: string
  /** Empty keeps the stored one. */
  readonly clientSecret: string
  readonly clientMetadataUrl: string
  readonly issuer: string
  readonly scopes: string
  readonly redirectPort: string
  readonly allowUndeclaredPkce: boolean
  readonly isBound: boolean
  readonly privateKey: string
  readonly keyId: string
  readonly sourceFrom: Source['from']
  readonly source: string
  readonly providerIssuer: string
  readonly providerClientId: string
  readonly providerSecret: string
  readonly subjectType: 'id_token' | 'saml2' | 'refresh_token'
}

export function formOf(settings: AuthorizationSettings): SettingsForm {
  const { grant } = settings
  return {
    grantKind: grantKindOf(grant),
    clientId: (grant !== undefined && 'clientId' in grant ? grant.clientId : settings.clientId) ?? '',
    clientSecret: '',
    clientMetadataUrl: settings.clientMetadataUrl ?? '',
    issuer: settings.issuer ?? '',
    scopes: settings.scopes?.join(' ') ?? '',
    redirectPort: settings.redirectPort === undefined ? '' : String(settings.redirectPort),
    allowUndeclaredPkce: settings.allowUndeclaredPkce === true,
    isBound: settings.dpop !== undefined,
    privateKey: '',
    keyId: keyIdOf(grant),
    ...sourceOf(grant),
    providerIssuer: grant?.kind === 'enterprise-managed' ? grant.identityProvider.issuer : '',
    providerClientId: grant?.kind === 'enterprise-managed' ? grant.identityProvider.clientId : '',
    providerSecret: '',
    subjectType: grant?.kind === 'enterprise-managed' ? grant.subject.type : 'id_token',
  }
}

/** The settings of the form. Others stay as they were, secrets that were not typed again among them. */
export function settingsOf(form: SettingsForm, before: AuthorizationSettings): AuthorizationSettings {
  const scopes = form.scopes.split(/[\s,]+/).filter((scope) => scope !== '')
  const port = Number(form.redirectPort)
  const grant = grantOf(form)
  const secrets = secretsOf(form, before)
  const isPage = form.grantKind === 'page'
  return {
    ...text('issuer', form.issuer),
    ...(isPage && text('clientId', form.clientId)),
    ...(isPage && secret('clientSecret', form.clientSecret, before.clientSecret)),
    ...(isPage && text('clientMetadataUrl', form.clientMetadataUrl)),
    ...(scopes.length > 0 && { scopes }),
    ...(form.redirectPort.trim() !== '' && Number.isInteger(port) && { redirectPort: port }),
    ...(form.allowUndeclaredPkce && { allowUndeclaredPkce: true }),
    ...(grant !== undefined && { grant }),
    ...(Object.keys(secrets).length > 0 && { grantSecrets: secrets }),
    ...(form.isBound && { dpop: before.dpop ?? {} }),
  }
}

/** Why the form cannot be saved; undefined if it can. */
export function faultOf(form: SettingsForm): string | undefined {
  const isMissing = (value: string): boolean => value.trim() === ''
  if (
    (form.grantKind === 'secret' || form.grantKind === 'key' || form.grantKind === 'enterprise') &&
    isMissing(form.clientId)
  )
    return authorizationText.settingsForm.enterTheClientId
  if (form.grantKind === 'enterprise' && (isMissing(form.providerIssuer) || isMissing(form.providerClientId)))
    return authorizationText.settingsForm.providerMissing
  if (
    (form.grantKind === 'workload' || form.grantKind === 'enterprise') &&
    form.sourceFrom !== 'secret' &&
    isMissing(form.source)
  )
    return form.sourceFrom === 'file'
      ? authorizationText.settingsForm.pathMissing
      : authorizationText.settingsForm.variableMissing
  const port = form.redirectPort.trim()
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return authorizationText.settingsForm.invalidRedirectPort
  return undefined
}

function grantKindOf(grant: Grant | undefined): GrantKind {
  switch (grant?.kind) {
    case undefined:
      return 'page'
    case 'client-credentials':
      return grant.authentication.method === 'private_key_jwt' ? 'key' : 'secret'
    case 'workload-identity':
      return 'workload'
    case 'enterprise-managed':
      return 'enterprise'
  }
}

function keyIdOf(grant: Grant | undefined): string {
  if (grant?.kind !== 'client-credentials' || grant.authentication.method !== 'private_key_jwt') return ''
  return grant.authentication.keyId ?? ''
}

function sourceOf(grant: Grant | undefined): Pick<SettingsForm, 'sourceFrom' | 'source'> {
  const source =
    grant?.kind === 'workload-identity'
      ? grant.source
      : grant?.kind === 'enterprise-managed'
        ? grant.subject.source
        : undefined
  if (source === undefined || source.from === 'secret') return { sourceFrom: 'secret', source: '' }
  return { sourceFrom: source.from, source: source.from === 'file' ? source.path : source.name }
}

function grantOf(form: SettingsForm): Grant | undefined {
  const clientId = form.clientId.trim()
  const keyId = form.keyId.trim()
  const bySecret: Authentication = { method: 'secret' }
  switch (form.grantKind) {
    case 'page':
      return undefined
    case 'secret':
      return { kind: 'client-credentials', clientId, authentication: bySecret }
    case 'key':
      return {
        kind: 'client-credentials',
        clientId,
        authentication: { method: 'private_key_jwt', ...(keyId !== '' && { keyId }) },
      }
    case 'workload':
      return { kind: 'workload-identity', source: typedSource(form) }
    case 'enterprise':
      return {
        kind: 'enterprise-managed',
        clientId,
        authentication: bySecret,
        identityProvider: {
          issuer: form.providerIssuer.trim(),
          clientId: form.providerClientId.trim(),
          authentication: bySecret,
        },
        subject: { source: typedSource(form), type: form.subjectType },
      }
  }
}

function typedSource({ sourceFrom, source }: SettingsForm): Source {
  switch (sourceFrom) {
    case 'secret':
      return { from: 'secret' }
    case 'file':
      return { from: 'file', path: source.trim() }
    case 'environment':
      return { from: 'environment', name: source.trim() }
  }
}

/** The secrets that the chosen way needs, by the names that the settings give them. */
function secretsOf(
  form: SettingsForm,
  before: AuthorizationSettings,
): NonNullable<AuthorizationSettings['grantSecrets']> {
  const kept = before.grantSecrets ?? {}
  const of = (name: SecretName, value: string) => secret(name, value, kept[name])
  const isGiven = form.sourceFrom === 'secret'
  switch (form.grantKind) {
    case 'page':
      return {}
    case 'secret':
      return of('client_secret', form.clientSecret)
    case 'key':
      return of('private_key', form.privateKey)
    case 'workload':
      return isGiven ? of('assertion', form.source) : {}
    case 'enterprise':
      return {
        ...of('client_secret', form.clientSecret),
        ...of('idp_client_secret', form.providerSecret),
        ...(isGiven && of('subject_token', form.source)),
      }
  }
}

type SecretField = NonNullable<AuthorizationSettings['clientSecret']>

function secret<Name extends string>(
  name: Name,
  typed: string,
  before: SecretField | undefined,
): Partial<Record<Name, SecretField>> {
  const value: SecretField | undefined = typed === '' ? before : { state: 'new', value: typed }
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, SecretField>>)
}

function text<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  return value.trim() === '' ? {} : ({ [name]: value.trim() } as Partial<Record<Name, string>>)
}
