import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { EndpointView, ModelEndpoint } from '../../server-core/host/contract/responders.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Select } from '../controls/select.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { SecretsNote } from '../servers/secrets-note.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './rules.module.css'
import { inboxText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

const APIS = [
  { value: 'openai', label: inboxText.endpointsEditor.openaiCompatible },
  { value: 'anthropic', label: inboxText.endpointsEditor.anthropicCompatible },
] as const

const refresh = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: query.responders.endpoints.key() })

/** The form that is open, by the endpoint that it is to save. */
type Editing = { readonly id: string; readonly isNew: boolean }

/** The HTTP APIs that may answer for a model: where they are, which models they have, whether a key is kept. */
export function EndpointsEditor() {
  const endpoints = useQuery({ ...query.responders.endpoints.queryOptions(), staleTime: 0 }).data ?? []
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  // What was saved may come when another form is open already.
  const done = (form: Editing) => () => setEditing((now) => (now === form ? undefined : now))
  return (
    <section className={styles.section} aria-label={inboxText.endpointsEditor.modelEndpoints}>
      <h3>{inboxText.endpointsEditor.modelEndpoints}</h3>
      {endpoints.map((view) =>
        editing?.isNew === false && editing.id === view.endpoint.id ? (
          <EndpointForm key={view.endpoint.id} id={editing.id} view={view} onDone={done(editing)} />
        ) : (
          <EndpointLine
            key={view.endpoint.id}
            view={view}
            onEdit={() => setEditing({ id: view.endpoint.id, isNew: false })}
          />
        ),
      )}
      {editing?.isNew === true ? (
        <EndpointForm key={editing.id} id={editing.id} view={undefined} onDone={done(editing)} />
      ) : (
        <div>
          <Button
            tone="quiet"
            icon="plus"
            onClick={() => setEditing({ id: crypto.randomUUID(), isNew: true })}
          >
            {inboxText.endpointsEditor.addEndpoint}
          </Button>
        </div>
      )}
    </section>
  )
}

function EndpointLine({ view, onEdit }: { view: EndpointView; onEdit: () => void }) {
  const { endpoint, hasKey } = view
  const [outcome, setOutcome] = useState<string | undefined>(undefined)

  const test = async (): Promise<void> => {
    setOutcome(inboxText.endpointsEditor.testing)
    try {
      const tested = await api.responders.testEndpoint({ id: endpoint.id })
      setOutcome(
        tested.state === 'answered'
          ? inboxText.endpointsEditor.answeredInMs(tested.model, Math.round(tested.durationMs), tested.text)
          : tested.reason,
      )
    } catch (error) {
      setOutcome(messageOf(error))
    }
  }

  const remove = async (): Promise<void> => {
    try {
      await api.responders.removeEndpoint({ id: endpoint.id })
    } catch (error) {
      showFailure(inboxText.endpointsEditor.couldNotRemove(endpoint.name), error)
    }
    await refresh()
  }

  return (
    <div className={styles.endpoint}>
      <b className="clip">{endpoint.name}</b>
      <span className="clip mono t3">
        <SafeText>{endpoint.url}</SafeText>
      </span>
      <span className="t3 small">
        {hasKey ? inboxText.endpointsEditor.keyStored : inboxText.endpointsEditor.noKey}
      </span>
      <Button tone="quiet" onClick={() => void test()}>
        {inboxText.endpointsEditor.test}
      </Button>
      <IconButton
        tight
        icon="settings"
        label={inboxText.endpointsEditor.edit(endpoint.name)}
        onClick={onEdit}
      />
      <IconButton
        tight
        icon="trash"
        label={inboxText.endpointsEditor.remove(endpoint.name)}
        onClick={() => void remove()}
      />
      {outcome !== undefined && (
        <p className={styles.outcome} role="status">
          <SafeText>{outcome}</SafeText>
        </p>
      )}
    </div>
  )
}

interface EndpointFormProps {
  /** Of the endpoint: however often it is saved, it is one. */
  id: string
  /** Undefined: a new one. */
  view: EndpointView | undefined
  onDone: () => void
}

function EndpointForm({ id: endpointId, view, onDone }: EndpointFormProps) {
  const id = useId()
  const before = view?.endpoint
  const [name, setName] = useState(before?.name ?? '')
  const [apiKind, setApiKind] = useState<ModelEndpoint['api']>(before?.api ?? 'openai')
  const [url, setUrl] = useState(before?.url ?? '')
  const [models, setModels] = useState(before?.models.map((model) => model.name).join(', ') ?? '')
  const [key, setKey] = useState('')
  const { problem, setProblem, submit } = useSubmission(inboxText.endpointsEditor.saveFailed)

  const save = (): void => {
    const names = models.split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))
    if (!/^https?:\/\//.test(url) || names.length === 0) {
      setProblem(inboxText.endpointsEditor.invalidAddress)
      return
    }
    const endpoint: ModelEndpoint = {
      ...before,
      id: endpointId,
      name: name.trim() === '' ? new URL(url).host : name.trim(),
      api: apiKind,
      url: url.trim(),
      models: names.map((each) => before?.models.find((model) => model.name === each) ?? { name: each }),
    }
    submit(async () => {
      await api.responders.saveEndpoint({ endpoint, ...(key !== '' && { key }) })
      await refresh()
    }, onDone)
  }

  return (
    <div
      className={styles.endpointForm}
      role="group"
      aria-label={before?.name ?? inboxText.endpointsEditor.newEndpoint}
    >
      <div className={styles.pair}>
        <label htmlFor={`${id}-name`}>{inboxText.endpointsEditor.name}</label>
        <TextField
          id={`${id}-name`}
          value={name}
          placeholder={inboxText.endpointsEditor.derivedFromTheAddress}
          onValueChange={setName}
        />
        <label htmlFor={`${id}-api`}>{inboxText.endpointsEditor.api}</label>
        <Select
          id={`${id}-api`}
          label={inboxText.endpointsEditor.api}
          options={APIS}
          value={apiKind}
          onValueChange={setApiKind}
        />
        <label htmlFor={`${id}-url`}>{inboxText.endpointsEditor.address}</label>
        <TextField
          id={`${id}-url`}
          mono
          value={url}
          placeholder={
            apiKind === 'openai'
              ? inboxText.endpointsEditor.addressPlaceholder
              : inboxText.endpointsEditor.httpsApiAnthropicCom
          }
          onValueChange={setUrl}
        />
        <label htmlFor={`${id}-models`}>{inboxText.endpointsEditor.models}</label>
        <TextField
          id={`${id}-models`}
          mono
          value={models}
          placeholder={inboxText.endpointsEditor.namesSeparatedByCommas}
          onValueChange={setModels}
        />
        <label htmlFor={`${id}-key`}>{inboxText.endpointsEditor.key}</label>
        <TextField
          id={`${id}-key`}
          mono
          type="password"
          value={key}
          placeholder={view?.hasKey === true ? inboxText.endpointsEditor.storedKeyPlaceholder : ''}
          onValueChange={setKey}
        />
      </div>
      <p className="field-note">
        <SecretsNote />
      </p>
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className={styles.acts}>
        <Button onClick={() => save()}>{inboxText.endpointsEditor.saveEndpoint}</Button>
        <Button tone="quiet" onClick={onDone}>
          {inboxText.endpointsEditor.cancel}
        </Button>
      </div>
    </div>
  )
}
