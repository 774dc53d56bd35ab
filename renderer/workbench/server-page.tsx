import type { ReactNode } from 'react'
import { useServer } from '../host/live.ts'
import styles from './server-page.module.css'
import { TabNotice } from './tab-notice.tsx'
import workbenchStyles from './workbench.module.css'

interface ServerPageProps {
  serverId: string
  title: string
  /** Beside the title. */
  facts?: ReactNode
  /** Actions at the right end of the title row. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of a server: its title, why it cannot do its work now, and what is on it. */
export function ServerPage({ serverId, title, facts, actions: actions, children }: ServerPageProps) {
  const server = useServer(serverId)
  return (
    <section className={workbenchStyles.root} aria-label={title}>
      <div className={workbenchStyles.head}>
        <h2 className={`${workbenchStyles.title ?? ''} clip`}>{title}</h2>
        {facts !== undefined && <span className="small t2 clip">{facts}</span>}
        {actions !== undefined && <div className={workbenchStyles.end}>{actions}</div>}
      </div>
      <TabNotice definition={{ server, listed: undefined, isMissing: false }} noun="page" />
      <div className={styles.body}>{children}</div>
    </section>
  )
}
