import { useCallback, useEffect, useEffectEvent } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Chip, LinkButton } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { TabList, TabPanel, TabsRoot } from '../controls/tabs.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { useInspection } from '../host/live.ts'
import { useObservable, type Observable } from '../state/observable.ts'
import { SubscriptionChip } from '../subscriptions/subscription-chip.tsx'
import { bytesText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { DefinitionPage } from './call-tab.tsx'
import { NO_ARGUMENTS } from './resource-updates.ts'
import { obstacleOf } from './obstacle.ts'
import { ResultPanel } from './results/result-panel.tsx'
import { SendButton } from './send-button.tsx'
import { takeUnread } from './tabs-store.ts'
import { TabNotice } from './tab-notice.tsx'
import { useCall } from './use-call.ts'
import { useListed, type Definition } from './use-listed.ts'
import { changeWork, workOf, type Work } from './work-store.ts'
import styles from './workbench.module.css'
import { workbenchText } from './text.ts'

interface ResourceTabProps {
  id: string
  serverId: string
  uri: string
}

const PAGES = [
  { value: 'call', label: workbenchText.resourceTab.contents },
  { value: 'definition', label: workbenchText.resourceTab.definition },
]

/** Milliseconds between two automatic reads. */
const REFRESH_MS = 1_000

/**
 * A resource: its contents by type (MCP, resources: resources/read). They are read when the user opens the tab, when
 * the user presses Read, and at updates if the user asked for that.
 */
export function ResourceTab({ id, serverId, uri }: ResourceTabProps) {
  const work = workOf(id, NO_ARGUMENTS, 'call')
  const find = useCallback(
    (lists: Lists) => lists.resources.find(({ value }) => isJsonObject(value) && value['uri'] === uri),
    [uri],
  )
  // A resource need not be listed: a link or a template may name it too.
  const definition = { ...useListed(work, serverId, find), isMissing: false }
  const now = useObservable(work)
  const { page, running, shown, readsUpdates = false } = now
  const { send, cancel } = useCall(id, work, serverId)
  const obstacle = obstacleOf(definition.server)
  const canRead = running === undefined && obstacle === undefined
  const read = (): void => {
    if (canRead)
      send({ method: 'resources/read', paramsText: JSON.stringify({ uri }) }, JSON.stringify({ uri }))
  }

  useShortcut('mod+enter', read)
  const readNow = useEffectEvent(read)

  useEffect(() => {
    if (takeUnread(id)) readNow()
  }, [id])

  // At most one automatic read a second: there are servers that send an update at each read.
  const dueAt = readsUpdates && isOutdated(now) ? (shown?.at ?? 0) + REFRESH_MS : undefined
  useEffect(() => {
    if (dueAt === undefined || !canRead) return undefined
    const timer = setTimeout(() => readNow(), Math.max(0, dueAt - Date.now()))
    return () => clearTimeout(timer)
  }, [dueAt, canRead])

  return (
    <TabsRoot value={page} onValueChange={(next) => changeWork(work, { page: next })} className={styles.root}>
      <div className={styles.head}>
        <h2 className={`${styles.title ?? ''} clip`} title={visibleText(uri)}>
          <SafeText>{uri}</SafeText>
        </h2>
        <CopyButton tight label={workbenchText.resourceTab.copyUri} text={uri} />
        <Facts definition={definition} />
        <SubscriptionChip serverId={serverId} uri={uri} />
        <RefreshChip serverId={serverId} uri={uri} work={work} />
        <div className={styles.tabs}>
          <TabList label={workbenchText.resourceTab.viewsOf(visibleText(uri))} tabs={PAGES} />
        </div>
        <div className={styles.end}>
          <SendButton
            verb="Read"
            isRunning={running !== undefined}
            isCancelling={running?.isCancelling === true}
            obstacle={obstacle}
            onSend={read}
            onCancel={cancel}
          />
        </div>
      </div>
      <TabNotice definition={definition} noun="resource" />
      <Changed work={work} onRead={read} />
      <TabPanel value="call" className={styles.page}>
        <Description definition={definition} />
        <ResultPanel
          work={work}
          serverId={serverId}
          subject={uri}
          kind="resource"
          verb="Read"
          onRun={canRead ? read : undefined}
        />
      </TabPanel>
      <TabPanel value="definition" className={styles.page}>
        <DefinitionPage definition={definition} noun="resource" />
      </TabPanel>
    </TabsRoot>
  )
}

function Facts({ definition }: { definition: Definition }) {
  const value = definition.listed?.value
  if (!isJsonObject(value)) return null
  const { mimeType, size } = value
  return (
    <>
      {typeof mimeType === 'string' && (
        <span className="mark">
          <SafeText>{mimeType}</SafeText>
        </span>
      )}
      {typeof size === 'number' && <span className="mark">{bytesText(size)}</span>}
    </>
  )
}

function Description({ definition }: { definition: Definition }) {
  const value = definition.listed?.value
  const description = isJsonObject(value) ? value['description'] : undefined
  if (typeof description !== 'string' || description === '') return null
  return (
    <p className={styles.lead}>
      <SafeText>{description}</SafeText>
    </p>
  )
}

interface RefreshChipProps {
  serverId: string
  uri: string
  work: Observable<Work>
}

/** A switch that reads the resource again at each update; only where it is subscribed. */
function RefreshChip({ serverId, uri, work }: RefreshChipProps) {
  const subscription = useInspection(serverId)?.subscriptions.find((each) => each.uri === uri)
  const { readsUpdates = false } = useObservable(work)
  if (subscription?.state.type !== 'subscribed') return null
  return (
    <Chip
      pressed={readsUpdates}
      title={workbenchText.resourceTab.followTitle}
      onClick={() => changeWork(work, { readsUpdates: !readsUpdates })}
    >
      {workbenchText.resourceTab.refreshOnUpdate}
    </Chip>
  )
}

interface ChangedProps {
  work: Observable<Work>
  onRead: () => void
}

/** Whether the server sent an update since the contents that are shown were read. */
function isOutdated({ shown, changedAt }: Work): boolean {
  return changedAt !== undefined && (shown === undefined || shown.at <= changedAt)
}

/** Shows that the contents are out of date. */
function Changed({ work, onRead }: ChangedProps) {
  const now = useObservable(work)
  if (now.shown === undefined || now.readsUpdates === true || !isOutdated(now)) return null
  return (
    <div className={styles.notice} role="status">
      <span>{workbenchText.resourceTab.updated}</span>
      <LinkButton onClick={onRead}>{workbenchText.resourceTab.readAgain}</LinkButton>
    </div>
  )
}
