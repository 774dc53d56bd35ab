import { useState } from 'react'
import type { TemplateName } from '../../server-core/host/contract/editor.ts'
import { Button } from '../controls/button.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { useStillShown } from '../controls/use-still-shown.ts'
import { api } from '../host/api.ts'
import { showPage } from '../state/page.ts'
import { closeDone, openPageLike } from './close-done.ts'
import { openScript, whenListed } from './open-line.ts'
import { closePage, selectedKey } from './registry-view.ts'
import styles from './registry.module.css'
import { registryText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

const WORDS: Readonly<Record<TemplateName, { title: string; folder: string; what: string }>> = {
  tool: {
    title: registryText.newScriptPage.newTool,
    folder: 'tools',
    what: registryText.newScriptPage.toolNote,
  },
  resource: {
    title: registryText.newScriptPage.newResource,
    folder: 'resources',
    what: registryText.newScriptPage.resourceNote,
  },
  template: {
    title: registryText.newScriptPage.newResourceTemplate,
    folder: 'resources',
    what: registryText.newScriptPage.templateNote,
  },
  prompt: {
    title: registryText.newScriptPage.newPrompt,
    folder: 'prompts',
    what: registryText.newScriptPage.promptNote,
  },
  config: {
    title: registryText.newScriptPage.newConfiguration,
    folder: '.',
    what: registryText.newScriptPage.configNote,
  },
}

/** The title of the tab. */
export function newScriptTitle(template: TemplateName): string {
  return WORDS[template].title
}

/** A form that creates a script from a template and opens it. */
export function NewScriptPage({ template }: { template: TemplateName }) {
  const { title, folder, what } = WORDS[template]
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const [isMaking, setMaking] = useState(false)
  const isStillShown = useStillShown()

  const make = async (): Promise<void> => {
    setMaking(true)
    const page = openPageLike({ kind: 'new-script', template })
    try {
      const { file } = await api.editor.create({ template, name: name.trim() })
      const wasLeft = !isStillShown()
      closeDone(page, wasLeft)
      if (wasLeft) {
        const open = (): void => {
          showPage('registry')
          openScript(file)
        }
        showToast({
          title: registryText.newScriptPage.created(file),
          action: { label: registryText.newScriptPage.open, onClick: open },
        })
        return
      }
      openScript(file)
      whenListed(
        ({ script }) => script?.file === file,
        ({ key }) => selectedKey.set(key),
      )
    } catch (error) {
      if (!isStillShown()) showFailure(registryText.newScriptPage.couldNotCreate(name), error)
      setRefusal(messageOf(error))
      setMaking(false)
    }
  }

  return (
    <form
      className={styles.document}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !isMaking) void make()
      }}
    >
      <h2>{title}</h2>
      <p>{what}</p>
      <FormRow
        label={registryText.newScriptPage.name}
        required
        note={registryText.newScriptPage.createsAFileIn(folder)}
        error={refusal}
      >
        {(control) => (
          <TextField
            {...control}
            mono
            autoFocus
            value={name}
            invalid={refusal !== undefined}
            onValueChange={(text) => {
              setName(text)
              setRefusal(undefined)
            }}
          />
        )}
      </FormRow>
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={isMaking || name.trim() === ''}>
          {registryText.newScriptPage.create}
        </Button>
        <Button onClick={() => closePage({ kind: 'new-script', template })}>
          {registryText.newScriptPage.cancel}
        </Button>
      </div>
    </form>
  )
}
