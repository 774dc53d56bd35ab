import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuthorizationSettings } from '../../server-core/host/contract/authorization.ts'
import { Checkbox } from '../controls/checkbox.tsx'
import { FirstLoaded, FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { SecretsNote } from '../servers/secrets-note.tsx'
import styles from './authorization.module.css'
import { faultOf, formOf, settingsOf, WAYS, type SettingsForm } from './settings-form.ts'

/** What the user sets about the authorization at a server. Saved, what was got with other settings is forgotten. */
export function SettingsDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const stored = useQuery({
    ...query.authorization.settings.queryOptions({ input: { serverId } }),
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <FirstLoaded asked={stored} failure="The settings cannot be shown" onClose={onClose}>
      {(before) => <Editor serverId={serverId} before={before} onClose={onClose} />}
    </FirstLoaded>
  )
}

interface EditorProps {
  serverId: string
  before: AuthorizationSettings
  onClose: () => void
}

function Editor({ serverId, before, onClose }: EditorProps) {
  const [form, setForm] = useState(() => formOf(before))
  const { problem, setProblem, submit } = useSubmission('The settings were not saved')
  const set = (change: Partial<SettingsForm>): void => setForm({ ...form, ...change })
  const fault = faultOf(form)

  const save = (): void => {
    if (fault !== undefined) setProblem(fault)
    else
      submit(
        () => api.authorization.saveSettings({ serverId, settings: settingsOf(form, before) }),
        () => onClose(),
      )
  }

  return (
    <FormDialog
      onClose={onClose}
      title="Authorization settings"
      description="What is left empty is found out, or done without."
      wide
      onSubmit={save}
      problem={problem}
    >
      <div className={styles.form}>
        <FormRow label="grant">
          {(control) => (
            <Select
              id={control.id}
              label="Grant"
              options={WAYS}
              value={form.way}
              onValueChange={(way) => set({ way })}
            />
          )}
        </FormRow>
        {form.way !== 'workload' && (
          <TextRow
            label="client id"
            value={form.clientId}
            onChange={(clientId) => set({ clientId })}
            note={CLIENT_NOTES[form.way]}
          />
        )}
        {(form.way === 'page' || form.way === 'secret' || form.way === 'enterprise') && (
          <SecretRow
            label="client secret"
            isKept={
              (form.way === 'page' ? before.clientSecret : before.grantSecrets?.client_secret) !== undefined
            }
            value={form.clientSecret}
            onChange={(clientSecret) => set({ clientSecret })}
          />
        )}
        {form.way === 'key' && <KeyRows form={form} before={before} set={set} />}
        {form.way === 'enterprise' && <ProviderRows form={form} before={before} set={set} />}
        {(form.way === 'workload' || form.way === 'enterprise') && (
          <SourceRows form={form} before={before} set={set} />
        )}
        {form.way === 'page' && (
          <>
            <TextRow
              label="metadata URL"
              value={form.clientMetadataUrl}
              onChange={(clientMetadataUrl) => set({ clientMetadataUrl })}
              note="The https address of a client id metadata document."
            />
            <TextRow
              label="redirect port"
              value={form.redirectPort}
              onChange={(redirectPort) => set({ redirectPort })}
              note="Where the registration names one; any free port otherwise."
            />
          </>
        )}
        <TextRow
          label="issuer"
          value={form.issuer}
          onChange={(issuer) => set({ issuer })}
          note="Chooses one of the authorization servers that the server names."
        />
        <TextRow
          label="scopes"
          value={form.scopes}
          onChange={(scopes) => set({ scopes })}
          note="Asked for instead of what the server names; with spaces between them."
        />
        <div className={styles.boxes}>
          {form.way === 'page' && (
            <Checkbox
              checked={form.allowUndeclaredPkce}
              onCheckedChange={(allowUndeclaredPkce) => set({ allowUndeclaredPkce })}
            >
              Go on where PKCE is not declared
            </Checkbox>
          )}
          <Checkbox checked={form.isBound} onCheckedChange={(isBound) => set({ isBound })}>
            Bind tokens to a key (DPoP)
          </Checkbox>
        </div>
        <p className="t3 small">
          <SecretsNote />
        </p>
      </div>
    </FormDialog>
  )
}

const CLIENT_NOTES: Readonly<Record<SettingsForm['way'], string>> = {
  page: 'Of a pre-registered client; otherwise this client registers itself.',
  secret: 'As the authorization server knows this client.',
  key: 'As the authorization server knows this client.',
  workload: '',
  enterprise: 'As the authorization server of the MCP server knows this client.',
}

interface RowsProps {
  form: SettingsForm
  before: AuthorizationSettings
  set: (change: Partial<SettingsForm>) => void
}

function KeyRows({ form, before, set }: RowsProps) {
  const isKept = before.grantSecrets?.private_key !== undefined
  return (
    <>
      <FormRow
        label="private key"
        note={isKept ? 'One is kept; left empty it stays.' : 'As PEM (PKCS #8) or as JWK.'}
      >
        {(control) => (
          <TextArea
            {...control}
            mono
            rows={3}
            value={form.privateKey}
            onValueChange={(privateKey) => set({ privateKey })}
          />
        )}
      </FormRow>
      <TextRow
        label="key id"
        value={form.keyId}
        onChange={(keyId) => set({ keyId })}
        note="The kid of the key, if it has one."
      />
    </>
  )
}

function ProviderRows({ form, before, set }: RowsProps) {
  return (
    <>
      <TextRow
        label="provider"
        value={form.providerIssuer}
        onChange={(providerIssuer) => set({ providerIssuer })}
        note="The issuer of the identity provider."
      />
      <TextRow
        label="client id there"
        value={form.providerClientId}
        onChange={(providerClientId) => set({ providerClientId })}
      />
      <SecretRow
        label="secret there"
        isKept={before.grantSecrets?.idp_client_secret !== undefined}
        value={form.providerSecret}
        onChange={(providerSecret) => set({ providerSecret })}
      />
      <FormRow label="subject">
        {(control) => (
          <Select
            id={control.id}
            label="What the identity provider gave at the sign-in"
            options={SUBJECTS}
            value={form.subjectType}
            onValueChange={(subjectType) => set({ subjectType })}
          />
        )}
      </FormRow>
    </>
  )
}

const SUBJECTS = [
  { value: 'id_token', label: 'ID token' },
  { value: 'saml2', label: 'SAML 2 assertion' },
  { value: 'refresh_token', label: 'Refresh token' },
] as const

const SOURCES = [
  { value: 'secret', label: 'kept in the secret store' },
  { value: 'file', label: 'read from a file' },
  { value: 'environment', label: 'read from a variable of the environment' },
] as const

function SourceRows({ form, before, set }: RowsProps) {
  const name = form.way === 'workload' ? 'assertion' : 'subject_token'
  const isKept = before.grantSecrets?.[name] !== undefined
  return (
    <>
      <FormRow label="token">
        {(control) => (
          <Select
            id={control.id}
            label="Where the token comes from"
            options={SOURCES}
            value={form.sourceFrom}
            onValueChange={(sourceFrom) => set({ sourceFrom, source: '' })}
          />
        )}
      </FormRow>
      {form.sourceFrom === 'secret' ? (
        <SecretRow
          label="its value"
          isKept={isKept}
          value={form.source}
          onChange={(source) => set({ source })}
        />
      ) : (
        <TextRow
          label={form.sourceFrom === 'file' ? 'path' : 'variable'}
          value={form.source}
          onChange={(source) => set({ source })}
        />
      )}
    </>
  )
}

interface TextRowProps {
  label: string
  value: string
  onChange: (value: string) => void
  note?: string
}

function TextRow({ label, value, onChange, note }: TextRowProps) {
  return (
    <FormRow label={label} {...(note !== undefined && note !== '' && { note })}>
      {(control) => <TextField {...control} mono value={value} onValueChange={onChange} />}
    </FormRow>
  )
}

function SecretRow({ label, isKept, value, onChange }: Omit<TextRowProps, 'note'> & { isKept: boolean }) {
  return (
    <FormRow label={label} {...(isKept && { note: 'One is kept; left empty it stays.' })}>
      {(control) => (
        <TextField
          {...control}
          mono
          type="password"
          autoComplete="new-password"
          value={value}
          placeholder={isKept ? '••••••••' : ''}
          onValueChange={onChange}
        />
      )}
    </FormRow>
  )
}
