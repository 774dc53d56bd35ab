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
      <FormRow label="name" note="If empty, a name is derived from the command or URL.">
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
      <FormRow label="revision" note="Automatic negotiates; a fixed revision is required.">
        {(control) => (
          <Select
            id={control.id}
            label="Revision"
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
      <FormRow label="command" required error={errors['command']}>
        {(control) => (
          <TextField
            {...control}
            mono
            invalid={errors['command'] !== undefined}
            value={form.command}
            placeholder="npx"
            onValueChange={(command) => set({ command })}
            trailing={
              /\S\s+\S/.test(form.command) ? (
                <Button tone="quiet" onClick={() => onSplit(form.command)}>
                  Split into command and arguments
                </Button>
              ) : undefined
            }
          />
        )}
      </FormRow>
      <FormRow label="arguments" note={`One per line, or a JSON array. Now ${counted(count, 'argument')}.`}>
        {(control) => (
          <TextArea
            {...control}
            mono
            rows={4}
            value={form.args}
            placeholder={'-y\n@example/server'}
            onValueChange={(args) => set({ args })}
          />
        )}
      </FormRow>
      <FormRow label="folder" note={<FolderNote />}>
        {(control) => <TextField {...control} mono value={form.cwd} onValueChange={(cwd) => set({ cwd })} />}
      </FormRow>
      <FormRow label="environment" note={form.env.length > 0 ? <SecretsNote /> : undefined}>
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
  if (folder === undefined) return 'Where it is started.'
  return (
    <>
      Working directory. Default: <SafeText>{folder}</SafeText>.
    </>
  )
}

function UrlFields({ form, set, errors, hasBearerToken = false }: ServerFieldsProps & Setter) {
  return (
    <>
      <FormRow label="URL" required error={errors['url']}>
        {(control) => (
          <TextField
            {...control}
            mono
            invalid={errors['url'] !== undefined}
            value={form.url}
            placeholder="https://example.com/mcp"
            onValueChange={(url) => set({ url })}
          />
        )}
      </FormRow>
      <FormRow
        label="transport"
        note={
          isWebSocket(form.url)
            ? 'The address is a WebSocket’s.'
            : 'Automatic tries Streamable HTTP first, then HTTP+SSE.'
        }
      >
        {(control) =>
          isWebSocket(form.url) ? (
            <TextField {...control} disabled value="WebSocket" onValueChange={() => undefined} />
          ) : (
            <Select
              id={control.id}
              label="Transport"
              options={TRANSPORT_CHOICES}
              value={form.transport === 'websocket' ? 'auto' : form.transport}
              onValueChange={(transport) => set({ transport })}
            />
          )
        }
      </FormRow>
      <FormRow
        label="bearer token"
        note={
          <>
            {hasBearerToken
              ? 'A token is stored; leave empty to keep it. '
              : 'Sent as “Authorization: Bearer …”. '}
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
              placeholder={hasBearerToken ? 'stored' : ''}
              onValueChange={(bearerToken) => set({ bearerToken })}
            />
            {hasBearerToken && (
              <Checkbox checked={form.forgetToken} onCheckedChange={(forgetToken) => set({ forgetToken })}>
                Forget the stored token
              </Checkbox>
            )}
          </div>
        )}
      </FormRow>
      <FormRow
        label="headers"
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
