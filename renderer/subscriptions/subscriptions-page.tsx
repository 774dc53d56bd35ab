import { useState } from 'react'
import type { Subscription } from '../../server-core/host/contract/inspection.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import rows from '../controls/rows.module.css'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { useInspection, useServer } from '../host/live.ts'
import { counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ServerPage } from '../workbench/server-page.tsx'
import { openTab } from '../workbench/tabs-store.ts'
import { subscribe, unsubscribe } from './subscription-actions.ts'
import { subscriptionLook } from './subscription-look.ts'
import styles from './subscriptions.module.css'
import { timeText } from '../text/times.ts'
import { subscriptionsText } from './text.ts'

const NONE: readonly Subscription[] = []

/** The resources of a server that are subscribed, with their updates, and a field for any other URI. */
export default function SubscriptionsPage({ serverId }: { serverId: string }) {
  const server = useServer(serverId)
  const subscriptions = useInspection(serverId)?.subscriptions ?? NONE
  const resources = server?.capabilities?.['resources']
  const isOffered = isJsonObject(resources) && resources['subscribe'] === true
  const updates = subscriptions.reduce((sum, { updates: count }) => sum + count, 0)
  return (
    <ServerPage
      serverId={serverId}
      title={subscriptionsText.subscriptionsPage.subscriptions}
      facts={`${counted(subscriptions.length, 'resource')}, ${counted(updates, 'update')}`}
    >
      <SubscribeForm
        serverId={serverId}
        problem={
          server?.status === 'connected' && !isOffered ? subscriptionsText.subscriptionsPage.notDeclared : ''
        }
      />
      {subscriptions.length === 0 ? (
        <EmptyState title={subscriptionsText.subscriptionsPage.noSubscriptions}>
          {subscriptionsText.subscriptionsPage.emptyState}
        </EmptyState>
      ) : (
        <table className={rows.table}>
          <thead>
            <tr>
              <th scope="col">{subscriptionsText.subscriptionsPage.resource}</th>
              <th scope="col">{subscriptionsText.subscriptionsPage.state}</th>
              <th scope="col" className={rows.figure}>
                {subscriptionsText.subscriptionsPage.updates}
              </th>
              <th scope="col">{subscriptionsText.subscriptionsPage.last}</th>
              <th scope="col">
                <span className="vh">{subscriptionsText.subscriptionsPage.actions}</span>
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
  const submit = async (): Promise<void> => {
    setAsking(true)
    try {
      const { state } = await api.inspection.subscribe({ serverId, uri: uri.trim() })
      // The next one may be typed already.
      if (state.type !== 'refused') setUri((now) => (now === uri ? '' : now))
    } catch (error) {
      showFailure(subscriptionsText.subscriptionsPage.notSubscribed, error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <form
      className={styles.form}
      aria-label={subscriptionsText.subscriptionsPage.subscribeToAResource}
      onSubmit={(event) => {
        event.preventDefault()
        if (uri.trim() !== '' && !isAsking) void submit()
      }}
    >
      <TextField
        mono
        aria-label={subscriptionsText.subscriptionsPage.uriToSubscribeTo}
        placeholder={subscriptionsText.subscriptionsPage.uriPlaceholder}
        value={uri}
        onValueChange={setUri}
      />
      <Button type="submit" tone="primary" disabled={uri.trim() === '' || isAsking}>
        {subscriptionsText.subscriptionsPage.subscribe}
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
  const { uri, updates, updatedAt, state } = subscription
  const look = subscriptionLook(subscription)
  const name = visibleText(uri)
  return (
    <tr>
      <td className={rows.wide} title={name}>
        <div className={`${rows.mono ?? ''} clip`}>
          <SafeText>{uri}</SafeText>
        </div>
      </td>
      <td title={visibleText(look.word)}>
        <StateMark look={look} className={rows.state}>
          <span className={`${styles.word ?? ''} clip`}>
            <SafeText>{look.word}</SafeText>
          </span>
        </StateMark>
      </td>
      <td className={rows.figure}>{countText(updates)}</td>
      <td className={rows.mono}>{updatedAt === undefined ? '' : timeText(updatedAt)}</td>
      <td>
        <span className={rows.acts}>
          <LinkButton
            aria-label={subscriptionsText.subscriptionsPage.open(name)}
            onClick={() => openTab({ kind: 'resource', serverId, uri })}
          >
            {subscriptionsText.subscriptionsPage.openWord}
          </LinkButton>
          {state.type === 'unasked' && (
            <LinkButton
              aria-label={subscriptionsText.subscriptionsPage.subscribeTo(name)}
              onClick={() => void subscribe(serverId, uri)}
            >
              {subscriptionsText.subscriptionsPage.subscribeWord}
            </LinkButton>
          )}
          <LinkButton
            aria-label={`${state.type === 'unasked' ? 'Remove' : subscriptionsText.subscriptionsPage.unsubscribeFrom} ${name}`}
            onClick={() => void unsubscribe(serverId, uri)}
          >
            {state.type === 'unasked'
              ? subscriptionsText.subscriptionsPage.remove
              : subscriptionsText.subscriptionsPage.unsubscribe}
          </LinkButton>
        </span>
      </td>
    </tr>
  )
}
