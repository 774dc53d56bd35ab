import { isJsonObject } from '../../server-core/protocol/json.ts'
import { Chip } from '../controls/button.tsx'
import { useSwitched } from '../controls/use-switched.ts'
import { useInspection, useServer } from '../host/live.ts'
import { countText } from '../text/measures.ts'
import { subscribe, unsubscribe } from './subscription-actions.ts'
import { subscriptionLook } from './subscription-look.ts'
import { subscriptionsText } from './text.ts'

/** A switch that subscribes to one resource; nothing where the server does not declare `resources.subscribe`. */
export function SubscriptionChip({ serverId, uri }: { serverId: string; uri: string }) {
  const resources = useServer(serverId)?.capabilities?.['resources']
  const subscription = useInspection(serverId)?.subscriptions.find((each) => each.uri === uri)
  const isOn = subscription?.state.type === 'subscribed'
  // The chip shows what the server confirmed; a press inverts what was chosen last.
  const [isWanted, setWanted] = useSwitched(`subscription ${serverId} ${uri}`, isOn, (wanted) =>
    wanted ? subscribe(serverId, uri) : unsubscribe(serverId, uri),
  )
  if (!isJsonObject(resources) || resources['subscribe'] !== true) return null
  const updates = subscription?.updates ?? 0
  const word = subscription === undefined ? 'not subscribed' : subscriptionLook(subscription).word
  return (
    <Chip
      pressed={isOn}
      title={
        isOn
          ? subscriptionsText.subscriptionChip.subscribedTitle
          : subscriptionsText.subscriptionChip.subscribeTitle(sentenceCase(word))
      }
      onClick={() => setWanted(!isWanted)}
    >
      {isOn ? subscriptionsText.subscriptionChip.subscribed : subscriptionsText.subscriptionChip.subscribe}
      {updates > 0 && ` · ${countText(updates)} ${updates === 1 ? 'update' : 'updates'}`}
    </Chip>
  )
}

function sentenceCase(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
