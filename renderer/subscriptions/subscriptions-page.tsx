import { useState } from 'react'
import type { Subscription } from '../../server-core/host/contract/inspection.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
import rows from '../controls/rows.module.css'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { useInspection, useServer } from '../host/live.ts'
import { counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { clockText } from '../timeline/time-window.ts'
import { ServerPage } from '../workbench/server-page.tsx'
import { openTab } from '../workbench/tabs-store.ts'
import { drop, keep } from './subscription-actions.ts'
import { subscriptionLook } from './subscription-look.ts'
import styles from './subscriptions.module.css'

const NONE: readonly Subscription[] = []

/** What a server tells changes of, how often it did, and a field for any other URI. */
export function SubscriptionsPage({ serverId }: { serverId: string }) {
  const server = useServer(serverId)
  const subscriptions = useInspection(serverId)?.subscriptions ?? NONE
  const resources = server?.capabilities?.['resources']
  const isOffered = isJsonObject(resources) && resources['subscribe'] === true
  const updates = subscriptions.reduce((sum, { updates: count }) => sum + count, 0)
  return (
    <ServerPage
      serverId={serverId}
      title="Subscriptions"
      facts={`${counted(subscriptions.length, 'resource')}, ${counted(updates, 'update')}`}
    >
      <SubscribeForm
        serverId={serverId}
        problem={
          server?.status === 'connected' && !isOffered
            ? 'The server does not declare resources.subscribe.'
            : ''
        }
      />
      {subscriptions.length === 0 ? (
        <EmptyState title="Nothing is subscribed">
          Open a resource, or type a URI above: each update that the server tells of is counted here.
        </EmptyState>
      ) : (
        <table className={rows.table}>
          <thead>
            <tr>
              <th scope="col">resource</th>
              <th scope="col">state</th>
              <th scope="col" className={rows.figure}>
                updates
              </th>
              <th scope="col">last</th>
              <th scope="col">
                <span className="vh">deeds</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {subscriptions.map((subscription) => (
              <SubscriptionRow key={subscription.uri} serverId={serverId} subscription={subscription} />
            ))}
          </tbody>
        </table>
      )}
    </ServerPage>
  )
}

function SubscribeForm({ serverId, problem }: { serverId: string; problem: string }) {
  const [uri, setUri] = useState('')
  const [isAsking, setAsking] = useState(false)
  const subscribe = async (): Promise<void> => {
    setAsking(true)
    try {
      const { state } = await api.inspection.subscribe({ serverId, uri: uri.trim() })
      // The next one may be typed already.
      if (state.type !== 'refused') setUri((now) => (now === uri ? '' : now))
    } catch (error) {
      showFailure('Nothing was subscribed', error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <form
      className={styles.form}
      aria-label="Subscribe to a resource"
      onSubmit={(event) => {
        event.preventDefault()
        if (uri.trim() !== '' && !isAsking) void subscribe()
      }}
    >
      <TextField
        mono
        aria-label="URI to subscribe to"
        placeholder="URI of a resource, listed or not"
        value={uri}
        onValueChange={setUri}
      />
      <Button type="submit" tone="primary" disabled={uri.trim() === '' || isAsking}>
        Subscribe
      </Button>
      {problem !== '' && (
        <span className={`${styles.problem ?? ''} is-warn`}>
          <Icon name="warn" />
          {problem}
        </span>
      )}
    </form>
  )
}

function SubscriptionRow({ serverId, subscription }: { serverId: string; subscription: Subscription }) {
  const { uri, updates, updatedAt, isKept, state } = subscription
  const look = subscriptionLook(subscription)
  const name = visibleText(uri)
  const canKeep = !isKept && state.type !== 'asking'
  return (
    <tr>
      <td className={rows.wide} title={name}>
        <div className={`${rows.mono ?? ''} clip`}>
          <SafeText>{uri}</SafeText>
        </div>
      </td>
      <td title={visibleText(look.word)}>
        <span className={`${rows.state ?? ''} ${look.tone}`}>
          <Icon name={look.icon} />
          <span className={`${styles.word ?? ''} clip`}>
            <SafeText>{look.word}</SafeText>
          </span>
        </span>
      </td>
      <td className={rows.figure}>{countText(updates)}</td>
      <td className={rows.mono}>{updatedAt === undefined ? '' : clockText(updatedAt, true)}</td>
      <td>
        <span className={rows.acts}>
          <LinkButton
            aria-label={`Open ${name}`}
            onClick={() => openTab({ kind: 'resource', serverId, uri })}
          >
            open
          </LinkButton>
          {canKeep && (
            <LinkButton aria-label={`Subscribe to ${name}`} onClick={() => void keep(serverId, uri)}>
              {state.type === 'subscribed' ? 'keep' : 'subscribe'}
            </LinkButton>
          )}
          {state.type !== 'unsubscribed' && (
            <LinkButton
              aria-label={`${state.type === 'unasked' ? 'Forget' : 'Unsubscribe from'} ${name}`}
              onClick={() => void drop(serverId, uri)}
            >
              {state.type === 'unasked' ? 'forget' : 'unsubscribe'}
            </LinkButton>
          )}
        </span>
      </td>
    </tr>
  )
}
