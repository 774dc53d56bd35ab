import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { ServerDraft } from '../../server-core/host/contract/servers.ts'
import { FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { matchesKeys } from '../controls/keys.ts'
import { TabList, TabPanel, TabsRoot } from '../controls/tabs.tsx'
import { TextArea } from '../controls/text-field.tsx'
import { useStillShown } from '../controls/use-still-shown.ts'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { selectedServer } from '../state/selection.ts'
import { ImportList, importKey } from '../install/import-list.tsx'
import { counted } from '../text/measures.ts'
import { serverDialog } from './dialogs.ts'
import styles from './forms.module.css'
import { PastePreview } from './paste-preview.tsx'
import { showServer } from './server-actions.ts'
import { ServerFields } from './server-fields.tsx'
import {
  draftOf,
  emptyForm,
  errorsOf,
  formOf,
  NO_COMMAND_LINE,
  withCommandLine,
  type ServerForm,
} from './server-form.ts'
import { serversText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

type Page = 'paste' | 'command' | 'url' | 'clients'

const pages = [
  { value: 'paste', label: serversText.addDialog.paste },
  { value: 'command', label: serversText.addDialog.command },
  { value: 'url', label: serversText.addDialog.url },
  { value: 'clients', label: serversText.addDialog.otherClients },
] as const

const close = (): void => serverDialog.set(undefined)

/** Adds servers from pasted text, a command, a URL or other clients. Nothing starts before its approval. */
export function AddDialog({ paste: firstPaste }: { paste: string }) {
  const [page, setPage] = useState<Page>('paste')
  const [text, setText] = useState(firstPaste)
  const [unwanted, setUnwanted] = useState<ReadonlySet<number>>(new Set())
  const [form, setForm] = useState<ServerForm>(emptyForm)
  const [tried, setTried] = useState(false)
  const isStillShown = useStillShown()
  const { problem, setProblem, isBusy, submit } = useSubmission(serversText.addDialog.couldNotAddEvery)

  const asked = useDeferredValue(text)
  const paste = useQuery({
    ...query.servers.readPaste.queryOptions({ input: { text: asked }, gcTime: 0 }),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const importable = useQuery({
    ...query.install.importable.queryOptions({ gcTime: 0, staleTime: 0 }),
    enabled: page === 'clients',
  })
  const [imports, setImports] = useState<ReadonlySet<string>>(new Set())
  const read = asked.trim() === '' ? undefined : paste.data
  const wanted = (read?.drafts ?? []).filter((_draft, place) => !unwanted.has(place))
  const chosen = page === 'paste' ? wanted.length : page === 'clients' ? imports.size : 1
  const typed: ServerForm = { ...form, way: page === 'url' ? 'url' : 'command' }
  const errors = errorsOf(typed)

  /** Whether the preview belongs to the current text. A previous preview stays visible until the next one arrives. */
  const isRead = asked === text && !paste.isPlaceholderData && paste.data !== undefined

  const add = (read: () => Promise<readonly ServerDraft[]>, origin: 'user' | 'imported'): void =>
    submit(
      async () => addAll(await read(), origin, isStillShown),
      (added) => {
        close()
        if (added !== undefined) select(added)
      },
    )

  const takeOver = async (): Promise<void> => {
    for (const { id, servers } of importable.data ?? []) {
      const names = servers.map(({ name }) => name).filter((name) => imports.has(importKey(id, name)))
      if (names.length > 0) await api.install.import({ client: id, names })
    }
  }

  const addChosen = (): void => {
    if (page === 'clients') {
      if (imports.size > 0) submit(takeOver, close)
      return
    }
    if (page === 'paste') {
      const origin = /^[{["]/.test(text.trim()) ? 'imported' : 'user'
      if (!isRead) add(() => draftsOf(text), origin)
      else if (wanted.length > 0) add(() => Promise.resolve(wanted), origin)
      return
    }
    setTried(true)
    if (Object.keys(errors).length === 0) add(() => Promise.resolve([draftOf(typed)]), 'user')
  }

  const split = async (commandLine: string): Promise<void> => {
    try {
      const [draft] = await draftsOf(commandLine)
      if (draft?.target.transport !== 'stdio') setProblem(NO_COMMAND_LINE)
      else setForm((now) => withCommandLine(now, commandLine, formOf(draft)))
    } catch (error) {
      setProblem(messageOf(error))
    }
  }

  return (
    <FormDialog
      onClose={close}
      wide
      onSubmit={addChosen}
      title={serversText.addDialog.addServer}
      description={serversText.addDialog.approvalNote}
      submit={
        chosen > 1 ? serversText.addDialog.add(counted(chosen, 'server')) : serversText.addDialog.addServer
      }
      disabled={isBusy || chosen === 0}
      problem={problem}
    >
      <TabsRoot value={page} onValueChange={setPage}>
        <div className={styles.tabs}>
          <TabList label={serversText.addDialog.sourceOfTheServer} tabs={pages} />
        </div>
        <TabPanel value="paste">
          <FormRow label={serversText.addDialog.configuration} note={serversText.addDialog.pasteNote}>
            {(control) => (
              <TextArea
                {...control}
                mono
                rows={5}
                autoFocus
                value={text}
                placeholder={serversText.addDialog.npxYExampleServer}
                onValueChange={(value) => {
                  setText(value)
                  setUnwanted(new Set())
                }}
                onKeyDown={(event) => {
                  if (!matchesKeys(event, 'mod+enter')) return
                  event.preventDefault()
                  addChosen()
                }}
              />
            )}
          </FormRow>
          {read !== undefined && (
            <PastePreview
              paste={read}
              unwanted={unwanted}
              onWantedChange={(place, want) => {
                const next = new Set(unwanted)
                if (want) next.delete(place)
                else next.add(place)
                setUnwanted(next)
              }}
            />
          )}
          {paste.error !== null && <p className="field-error">{paste.error.message}</p>}
        </TabPanel>
        {(['command', 'url'] as const).map((value) => (
          <TabPanel key={value} value={value}>
            <ServerFields
              form={typed}
              onChange={setForm}
              errors={tried ? errors : {}}
              onSplit={(line) => void split(line)}
            />
          </TabPanel>
        ))}
        <TabPanel value="clients">
          {importable.error !== null && <p className="field-error">{importable.error.message}</p>}
          {importable.data?.length === 0 && <p>{serversText.addDialog.noServersFound}</p>}
          <ImportList
            clients={importable.data ?? []}
            wanted={imports}
            onWantedChange={(key, want) => {
              const next = new Set(imports)
              if (want) next.add(key)
              else next.delete(key)
              setImports(next)
            }}
          />
        </TabPanel>
      </TabsRoot>
    </FormDialog>
  )
}

/** Adds the servers in order. Returns the id of the first. */
async function addAll(
  drafts: readonly ServerDraft[],
  origin: 'user' | 'imported',
  isStillShown: () => boolean,
): Promise<string | undefined> {
  let added: string | undefined
  try {
    for (const draft of drafts) {
      const server = await api.servers.add({ draft, origin })
      added ??= server.id
    }
  } catch (error) {
    // The servers before the failed one were added.
    if (added !== undefined && isStillShown()) select(added)
    throw error
  }
  return added
}

function select(serverId: string): void {
  selectedServer.set(serverId)
  showServer(serverId)
}

/** Parses pasted text. @throws An `Error` with the reason if it contains no server. */
async function draftsOf(text: string): Promise<readonly ServerDraft[]> {
  const { drafts, problems } = await api.servers.readPaste({ text })
  if (drafts.length === 0) throw new Error(problems[0]?.reason ?? 'The text contains no server.')
  return drafts
}
