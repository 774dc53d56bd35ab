import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { testFileNameSchema } from '../../server-core/host/contract/recordings.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { copyText } from '../controls/clipboard.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { downloadText } from '../controls/download.ts'
import { FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { openTest, type TestedExchange } from './tested-exchange.ts'
import { testFileText } from './text.ts'

const { dialog: text, actions } = testFileText
const LINES = 16

/** The test of an exchange, to be changed, copied, downloaded or saved. */
export default function TestDialog({ tested }: { tested: TestedExchange }) {
  const { data, error } = useQuery({
    ...query.recordings.testOf.queryOptions({ input: tested.input }),
    gcTime: 0,
    retry: false,
  })
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [name, setName] = useState(tested.fileName)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const source = typed ?? data?.text ?? ''
  const isNamed = testFileNameSchema.safeParse(name).success
  const close = (): void => openTest.set(undefined)
  const save = async (): Promise<void> => {
    if (!isNamed || source === '') return
    try {
      const { file } = await api.recordings.saveTest({ name, text: source })
      close()
      showSaved(file, name)
    } catch (failure) {
      setProblem(visibleText(messageOf(failure)))
    }
  }
  return (
    <FormDialog
      wide
      title={text.title}
      description={text.description}
      submit={text.save}
      disabled={!isNamed || source === ''}
      problem={problem ?? (error === null ? undefined : `${text.couldNotMake}: ${messageOf(error)}`)}
      onClose={close}
      onSubmit={() => void save()}
      more={
        <>
          <CopyButton labelled label={text.copy} text={source} disabled={source === ''} />
          <Button
            disabled={!isNamed || source === ''}
            onClick={() => downloadText(source, { file: name, mediaType: 'text/plain' })}
          >
            {text.download}
          </Button>
        </>
      }
    >
      <FormRow label={text.test} note={tested.hasSecrets ? text.withoutSecrets : undefined}>
        {(control) => (
          <TextArea {...control} mono rows={LINES} wrap="off" value={source} onValueChange={setTyped} />
        )}
      </FormRow>
      <FormRow label={text.file} error={isNamed ? undefined : text.badName}>
        {(control) => <TextField {...control} mono invalid={!isNamed} value={name} onValueChange={setName} />}
      </FormRow>
    </FormDialog>
  )
}

function showSaved(file: string, name: string): void {
  showToast({
    title: actions.saved,
    detail: visibleText(`${file}\n${actions.run(name)}`),
    tone: 'ok',
    timeoutMs: 15_000,
    action: {
      label: actions.copyPath,
      onClick: () => {
        copyText(file).catch((error: unknown) => showFailure(actions.couldNotCopy, error))
      },
    },
  })
}
