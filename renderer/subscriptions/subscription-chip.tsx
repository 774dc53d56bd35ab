import { isJsonObject } from '../../server-core/protocol/json.ts'
import { Chip } from '../controls/button.tsx'
import { useSwitched } from '../controls/use-switched.ts'
import { useInspection, useServer } from '../host/live.ts'
import { countText } from '../text/measures.ts'
import { drop, keep } from './subscription-actions.ts'
import { subscriptionLook } from './subscription-look.ts'

/** Whether the changes of one resource are told, as a switch; nothing where the server offers no subscriptions. */
export function SubscriptionChip({ serverId, uri }: { serverId: string; uri: string }) {
  const resources = useServer(serverId)?.capabilities?.['resources']
  const subscription = useInspection(serverId)?.subscriptions.find((each) => each.uri === uri)
  const isOn = subscription?.state.type === 'subscribed'
  // What is shown stays what the server said; a press turns what was chosen last.
  const [isWanted, setWanted] = useSwitched(`subscription ${serverId} ${uri}`, isOn, (wanted) =>
    wanted ? keep(serverId, uri) : drop(serverId, uri),
  )
  if (!isJsonObject(resources) || resources['subscribe'] !== true) return null
  const updates = subscription?.updates ?? 0
  const word = subscription === undefined ? 'not subscribed' : subscriptionLook(subscription).word
  return (
    <Chip
      pressed={isOn}
      title={isOn ? `${word}; press to unsubscribe` : `${word}; press to subscribe`}
      onClick={() => setWanted(!isWanted)}
    >
      {isOn ? 'subscribed' : 'subscribe'}
      {updates > 0 && ` · ${countText(updates)} ${updates === 1 ? 'update' : 'updates'}`}
    </Chip>
  )
}
