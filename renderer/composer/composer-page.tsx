import { useEffect, useEffectEvent, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import type { Composed, Sending } from '../../server-core/host/contract/composer.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { LATEST, revisionRow, type RevisionRow } from '../../server-core/protocol/revisions.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { matchesKeys } from '../controls/keys.ts'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { useServer, useServers } from '../host/live.ts'
import { JsonEditor } from '../json/json-editor.tsx'
import { useObservable, type Observable } from '../state/observable.ts'
import { counted } from '../text/measures.ts'
import { obstacleOf } from '../workbench/obstacle.ts'
import { ServerPage } from '../workbench/server-page.tsx'
import { lastEntry } from '../workbench/tabs-store.ts'
import workbenchStyles from '../workbench/workbench.module.css'
import { BREAKAGES, broken } from './breakages.ts'
import { CameBack } from './came-back.tsx'
import styles from './composer.module.css'
import { compose, composingOf, type Composing } from './composer-store.ts'
import { messageHeaders } from './message-headers.ts'
import { openComposer } from './open-composer.ts'
import { methodsOf, templateOf, type Subject } from './templates.ts'
import { hexOf, onOneLine, readHeaders, readHex } from './typed-bytes.ts'
import { composerText } from './text.ts'

/** Anything to be sent on an open connection, as it is, and everything that comes back. */
export default function ComposerPage({ serverId }: { serverId: string }) {
  const server = useServer(serverId)
  const composing = composingOf(serverId)
  const now = useObservable(composing)
  const [isSending, setSending] = useState(false)
  const composed = composedOf(now, server?.transport, server?.revision ?? LATEST)
  const problem = typeof composed === 'string' ? composed : obstacleOf(server)
  const row = revisionRow(server?.revision ?? LATEST) ?? revisionRow(LATEST)

  const send = async (): Promise<void> => {
    if (typeof composed === 'string' || isSending || problem !== undefined) return
    setSending(true)
    try {
      const sent = await api.composer.send({ serverId, body: composed.body, how: composed.how })
      compose(composing, { sent })
      if (sent.problem !== undefined)
        showToast({
          title: composerText.composerPage.sendFailed,
          detail: sent.problem,
          tone: 'error',
        })
    } catch (error) {
      showFailure(composerText.composerPage.nothingWasSent, error)
    } finally {
      setSending(false)
    }
  }

  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !matchesKeys(event, 'mod+enter')) return
    event.preventDefault()
    void send()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onPress(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  return (
    <ServerPage
      serverId={serverId}
      title={composerText.composerPage.composer}
      facts={
        now.mode === 'hex' && typeof composed !== 'string' ? counted(readLength(now.hex), 'byte') : undefined
      }
      actions={
        <>
          <Target serverId={serverId} text={now.text} />
          <Menu
            trigger={<Button icon="plus">{composerText.composerPage.template}</Button>}
            entries={row === undefined || server === undefined ? [] : templateEntries(row, server, composing)}
          />
          <Menu
            trigger={
              <Button icon="fault" disabled={now.mode === 'hex'}>
                {composerText.composerPage.breakIt}
              </Button>
            }
            entries={breakEntries(composing)}
          />
          <Button
            tone="primary"
            icon="run"
            keys="mod+enter"
            data-runs
            disabled={problem !== undefined || isSending}
            title={problem}
            onClick={() => void send()}
          >
            {composerText.composerPage.send}
          </Button>
        </>
      }
    >
      <Group orientation="vertical" className={workbenchStyles.split}>
        <Panel defaultSize="46%" minSize="110px" className={workbenchStyles.half}>
          <Options
            now={now}
            transport={server?.transport}
            isStateless={row?.http === 'stateless'}
            onChange={(change) => compose(composing, change)}
            problem={typeof composed === 'string' ? composed : undefined}
          />
          {now.mode === 'text' ? (
            <div className={styles.text}>
              <JsonEditor
                label={composerText.composerPage.message}
                text={now.text}
                onTextChange={(text) => compose(composing, { text })}
                onRun={() => void send()}
              />
            </div>
          ) : (
            <TextArea
              className={styles.hex}
              aria-label={composerText.composerPage.bytes}
              mono
              placeholder="7b 22 6a 73 6f 6e …"
              value={now.hex}
              onValueChange={(hex) => compose(composing, { hex })}
            />
          )}
        </Panel>
        <Separator
          className={workbenchStyles.line}
          aria-label={composerText.composerPage.heightOfTheMessage}
        />
        <Panel minSize="100px" className={workbenchStyles.half}>
          <CameBack
            key={now.sent?.fromSeq ?? 0}
            serverId={serverId}
            sent={now.sent}
            revision={row?.revision ?? LATEST}
          />
        </Panel>
      </Group>
    </ServerPage>
  )
}

function readLength(hex: string): number {
  const read = readHex(hex)
  return read.ok ? read.bytes : 0
}

/** What would be sent, and how; a text says why nothing can be. */
function composedOf(
  now: Composing,
  transport: ServerState['transport'] | undefined,
  revision: string,
): { body: Composed; how: Sending } | string {
  const headers = readHeaders(now.headers)
  if (transport === 'http' && !headers.ok) return headers.problem
  const how: Sending = {
    ...(transport === 'stdio' && { lineFeed: now.lineFeed }),
    ...(transport === 'websocket' && { frame: now.frame }),
    ...((transport === 'http' || transport === 'sse') && {
      method: now.method.trim() === '' ? 'POST' : now.method.trim(),
      ...(headers.ok && {
        headers: {
          ...(now.repeats && messageHeaders(now.mode === 'text' ? now.text : '', revision)),
          ...headers.headers,
        },
      }),
    }),
  }
  if (now.mode === 'text')
    return { body: { type: 'text', text: now.isOneLine ? onOneLine(now.text) : now.text }, how }
  const read = readHex(now.hex)
  return read.ok ? { body: { type: 'bytes', base64: read.base64 }, how } : read.problem
}

/** The connection it goes out on: any that is open. */
function Target({ serverId, text }: { serverId: string; text: string }) {
  const servers = useServers().filter(({ id, status }) => status === 'connected' || id === serverId)
  return (
    <span className={styles.target}>
      <Select
        label={composerText.composerPage.connection}
        options={servers.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        value={serverId}
        onValueChange={(id) => {
          if (id !== serverId) openComposer(id, text)
        }}
      />
    </span>
  )
}

function templateEntries(
  row: RevisionRow,
  server: ServerState,
  composing: Observable<Composing>,
): readonly MenuEntry[] {
  const { requests, notifications } = methodsOf(row)
  const entry = (method: string): MenuEntry => ({
    type: 'item',
    label: method,
    icon: method.startsWith('notifications/') ? 'out-notification' : 'out-request',
    onSelect: () => {
      const id = `composer-${crypto.randomUUID().slice(0, 8)}`
      const subject = lastEntryOf(server.id)
      compose(composing, { mode: 'text', text: templateOf(row, method, server.declaration, id, subject) })
    },
  })
  return [...requests.map(entry), { type: 'separator', key: 'notifications' }, ...notifications.map(entry)]
}

/** The entry of the server whose tab was in front last, for the composer itself is in front now. */
function lastEntryOf(serverId: string): Subject | undefined {
  const target = lastEntry.get()
  return target?.serverId === serverId ? target : undefined
}

function breakEntries(composing: Observable<Composing>): readonly MenuEntry[] {
  return BREAKAGES.map((breakage): MenuEntry => ({
    type: 'item',
    label: breakage.name,
    onSelect: () => {
      const text = broken(composing.get().text, breakage)
      if (text !== undefined) compose(composing, { text })
      else
        showToast({
          title: composerText.composerPage.notAnObject,
          detail: composerText.composerPage.chooseTemplate,
          tone: 'warn',
        })
    },
  }))
}

interface OptionsProps {
  now: Composing
  transport: ServerState['transport'] | undefined
  /** The revision has headers that repeat members of a message. */
  isStateless: boolean
  onChange: (change: Partial<Composing>) => void
  problem: string | undefined
}

const MODES = [
  { value: 'text', label: composerText.composerPage.text },
  { value: 'hex', label: composerText.composerPage.hex },
] as const

const FRAMES = [
  { value: 'text', label: composerText.composerPage.textFrame },
  { value: 'binary', label: composerText.composerPage.binaryFrame },
] as const

/** How it is written, and how the transport sends it. */
function Options({ now, transport, isStateless, onChange, problem }: OptionsProps) {
  const isHttp = transport === 'http' || transport === 'sse'
  return (
    <div className={styles.options} role="group" aria-label={composerText.composerPage.encoding}>
      <Segmented
        label={composerText.composerPage.format}
        options={MODES}
        value={now.mode}
        onValueChange={(mode) =>
          onChange(mode === 'hex' && now.hex === '' ? { mode, hex: hexOf(now.text) } : { mode })
        }
      />
      {now.mode === 'text' && (
        <Checkbox checked={now.isOneLine} onCheckedChange={(isOneLine) => onChange({ isOneLine })}>
          {composerText.composerPage.onOneLine}
        </Checkbox>
      )}
      {transport === 'stdio' && (
        <Checkbox checked={now.lineFeed} onCheckedChange={(lineFeed) => onChange({ lineFeed })}>
          {composerText.composerPage.lineFeed}
        </Checkbox>
      )}
      {transport === 'websocket' && (
        <Segmented
          label={composerText.composerPage.frame}
          options={FRAMES}
          value={now.frame}
          onValueChange={(frame) => onChange({ frame })}
        />
      )}
      {isHttp && (
        <>
          {isStateless && (
            <Checkbox checked={now.repeats} onCheckedChange={(repeats) => onChange({ repeats })}>
              {composerText.composerPage.derivedHeaders}
            </Checkbox>
          )}
          <TextField
            className={styles.method}
            mono
            aria-label={composerText.composerPage.httpMethod}
            value={now.method}
            onValueChange={(method) => onChange({ method })}
          />
          <TextArea
            className={styles.headers}
            mono
            rows={1}
            aria-label={composerText.composerPage.httpHeaders}
            placeholder={composerText.composerPage.headersPlaceholder}
            value={now.headers}
            invalid={problem !== undefined && now.mode === 'text'}
            onValueChange={(headers) => onChange({ headers })}
          />
        </>
      )}
      {problem !== undefined && (
        <span className="small is-error" role="alert">
          {visibleText(problem)}
        </span>
      )}
    </div>
  )
}
