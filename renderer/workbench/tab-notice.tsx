import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { connectServer, showServer } from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'
import { SafeText } from '../text/safe-text.tsx'
import type { Definition } from './use-listed.ts'
import styles from './workbench.module.css'
import { workbenchText } from './text.ts'

/** Why a tab cannot do its work now, or what is odd about its entry; and what to do. */
export function TabNotice({ definition, noun }: { definition: Definition; noun: string }) {
  const { server, listed, isMissing } = definition
  if (server === undefined) {
    return <Notice tone="is-warn">{workbenchText.tabNotice.serverRemoved}</Notice>
  }
  if (server.status === 'connecting')
    return <Notice tone="t2">{workbenchText.tabNotice.isConnecting(server.name)}</Notice>
  if (server.status !== 'connected') {
    const failure = server.failure?.title
    return (
      <Notice
        tone="is-warn"
        action={
          server.approval === 'approved' ? (
            <Button icon="plug" onClick={() => void connectServer(server)}>
              {server.status === 'failed' ? restartWord(server) : workbenchText.tabNotice.connect}
            </Button>
          ) : (
            <Button onClick={() => showServer(server.id)}>{workbenchText.tabNotice.approve}</Button>
          )
        }
      >
        {workbenchText.tabNotice.isNotConnected(server.name, failure === undefined ? '' : `: ${failure}`)}
      </Notice>
    )
  }
  if (isMissing) {
    return <Notice tone="is-warn">{workbenchText.tabNotice.noLongerListed(server.name, noun)}</Notice>
  }
  if (listed?.malformed !== undefined) {
    return (
      <Notice tone="is-warn">{workbenchText.tabNotice.theDefinitionIsMalformed(listed.malformed)}</Notice>
    )
  }
  return null
}

interface NoticeProps {
  tone: 'is-warn' | 't2'
  children: string
  action?: React.ReactNode
}

function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div className={styles.notice} role="status">
      <span className={tone}>
        <Icon name={tone === 'is-warn' ? 'warn' : 'info'} />
      </span>
      <span>
        <SafeText>{children}</SafeText>
      </span>
      {action}
    </div>
  )
}
