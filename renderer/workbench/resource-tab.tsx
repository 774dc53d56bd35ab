import { useCallback } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { LinkButton } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { TabList, TabPanel, TabsRoot } from '../controls/tabs.tsx'
import { useShortcut } from '../controls/use-shortcut.ts'
import { useObservable, type Observable } from '../state/observable.ts'
import { SubscriptionChip } from '../subscriptions/subscription-chip.tsx'
import { bytesText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { DefinitionPage } from './call-tab.tsx'
import { NO_ARGUMENTS } from './resource-watches.tsx'
import { obstacleOf } from './obstacle.ts'
import { ResultPanel } from './results/result-panel.tsx'
import { SendButton } from './send-button.tsx'
import { TabNotice } from './tab-notice.tsx'
import { useCall } from './use-call.ts'
import { useListed, type Definition } from './use-listed.ts'
import { changeWork, workOf, type Work } from './work-store.ts'
import styles from './workbench.module.css'

interface ResourceTabProps {
  id: string
  serverId: string
  uri: string
}

const PAGES = [
  { value: 'call', label: 'Contents' },
  { value: 'definition', label: 'Definition' },
]

/** A resource: read it, and see its contents by type (MCP, resources: resources/read). */
export function ResourceTab({ id, serverId, uri }: ResourceTabProps) {
  const work = workOf(id, NO_ARGUMENTS, 'call')
  const find = useCallback(
    (lists: Lists) => lists.resources.find(({ value }) => isJsonObject(value) && value['uri'] === uri),
    [uri],
  )
  // A resource need not be listed: a link or a template may name it too.
  const definition = { ...useListed(work, serverId, find), isMissing: false }
  const { page, running } = useObservable(work)
  const { send, cancel } = useCall(work, serverId)
  const obstacle = obstacleOf(definition.server)
  const canRead = running === undefined && obstacle === undefined
  const read = (): void => {
    if (canRead)
      send({ method: 'resources/read', paramsText: JSON.stringify({ uri }) }, JSON.stringify({ uri }))
  }

  useShortcut('mod+enter', read)

  return (
    <TabsRoot value={page} onValueChange={(next) => changeWork(work, { page: next })} className={styles.root}>
      <div className={styles.head}>
        <h2 className={`${styles.title ?? ''} clip`} title={visibleText(uri)}>
          <SafeText>{uri}</SafeText>
        </h2>
        <CopyButton tight label="Copy URI" text={uri} />
        <Facts definition={definition} />
        <SubscriptionChip serverId={serverId} uri={uri} />
        <div className={styles.tabs}>
          <TabList label={`Views of ${visibleText(uri)}`} tabs={PAGES} />
        </div>
        <div className={styles.end}>
          <SendButton
            verb="Read"
            isRunning={running !== undefined}
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
        <ResultPanel work={work} serverId={serverId} kind="resource" verb="Read" />
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

interface ChangedProps {
  work: Observable<Work>
  onRead: () => void
}

/** Tells that the server has said the resource is another one than what is shown. */
function Changed({ work, onRead }: ChangedProps) {
  const { shown, changedAt } = useObservable(work)
  if (shown === undefined || changedAt === undefined || shown.at > changedAt) return null
  return (
    <div className={styles.notice} role="status">
      <span>The server said that this resource changed.</span>
      <LinkButton onClick={onRead}>Read again</LinkButton>
    </div>
  )
}
