import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallPermissionChoice, StartInput } from '../../server-core/host/contract/conformance.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { LinkButton } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Select } from '../controls/select.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { TextField } from '../controls/text-field.tsx'
import { listsOptions } from '../host/lists.ts'
import { connectServer } from '../servers/server-actions.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './conformance.module.css'
import { startRun } from './conformance-actions.ts'
import { conformanceText } from './text.ts'
import { showRun } from './view-state.ts'

const { options: text, matrix } = conformanceText

type Calls = CallPermissionChoice['type']
const CALLS: readonly { value: Calls; label: string }[] = [
  { value: 'none', label: text.none },
  { value: 'readOnly', label: text.readOnly },
  { value: 'tools', label: text.chosen },
]
const NOTES: Readonly<Record<Calls, string>> = {
  none: text.noneNote,
  readOnly: text.readOnlyNote,
  tools: text.chosenNote,
}
const SUITES = (['ci', 'must', 'all', '2026.11'] as const).map((value) => ({
  value,
  label: text.suites[value],
}))
const REVISIONS = ['all', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
const TRANSPORTS = ['all', 'http', 'sse'] as const
const LARGEST_SEED = 2_147_483_647

interface OptionsDialogProps {
  server: ServerState
  permission: CallPermissionChoice | undefined
  onClose: () => void
}

/** Asks which tools may be called, and which checks are run. No run begins before this was answered once. */
export function OptionsDialog({ server, permission, onClose }: OptionsDialogProps) {
  const [calls, setCalls] = useState<Calls>(permission?.type ?? 'none')
  const [names, setNames] = useState<readonly string[]>(permission?.type === 'tools' ? permission.names : [])
  const [suite, setSuite] = useState<StartInput['suite']>('ci')
  const [revision, setRevision] = useState<(typeof REVISIONS)[number]>('all')
  const [transport, setTransport] = useState<(typeof TRANSPORTS)[number]>('all')
  const [grep, setGrep] = useState('')
  const [seed, setSeed] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)

  const submit = (): void => {
    if (seed !== '' && !isSeed(seed)) return
    if (calls === 'tools' && names.length === 0) {
      setProblem(text.chooseTool)
      return
    }
    const chosen: CallPermissionChoice =
      calls === 'tools' ? { type: calls, names: [...names] } : { type: calls }
    showRun(undefined)
    void startRun({
      serverId: server.id,
      suite,
      permission: chosen,
      ...(revision !== 'all' && { revisions: [revision] }),
      ...(transport !== 'all' && { transports: [transport] }),
      ...(grep.trim() !== '' && { grep: grep.trim() }),
      ...(seed !== '' && { seed: Number(seed) }),
    })
    onClose()
  }

  return (
    <FormDialog
      wide
      title={text.title(server.name)}
      description={text.description}
      submit={text.run}
      problem={problem}
      onClose={onClose}
      onSubmit={submit}
    >
      <FormRow label={text.tools} note={NOTES[calls]}>
        {() => (
          <Segmented<Calls>
            label={text.tools}
            options={CALLS}
            value={calls}
            onValueChange={(next) => {
              setCalls(next)
              setProblem(undefined)
            }}
          />
        )}
      </FormRow>
      {calls === 'tools' && (
        <FormRow label={text.toolsOf}>
          {() => (
            <ToolChoice
              server={server}
              names={names}
              onChange={(next) => {
                setNames(next)
                setProblem(undefined)
              }}
            />
          )}
        </FormRow>
      )}
      <FormRow label={text.suite}>
        {({ id }) => (
          <Select id={id} label={text.suite} options={SUITES} value={suite} onValueChange={setSuite} />
        )}
      </FormRow>
      <FormRow label={text.revision}>
        {({ id }) => (
          <Select
            id={id}
            label={text.revision}
            options={REVISIONS.map((value) => ({
              value,
              label: value === 'all' ? text.allRevisions : value,
            }))}
            value={revision}
            onValueChange={setRevision}
          />
        )}
      </FormRow>
      {server.transport !== 'stdio' && (
        <FormRow label={text.transport}>
          {({ id }) => (
            <Select
              id={id}
              label={text.transport}
              options={TRANSPORTS.map((value) => ({
                value,
                label: value === 'all' ? text.allTransports : matrix.transports[value],
              }))}
              value={transport}
              onValueChange={setTransport}
            />
          )}
        </FormRow>
      )}
      <FormRow label={text.filter}>
        {(control) => (
          <TextField {...control} placeholder={text.filterPlaceholder} value={grep} onValueChange={setGrep} />
        )}
      </FormRow>
      <FormRow label={text.seed} error={seed !== '' && !isSeed(seed) ? text.seedInvalid : undefined}>
        {(control) => (
          <TextField
            {...control}
            mono
            placeholder={text.seedPlaceholder}
            value={seed}
            onValueChange={setSeed}
            invalid={seed !== '' && !isSeed(seed)}
          />
        )}
      </FormRow>
    </FormDialog>
  )
}

function isSeed(typed: string): boolean {
  return /^\d+$/.test(typed) && Number(typed) <= LARGEST_SEED
}

interface ToolChoiceProps {
  server: ServerState
  names: readonly string[]
  onChange: (names: readonly string[]) => void
}

/** The tools of a connected server, each to be permitted or not. */
function ToolChoice({ server, names, onChange }: ToolChoiceProps) {
  const isConnected = server.status === 'connected'
  const lists = useQuery({ ...listsOptions(server.id), enabled: isConnected })
  if (!isConnected) {
    return (
      <p className="field-note">
        {text.notConnected} <LinkButton onClick={() => void connectServer(server)}>{text.connect}</LinkButton>
      </p>
    )
  }
  if (lists.error !== null) return <p className="field-error">{text.toolsNotRead(lists.error.message)}</p>
  if (lists.data === undefined) return <p className="field-note">{text.readingTools}</p>
  const tools = lists.data.tools.map(({ value }) => value)
  const named = tools.flatMap((tool) => {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return []
    const { annotations } = tool
    return [
      {
        name: tool['name'],
        isReadOnly: isJsonObject(annotations) && annotations['readOnlyHint'] === true,
      },
    ]
  })
  if (named.length === 0) return <p className="field-note">{text.noTools}</p>
  return (
    <div role="group" aria-label={text.toolsOf} className={styles.tools}>
      {named.map(({ name, isReadOnly }) => (
        <Checkbox
          key={name}
          checked={names.includes(name)}
          onCheckedChange={(isOn) =>
            onChange(isOn ? [...names, name] : names.filter((each) => each !== name))
          }
        >
          <SafeText>{name}</SafeText>
          {isReadOnly && <span className="mark"> {text.readOnlyHint}</span>}
        </Checkbox>
      ))}
    </div>
  )
}
