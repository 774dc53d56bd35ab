import { useId, useState } from 'react'
import type { Declaration, ServerState } from '../../server-core/host/contract/servers.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { declared, GROUPS, isDeclared, withdrawn, type Capability } from './capabilities.ts'
import { declare } from './declare.ts'
import styles from './declaration.module.css'
import { declarationText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

interface DeclarationEditorProps {
  server: ServerState
  onDone: () => void
}

const WHO = ['name', 'version', 'title'] as const

/** Everything that is declared: who this client is, a box for each known capability, and all of it as JSON. */
export function DeclarationEditor({ server, onDone }: DeclarationEditorProps) {
  const { isChosen, ...present } = server.declaration
  const [identity, setIdentity] = useState<Declaration['identity']>(present.identity)
  const [capabilities, setCapabilities] = useState<JsonObject>(present.capabilities)
  const [text, setText] = useState(() => JSON.stringify(present.capabilities, null, 2))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const id = useId()

  const take = (next: JsonObject): void => {
    setCapabilities(next)
    setText(JSON.stringify(next, null, 2))
    setProblem(undefined)
  }

  const type = (typed: string): void => {
    setText(typed)
    const read = readObject(typed)
    setProblem(read.ok ? undefined : read.reason)
    if (read.ok) setCapabilities(read.value)
  }

  const tick = (capability: Capability, ticked: boolean): void =>
    take(ticked ? declared(capabilities, capability) : withdrawn(capabilities, capability.path))

  const apply = async (declaration: Declaration | null): Promise<void> => {
    setBusy(true)
    if (await declare(server, declaration)) onDone()
    setBusy(false)
  }

  const isNameless = identity.name.trim() === ''
  const verb = server.status === 'connected' ? declarationText.declarationEditor.saveAndReconnect : 'Declare'

  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === undefined && !isNameless && !busy) void apply({ identity, capabilities })
      }}
    >
      <div className={styles.who}>
        {WHO.map((member) => (
          <Who
            key={member}
            id={`${id}-${member}`}
            member={member}
            value={identity[member]}
            invalid={member === 'name' && isNameless}
            onValueChange={(value) => setIdentity(withMember(identity, member, value))}
          />
        ))}
      </div>
      <fieldset className={styles.groups} aria-label={declarationText.declarationEditor.capabilities}>
        {GROUPS.map((group) => (
          <Group key={group.label} group={group} capabilities={capabilities} onTick={tick} />
        ))}
      </fieldset>
      <div>
        <label className={styles.label} htmlFor={`${id}-json`}>
          {declarationText.declarationEditor.capabilitiesJson}
        </label>
        <TextArea
          id={`${id}-json`}
          mono
          rows={Math.min(12, Math.max(4, text.split('\n').length))}
          value={text}
          invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onValueChange={type}
        />
        <p id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </p>
      </div>
      <div className={styles.acts}>
        <Button tone="quiet" disabled={!isChosen || busy} onClick={() => void apply(null)}>
          {declarationText.declarationEditor.restoreDefault}
        </Button>
        <Button onClick={onDone}>{declarationText.declarationEditor.cancel}</Button>
        <Button tone="primary" type="submit" disabled={busy || isNameless || problem !== undefined}>
          {verb}
        </Button>
      </div>
    </form>
  )
}

interface WhoProps {
  id: string
  member: (typeof WHO)[number]
  value: unknown
  invalid: boolean
  onValueChange: (value: string) => void
}

function Who({ id, member, value, invalid, onValueChange }: WhoProps) {
  return (
    <>
      <label htmlFor={id}>
        {declarationText.declarationEditor.client} {member}
      </label>
      <TextField
        id={id}
        mono
        value={typeof value === 'string' ? value : ''}
        invalid={invalid}
        onValueChange={onValueChange}
      />
    </>
  )
}

interface GroupProps {
  group: (typeof GROUPS)[number]
  capabilities: JsonObject
  onTick: (capability: Capability, ticked: boolean) => void
}

function Group({ group, capabilities, onTick }: GroupProps) {
  return (
    <>
      <Checkbox
        checked={isDeclared(capabilities, group.path)}
        onCheckedChange={(ticked) => onTick(group, ticked)}
      >
        {group.label}
      </Checkbox>
      <div
        className={styles.parts}
        role="group"
        aria-label={declarationText.declarationEditor.inside(group.label)}
      >
        {group.parts.map((part) => (
          <Checkbox
            key={part.label}
            checked={isDeclared(capabilities, part.path)}
            onCheckedChange={(ticked) => onTick(part, ticked)}
          >
            {part.label}
          </Checkbox>
        ))}
      </div>
    </>
  )
}

/** A title that is empty is left out; name and version are always said. */
function withMember(
  identity: Declaration['identity'],
  member: (typeof WHO)[number],
  value: string,
): Declaration['identity'] {
  const { title: _title, ...rest } = identity
  return member === 'title' && value === '' ? rest : { ...identity, [member]: value }
}

/** The object of a text, or the reason why there is none. */
function readObject(text: string): Parsed<JsonObject> {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value)
      ? { ok: true, value }
      : { ok: false, reason: declarationText.declarationEditor.expectedObject }
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}
