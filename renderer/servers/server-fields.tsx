import { counted } from '../text/measures.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { useAppInfo } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './forms.module.css'
import { REVISION_CHOICES, TRANSPORT_CHOICES } from './choices.ts'
import { PairsEditor } from './pairs-editor.tsx'
import { SecretsNote } from './secrets-note.tsx'
import { argumentsOf, isWebSocket, suggestedName, type FormErrors, type ServerForm } from './server-form.ts'
import { serversText } from './text.ts'

interface ServerFieldsProps {
  form: ServerForm
  onChange: (form: ServerForm) => void
  errors: FormErrors
  /** A token is stored; an empty field keeps it. */
  hasBearerToken?: boolean
  /** Parses the command field as a command line. */
  onSplit: (commandLine: string) => void
}

/** The fields of a server, for the chosen kind of target. */
export function ServerFields(props: ServerFieldsProps) {
  const { form, onChange, errors } = props
  const set = (change: Partial<ServerForm>): void => onChange({ ...form, ...change })
  return (
    <div className={styles.form}>
      <FormRow label={serversText.serverFields.name} note={serversText.serverFields.nameNote}>
        {(control) => (
          <TextField
            {...control}
            value={form.name}
            placeholder={suggestedName(form)}
            maxLength={120}
            onValueChange={(name) => set({ name })}
          />
        )}
      </FormRow>
      {form.way === 'command' ? (
        <StdioFields {...props} set={set} />
      ) : (
        <UrlFields {...props} set={set} errors={errors} />
      )}
      <FormRow label={serversText.serverFields.revision} note={serversText.serverFields.revisionNote}>
        {(control) => (
          <Select
            id={control.id}
            label={serversText.serverFields.revisionLabel}
            options={REVISION_CHOICES}
            value={form.protocol}
            onValueChange={(protocol) => set({ protocol })}
          />
        )}
      </FormRow>
    </div>
  )
}

type Setter = { set: (change: Partial<ServerForm>) => void }

function StdioFields({ form, set, errors, onSplit }: ServerFieldsProps & Setter) {
  const count = argumentsOf(form.args).length
  return (
    <>
      <FormRow label={serversText.serverFields.command} required error={errors['command']}>
        {(control) => (
          <TextField
            {...control}
            mono
            invalid={errors['command'] !== undefined}
            value={form.command}
            placeholder={serversText.serverFields.npx}
            onValueChange={(command) => set({ command })}
            trailing={
              /\S\s+\S/.test(form.command) ? (
                <Button tone="quiet" onClick={() => onSplit(form.command)}>
                  {serversText.serverFields.splitCommand}
                </Button>
              ) : undefined
            }
          />
        )}
      </FormRow>
      <FormRow
        label={serversText.serverFields.arguments}
        note={serversText.serverFields.argumentsNote(counted(count, 'argument'))}
      >
        {(control) => (
          <TextArea
            {...control}
            mono
            rows={4}
            value={form.args}
            placeholder={serversText.serverFields.yExampleServer}
            onValueChange={(args) => set({ args })}
          />
        )}
      </FormRow>
      <FormRow label={serversText.serverFields.folder} note={<FolderNote />}>
        {(control) => <TextField {...control} mono value={form.cwd} onValueChange={(cwd) => set({ cwd })} />}
      </FormRow>
      <FormRow
        label={serversText.serverFields.environment}
        note={form.env.length > 0 ? <SecretsNote /> : undefined}
      >
        {() => (
          <PairsEditor
            noun="variable"
            field="env"
            pairs={form.env}
            errors={errors}
            onChange={(env) => set({ env })}
          />
        )}
      </FormRow>
    </>
  )
}

/** The working directory of a command without a chosen folder. */
function FolderNote() {
  const folder = useAppInfo()?.startFolder
  if (folder === undefined) return serversText.serverFields.workingDirectory
  return (
    <>
      {serversText.serverFields.workingDirectoryDefault} <SafeText>{folder}</SafeText>.
    </>
  )
}

function UrlFields({ form, set, errors, hasBearerToken = false }: ServerFieldsProps & Setter) {
  return (
    <>
      <FormRow label={serversText.serverFields.url} required error={errors['url']}>
        {(control) => (
          <TextField
            {...control}
            mono
            invalid={errors['url'] !== undefined}
            value={form.url}
            placeholder={serversText.serverFields.httpsExampleComMcp}
            onValueChange={(url) => set({ url })}
          />
        )}
      </FormRow>
      <FormRow
        label={serversText.serverFields.transport}
        note={
          isWebSocket(form.url)
            ? serversText.serverFields.webSocketNote
            : serversText.serverFields.transportNote
        }
      >
        {(control) =>
          isWebSocket(form.url) ? (
            <TextField {...control} disabled value="WebSocket" onValueChange={() => undefined} />
          ) : (
            <Select
              id={control.id}
              label={serversText.serverFields.transportLabel}
              options={TRANSPORT_CHOICES}
              value={form.transport === 'websocket' ? 'auto' : form.transport}
              onValueChange={(transport) => set({ transport })}
            />
          )
        }
      </FormRow>
      <FormRow
        label={serversText.serverFields.bearerToken}
        note={
          <>
            {hasBearerToken
              ? serversText.serverFields.tokenStored
              : serversText.serverFields.sentAsAuthorizationBearer}
            {(form.bearerToken !== '' || hasBearerToken) && <SecretsNote />}
          </>
        }
      >
        {(control) => (
          <div className={styles.form}>
            <TextField
              {...control}
              mono
              type="password"
              value={form.bearerToken}
              disabled={form.forgetToken}
              placeholder={hasBearerToken ? serversText.serverFields.stored : ''}
              onValueChange={(bearerToken) => set({ bearerToken })}
            />
            {hasBearerToken && (
              <Checkbox checked={form.forgetToken} onCheckedChange={(forgetToken) => set({ forgetToken })}>
                {serversText.serverFields.forgetTheStoredToken}
              </Checkbox>
            )}
          </div>
        )}
      </FormRow>
      <FormRow
        label={serversText.serverFields.headers}
        note={form.headers.length > 0 && form.bearerToken === '' ? <SecretsNote /> : undefined}
      >
        {() => (
          <PairsEditor
            noun="header"
            field="headers"
            pairs={form.headers}
            errors={errors}
            onChange={(headers) => set({ headers })}
          />
        )}
      </FormRow>
    </>
  )
}
