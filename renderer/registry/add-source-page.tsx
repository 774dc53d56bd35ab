import { useState, type ReactNode } from 'react'
import type { AddedSource, RegistryState } from '../../server-core/host/contract/registry.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Select } from '../controls/select.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { useStillShown } from '../controls/use-still-shown.ts'
import { api } from '../host/api.ts'
import { live, useServers } from '../host/live.ts'
import { openAddServer } from '../servers/dialogs.ts'
import { useSelected } from '../state/observable.ts'
import { showPage } from '../state/page.ts'
import { SafeText } from '../text/safe-text.tsx'
import { closeDone, openPageLike } from './close-done.ts'
import { placeOf, removeSource } from './registry-actions.ts'
import { closePage, openPage, selectedKey, type SourceKind } from './registry-view.ts'
import styles from './registry.module.css'
import { registryText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

/** The titles of the tabs. */
export const sourceTitles: Readonly<Record<SourceKind, string>> = {
  openapi: registryText.addSourcePage.importOpenapiDocument,
  mount: registryText.addSourcePage.mountAWorkspaceFolder,
  proxy: registryText.addSourcePage.proxyAServer,
}

const WHAT: Readonly<Record<SourceKind, string>> = {
  openapi: registryText.addSourcePage.documentSourceNote,
  mount: registryText.addSourcePage.workspaceSourceNote,
  proxy: registryText.addSourcePage.serverSourceNote,
}

/** A form that adds a source to the server. */
export function AddSourcePage({ source }: { source: SourceKind }) {
  const [place, setPlace] = useState('')
  const [prefix, setPrefix] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const [isAdding, setAdding] = useState(false)
  const isStillShown = useStillShown()

  const change = (set: (text: string) => void) => (text: string) => {
    set(text)
    setRefusal(undefined)
  }

  const add = async (): Promise<void> => {
    setAdding(true)
    const page = openPageLike({ kind: 'add-source', source })
    const placed = prefix.trim() === '' ? {} : { prefix: prefix.trim() }
    try {
      const before = keysOf(live.parts.registry.get())
      const state = await api.registry.addSource({
        source: sourceOf(source, place.trim(), baseUrl.trim(), placed),
      })
      live.applyRegistry(state)
      const wasLeft = !isStillShown()
      closeDone(page, wasLeft)
      const added = state.entries.find(({ key }) => !before.has(key))
      if (added === undefined) return
      const show = (): void => {
        showPage('registry')
        selectedKey.set(added.key)
        openPage({ kind: 'entry', key: added.key })
      }
      if (wasLeft)
        showToast({
          title: registryText.addSourcePage.added(place),
          action: { label: registryText.addSourcePage.open, onClick: show },
        })
      else show()
    } catch (error) {
      if (!isStillShown()) showFailure(registryText.addSourcePage.couldNotAdd(place), error)
      setRefusal(messageOf(error))
      setAdding(false)
    }
  }

  const isReady = place.trim() !== '' && !isAdding
  return (
    <form
      className={styles.document}
      aria-label={sourceTitles[source]}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void add()
      }}
    >
      <h2>{sourceTitles[source]}</h2>
      <p>{WHAT[source]}</p>
      {source === 'proxy' ? (
        <ServerRow value={place} onChange={change(setPlace)} />
      ) : (
        <PlaceRow source={source} value={place} onChange={change(setPlace)} />
      )}
      <Row
        label={registryText.addSourcePage.prefix}
        note={registryText.addSourcePage.prefixNote}
        value={prefix}
        onChange={change(setPrefix)}
      />
      {source === 'openapi' && (
        <Row
          label={registryText.addSourcePage.baseUrl}
          note={registryText.addSourcePage.baseUrlNote}
          value={baseUrl}
          onChange={change(setBaseUrl)}
        />
      )}
      {refusal !== undefined && (
        <p className="is-error" role="alert">
          {refusal}
        </p>
      )}
      <div className={styles.acts}>
        <Button type="submit" tone="primary" disabled={!isReady}>
          {isAdding ? registryText.addSourcePage.adding : registryText.addSourcePage.addSource}
        </Button>
        <Button onClick={() => closePage({ kind: 'add-source', source })}>
          {registryText.addSourcePage.cancel}
        </Button>
      </div>
      <AddedSources source={source} />
    </form>
  )
}

function keysOf(state: RegistryState | undefined): ReadonlySet<string> {
  return new Set(state?.entries.map(({ key }) => key))
}

function sourceOf(
  source: SourceKind,
  place: string,
  baseUrl: string,
  placed: { readonly prefix?: string },
): AddedSource {
  switch (source) {
    case 'openapi':
      return {
        kind: source,
        data: { document: place, ...placed, ...(baseUrl === '' ? {} : { baseUrl }) },
      }
    case 'mount':
      return { kind: source, data: { folder: place, ...placed } }
    case 'proxy':
      return { kind: source, data: { server: place, ...placed } }
  }
}

interface RowProps {
  label: string
  note: ReactNode
  value: string
  onChange: (text: string) => void
}

function Row({ label, note, value, onChange }: RowProps) {
  return (
    <FormRow label={label} note={note}>
      {(control) => <TextField {...control} mono value={value} onValueChange={onChange} />}
    </FormRow>
  )
}

function PlaceRow({
  source,
  value,
  onChange,
}: {
  source: 'openapi' | 'mount'
  value: string
  onChange: (text: string) => void
}) {
  const [label, note] =
    source === 'openapi'
      ? ['document', registryText.addSourcePage.documentPathNote]
      : ['folder', registryText.addSourcePage.folderNote]
  return (
    <FormRow label={label} required note={note}>
      {(control) => <TextField {...control} mono autoFocus value={value} onValueChange={onChange} />}
    </FormRow>
  )
}

function ServerRow({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const servers = useServers().filter(
    ({ origin, approval }) => origin !== 'embedded' && approval === 'approved',
  )
  if (servers.length === 0) {
    return (
      <EmptyState
        title={registryText.addSourcePage.noApprovedServer}
        actions={
          <Button
            icon="plus"
            onClick={() => {
              showPage('inspector')
              openAddServer()
            }}
          >
            {registryText.addSourcePage.addServer}
          </Button>
        }
      >
        {registryText.addSourcePage.noServersNote}
      </EmptyState>
    )
  }
  return (
    <FormRow label={registryText.addSourcePage.server} required>
      {({ id }) => (
        <Select
          id={id}
          label={registryText.addSourcePage.server}
          options={servers.map(({ name }) => ({ value: name, label: name }))}
          value={value === '' ? null : value}
          onValueChange={onChange}
        />
      )}
    </FormRow>
  )
}

const NONE: readonly AddedSource[] = []

/** The added sources of this kind, each with a button that removes it. */
function AddedSources({ source }: { source: SourceKind }) {
  const all = useSelected(live.parts.registry, (state) => state?.added ?? NONE)
  const own = all.filter(({ kind }) => kind === source)
  if (own.length === 0) return null
  return (
    <section aria-label={registryText.addSourcePage.existingSources}>
      <h3 className={styles.subtitle}>{registryText.addSourcePage.existingSources}</h3>
      <ul className={styles.files}>
        {own.map((each) => (
          <li key={JSON.stringify(each)}>
            <SafeText>{placeOf(each)}</SafeText>
            <LinkButton
              aria-label={registryText.addSourcePage.remove(placeOf(each))}
              onClick={() => void removeSource(each)}
            >
              {registryText.addSourcePage.removeWord}
            </LinkButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
