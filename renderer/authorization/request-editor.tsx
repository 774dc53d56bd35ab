import { useState } from 'react'
import type { StepRequest } from '../../server-core/host/contract/authorization.ts'
import { Button } from '../controls/button.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { continueStep } from './authorization-actions.ts'
import styles from './authorization.module.css'
import { headersText, readHeaderLines } from './header-lines.ts'
import { authorizationText } from './text.ts'

interface RequestEditorProps {
  serverId: string
  stepId: string
  request: StepRequest
}

/** The request that is held: it goes out as it is, or as it was changed. */
export function RequestEditor({ serverId, stepId, request }: RequestEditorProps) {
  const [url, setUrl] = useState(request.url)
  const [headers, setHeaders] = useState(headersText(request.headers))
  const [body, setBody] = useState(request.body ?? '')
  const read = readHeaderLines(headers)
  const isChanged =
    url !== request.url || headers !== headersText(request.headers) || body !== (request.body ?? '')
  const send = (): void => {
    if (!read.ok) return
    if (!isChanged) void continueStep(serverId, stepId)
    else {
      const { method } = request
      void continueStep(serverId, stepId, {
        method,
        url,
        headers: read.value,
        ...(body !== '' && { body }),
      })
    }
  }
  return (
    <form
      className={styles.editor}
      aria-label={authorizationText.requestEditor.pausedRequest}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <FormRow label={request.method}>
        {(control) => <TextField {...control} mono value={url} onValueChange={setUrl} />}
      </FormRow>
      <FormRow label={authorizationText.requestEditor.headers} error={read.ok ? undefined : read.reason}>
        {(control) => (
          <TextArea
            {...control}
            mono
            rows={Math.min(6, headers.split('\n').length + 1)}
            value={headers}
            invalid={!read.ok}
            onValueChange={setHeaders}
          />
        )}
      </FormRow>
      <FormRow
        label={authorizationText.requestEditor.body}
        note={authorizationText.requestEditor.secretMarkNote}
      >
        {(control) => <TextArea {...control} mono rows={3} value={body} onValueChange={setBody} />}
      </FormRow>
      <div className={styles.acts}>
        <Button type="submit" tone="primary" icon="run" disabled={!read.ok}>
          {isChanged ? authorizationText.requestEditor.sendChanged : authorizationText.requestEditor.continue}
        </Button>
      </div>
    </form>
  )
}
