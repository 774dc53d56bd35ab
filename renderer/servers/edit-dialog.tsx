import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ServerDraft } from '../../server-core/host/contract/servers.ts'
import { FirstLoaded, FormDialog } from '../controls/form-dialog.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { serverDialog } from './dialogs.ts'
import styles from './forms.module.css'
import { showServer } from './server-actions.ts'
import { ServerFields } from './server-fields.tsx'
import { draftOf, errorsOf, formOf, NO_COMMAND_LINE, withCommandLine } from './server-form.ts'
import { serversText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

const close = (): void => serverDialog.set(undefined)

/** Edits a stored server. A changed target requires a new approval. */
export function EditDialog({ serverId }: { serverId: string }) {
  const draft = useQuery({
    ...query.servers.draft.queryOptions({ input: { id: serverId }, gcTime: 0 }),
    staleTime: 0,
  })
  return (
    <FirstLoaded asked={draft} failure={serversText.editDialog.couldNotLoadServer} onClose={close}>
      {(data) => <EditForm serverId={serverId} draft={data} hasBearerToken={data.hasBearerToken} />}
    </FirstLoaded>
  )
}

interface EditFormProps {
  serverId: string
  draft: ServerDraft
  hasBearerToken: boolean
}

function EditForm({ serverId, draft, hasBearerToken }: EditFormProps) {
  const [form, setForm] = useState(() => formOf(draft))
  const [tried, setTried] = useState(false)
  const { problem, setProblem, submit } = useSubmission(serversText.editDialog.couldNotSave(draft.name))
  const errors = errorsOf(form)

  const save = (): void => {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    submit(
      () => api.servers.update({ id: serverId, draft: draftOf(form) }),
      () => {
        showServer(serverId)
        close()
      },
    )
  }

  const split = async (commandLine: string): Promise<void> => {
    try {
      const { drafts, problems } = await api.servers.readPaste({ text: commandLine })
      const [read] = drafts
      if (read === undefined) setProblem(problems[0]?.reason ?? NO_COMMAND_LINE)
      else if (read.target.transport !== 'stdio') setProblem(NO_COMMAND_LINE)
      else setForm((now) => withCommandLine(now, commandLine, formOf(read)))
    } catch (error) {
      setProblem(messageOf(error))
    }
  }

  return (
    <FormDialog
      onClose={close}
      wide
      onSubmit={save}
      title={serversText.editDialog.edit(draft.name)}
      description={serversText.editDialog.approvalNote}
      problem={problem}
    >
      <div className={styles.form}>
        <div>
          <Segmented
            label={serversText.editDialog.connection}
            options={[
              { value: 'command', label: serversText.editDialog.command },
              { value: 'url', label: serversText.editDialog.url },
            ]}
            value={form.way}
            onValueChange={(way) => setForm({ ...form, way })}
          />
        </div>
        <ServerFields
          form={form}
          onChange={setForm}
          errors={tried ? errors : {}}
          hasBearerToken={hasBearerToken}
          onSplit={(line) => void split(line)}
        />
      </div>
    </FormDialog>
  )
}
