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
import { faultOf, formOf, settingsOf, GRANT_KINDS, type SettingsForm } from './settings-form.ts'
import { authorizationText } from './text.ts'

/** What the user sets about the authorization at a server. Saved, what was got with other settings is forgotten. */
export function SettingsDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const stored = useQuery({
    ...query.authorization.settings.queryOptions({ input: { serverId } }),
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <FirstLoaded
      asked={stored}
      failure={authorizationText.settingsDialog.couldNotLoadSettings}
      onClose={onClose}
    >
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
  const { problem, setProblem, submit } = useSubmission(authorizationText.settingsDialog.couldNotSaveSettings)
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
      title={authorizationText.settingsDialog.authorizationSettings}
      description={authorizationText.settingsDialog.emptyFieldsNote}
      wide
      onSubmit={save}
      problem={problem}
    >
      <div className={styles.form}>
        <FormRow label={authorizationText.settingsDialog.grant}>
          {(control) => (
            <Select
              id={control.id}
              label={authorizationText.settingsDialog.grantLabel}
              options={GRANT_KINDS}
              value={form.grantKind}
              onValueChange={(grantKind) => set({ grantKind })}
            />
          )}
        </FormRow>
        {form.grantKind !== 'workload' && (
          <TextRow
            label={authorizationText.settingsDialog.clientId}
            value={form.clientId}
            onChange={(clientId) => set({ clientId })}
            note={CLIENT_NOTES[form.grantKind]}
          />
        )}
        {(form.grantKind === 'page' || form.grantKind === 'secret' || form.grantKind === 'enterprise') && (
          <SecretRow
            label={authorizationText.settingsDialog.clientSecret}
            isKept={
              (form.grantKind === 'page' ? before.clientSecret : before.grantSecrets?.client_secret) !==
              undefined
            }
            value={form.clientSecret}
            onChange={(clientSecret) => set({ clientSecret })}
          />
        )}
        {form.grantKind === 'key' && <KeyRows form={form} before={before} set={set} />}
        {form.grantKind === 'enterprise' && <ProviderRows form={form} before={before} set={set} />}
        {(form.grantKind === 'workload' || form.grantKind === 'enterprise') && (
          <SourceRows form={form} before={before} set={set} />
        )}
        {form.grantKind === 'page' && (
          <>
            <TextRow
              label={authorizationText.settingsDialog.metadataUrl}
              value={form.clientMetadataUrl}
              onChange={(clientMetadataUrl) => set({ clientMetadataUrl })}
              note={authorizationText.settingsDialog.clientMetadataNote}
            />
            <TextRow
              label={authorizationText.settingsDialog.redirectPort}
              value={form.redirectPort}
              onChange={(redirectPort) => set({ redirectPort })}
              note={authorizationText.settingsDialog.redirectPortNote}
            />
          </>
        )}
        <TextRow
          label={authorizationText.settingsDialog.issuer}
          value={form.issuer}
          onChange={(issuer) => set({ issuer })}
          note={authorizationText.settingsDialog.issuerNote}
        />
        <TextRow
          label={authorizationText.settingsDialog.scopes}
          value={form.scopes}
          onChange={(scopes) => set({ scopes })}
          note={authorizationText.settingsDialog.scopesNote}
        />
        <div className={styles.boxes}>
          {form.grantKind === 'page' && (
            <Checkbox
              checked={form.allowUndeclaredPkce}
              onCheckedChange={(allowUndeclaredPkce) => set({ allowUndeclaredPkce })}
            >
              {authorizationText.settingsDialog.continueWithoutDeclaredPKCE}
            </Checkbox>
          )}
          <Checkbox checked={form.isBound} onCheckedChange={(isBound) => set({ isBound })}>
            {authorizationText.settingsDialog.bindTokens}
          </Checkbox>
        </div>
        <p className="t3 small">
          <SecretsNote />
        </p>
      </div>
    </FormDialog>
  )
}

const CLIENT_NOTES: Readonly<Record<SettingsForm['grantKind'], string>> = {
  page: authorizationText.settingsDialog.clientIdNote,
  secret: authorizationText.settingsDialog.providerClientIdNote,
  key: authorizationText.settingsDialog.providerClientIdNote,
  workload: '',
  enterprise: authorizationText.settingsDialog.serverClientIdNote,
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
        label={authorizationText.settingsDialog.privateKey}
        note={
          isKept
            ? authorizationText.settingsDialog.storedSecretNote
            : authorizationText.settingsDialog.pemPKCS8JWK
        }
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
        label={authorizationText.settingsDialog.keyId}
        value={form.keyId}
        onChange={(keyId) => set({ keyId })}
        note={authorizationText.settingsDialog.keyIdNote}
      />
    </>
  )
}

function ProviderRows({ form, before, set }: RowsProps) {
  return (
    <>
      <TextRow
        label={authorizationText.settingsDialog.provider}
        value={form.providerIssuer}
        onChange={(providerIssuer) => set({ providerIssuer })}
        note={authorizationText.settingsDialog.theIdentityProvidersIssuer}
      />
      <TextRow
        label={authorizationText.settingsDialog.providerClientId}
        value={form.providerClientId}
        onChange={(providerClientId) => set({ providerClientId })}
      />
      <SecretRow
        label={authorizationText.settingsDialog.providerSecret}
        isKept={before.grantSecrets?.idp_client_secret !== undefined}
        value={form.providerSecret}
        onChange={(providerSecret) => set({ providerSecret })}
      />
      <FormRow label={authorizationText.settingsDialog.subject}>
        {(control) => (
          <Select
            id={control.id}
            label={authorizationText.settingsDialog.identityTokenLabel}
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
  { value: 'id_token', label: authorizationText.settingsDialog.idToken },
  { value: 'saml2', label: authorizationText.settingsDialog.saml2Assertion },
  { value: 'refresh_token', label: authorizationText.settingsDialog.refreshToken },
] as const

const SOURCES = [
  { value: 'secret', label: authorizationText.settingsDialog.storedSecret },
  { value: 'file', label: authorizationText.settingsDialog.file },
  { value: 'environment', label: authorizationText.settingsDialog.environmentVariable },
] as const

function SourceRows({ form, before, set }: RowsProps) {
  const name = form.grantKind === 'workload' ? 'assertion' : 'subject_token'
  const isKept = before.grantSecrets?.[name] !== undefined
  return (
    <>
      <FormRow label={authorizationText.settingsDialog.token}>
        {(control) => (
          <Select
            id={control.id}
            label={authorizationText.settingsDialog.tokenSource}
            options={SOURCES}
            value={form.sourceFrom}
            onValueChange={(sourceFrom) => set({ sourceFrom, source: '' })}
          />
        )}
      </FormRow>
      {form.sourceFrom === 'secret' ? (
        <SecretRow
          label={authorizationText.settingsDialog.value}
          isKept={isKept}
          value={form.source}
          onChange={(source) => set({ source })}
        />
      ) : (
        <TextRow
          label={
            form.sourceFrom === 'file'
              ? authorizationText.settingsDialog.path
              : authorizationText.settingsDialog.variable
          }
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
    <FormRow label={label} {...(isKept && { note: authorizationText.settingsDialog.storedSecretNote })}>
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
