import { useId, useState } from 'react'
import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { useStillShown } from '../controls/use-still-shown.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './entry-form.module.css'
import { HINTS, hintOf, withHint, type Hint, type HintChoice } from './entry-hints.ts'
import { wordEntry, type Wording } from './registry-actions.ts'
import { registryText } from './text.ts'

interface EntryFormProps {
  entry: RegistryEntry
  onClose: () => void
}

const CHOICES: readonly { value: HintChoice; label: string }[] = [
  { value: 'source', label: registryText.entryForm.fromTheSource },
  { value: 'true', label: registryText.entryForm.true },
  { value: 'false', label: registryText.entryForm.false },
]

/**
 * How clients see an entry, whatever its code says: name, title, description and the hints of a tool. It stands below
 * the table and is in nobody's way. An empty field is as the source has it.
 */
export function EntryForm({ entry, onClose }: EntryFormProps) {
  const id = useId()
  const isNamed = entry.kind === 'tool' || entry.kind === 'prompt'
  const [wording, setWording] = useState<Wording>(() => wordingOf(entry))
  const [isSaving, setSaving] = useState(false)
  const isStillShown = useStillShown()
  const name = wording.name ?? ''
  const isUnnamable = /\s/.test(name)

  const change = (next: Wording): void => setWording({ ...wording, ...next })
  const save = async (next: Wording): Promise<void> => {
    setSaving(true)
    const isDone = await wordEntry(entry, next)
    setSaving(false)
    if (isDone && isStillShown()) onClose()
  }

  return (
    <form
      className={styles.form}
      aria-label={registryText.entryForm.howClientsSee(visibleText(entry.shownName))}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isUnnamable && !isSaving) void save(wording)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h3 className="clip">
          {registryText.entryForm.previewLabel} <SafeText>{entry.shownName}</SafeText>
        </h3>
        <IconButton tight icon="close" label={registryText.entryForm.closeWithoutSaving} onClick={onClose} />
      </div>
      <div className={styles.fields}>
        {isNamed && (
          <>
            <label htmlFor={`${id}-name`}>{registryText.entryForm.name}</label>
            <TextField
              id={`${id}-name`}
              mono
              autoFocus
              value={name}
              placeholder={visibleText(entry.name)}
              invalid={isUnnamable}
              {...(isUnnamable ? { 'aria-describedby': `${id}-why` } : {})}
              onValueChange={(text) => change({ name: given(text) })}
            />
            {isUnnamable && (
              <p id={`${id}-why`} className={styles.why}>
                {registryText.entryForm.nameHasSpaces}
              </p>
            )}
          </>
        )}
        <label htmlFor={`${id}-title`}>{registryText.entryForm.title}</label>
        <TextField
          id={`${id}-title`}
          autoFocus={!isNamed}
          value={wording.title ?? ''}
          placeholder={placeholderOf(entry, 'title')}
          onValueChange={(text) => change({ title: given(text) })}
        />
        <label htmlFor={`${id}-description`}>{registryText.entryForm.description}</label>
        <TextArea
          id={`${id}-description`}
          rows={3}
          value={wording.description ?? ''}
          placeholder={placeholderOf(entry, 'description')}
          onValueChange={(text) => change({ description: given(text) })}
        />
        {entry.kind === 'tool' &&
          HINTS.map((hint) => (
            <HintRow
              key={hint}
              hint={hint}
              value={hintOf(wording.annotations, hint)}
              onChange={(choice) => change({ annotations: withHint(wording.annotations, hint, choice) })}
            />
          ))}
      </div>
      <div className={styles.acts}>
        {entry.amendment !== undefined && (
          <LinkButton onClick={() => void save({})}>{registryText.entryForm.resetToSource}</LinkButton>
        )}
        <Button type="submit" tone="primary" disabled={isUnnamable || isSaving}>
          {registryText.entryForm.save}
        </Button>
      </div>
    </form>
  )
}

interface HintRowProps {
  hint: Hint
  value: HintChoice
  onChange: (choice: HintChoice) => void
}

function HintRow({ hint, value, onChange }: HintRowProps) {
  return (
    <>
      <span className={styles.label}>{hint}</span>
      <Select label={hint} options={CHOICES} value={value} onValueChange={onChange} />
    </>
  )
}

function wordingOf({ amendment = {} }: RegistryEntry): Wording {
  const { name, title, description, annotations } = amendment
  return {
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}

/** The typed text; undefined if empty. */
function given(text: string): string | undefined {
  return text === '' ? undefined : text
}

/** The value of the source for unchanged fields. */
function placeholderOf(entry: RegistryEntry, member: 'title' | 'description'): string {
  const own = entry.amendment?.[member] === undefined ? entry[member] : undefined
  return own === undefined ? 'from the source' : visibleText(own)
}
