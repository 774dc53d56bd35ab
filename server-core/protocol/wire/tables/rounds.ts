import { MetaKey } from '../../meta-keys.ts'
import { notification, NOTIFICATION_META, request, REQUEST_META, result } from './messages.ts'
import {
  BOOLEAN,
  list,
  map,
  may,
  named,
  need,
  object,
  only,
  since,
  tagged,
  TEXT,
  union,
  type Definitions,
} from '../shape.ts'
import { ANSWER_FIELDS } from './tools.ts'

const MODERN = since('2026-07-28')

/** Requests in several rounds and subscriptions (2026-07-28, Multi Round-Trip Requests; Subscriptions). */
export const ROUNDS: Definitions = {
  InputRequest: only(
    tagged('method', named('CreateMessageRequest'), named('ListRootsRequest'), named('ElicitRequest')),
    MODERN,
  ),
  InputRequests: only(map(named('InputRequest')), MODERN),
  InputResponse: only(
    union(named('CreateMessageResult'), named('ListRootsResult'), named('ElicitResult')),
    MODERN,
  ),
  InputResponses: only(map(named('InputResponse')), MODERN),
  InputResponseRequestParams: only(object({ ...REQUEST_META, ...ANSWER_FIELDS }), MODERN),
  InputRequiredResult: only(
    result({ inputRequests: may(named('InputRequests')), requestState: may(TEXT) }),
    MODERN,
  ),
  SubscriptionFilter: only(
    object({
      toolsListChanged: may(BOOLEAN),
      promptsListChanged: may(BOOLEAN),
      resourcesListChanged: may(BOOLEAN),
      resourceSubscriptions: may(list(TEXT)),
    }),
    MODERN,
  ),
  SubscriptionsListenRequest: only(
    request('subscriptions/listen', named('SubscriptionsListenRequestParams')),
    MODERN,
  ),
  SubscriptionsListenRequestParams: only(
    object({ ...REQUEST_META, notifications: need(named('SubscriptionFilter')) }),
    MODERN,
  ),
  SubscriptionsListenResult: only(
    result({ _meta: need(named('SubscriptionsListenResultMetaObject')) }),
    MODERN,
  ),
  SubscriptionsListenResultMetaObject: only(
    object({
      [MetaKey.subscriptionId]: need(named('RequestId')),
      [MetaKey.serverInfo]: may(named('Implementation')),
    }),
    MODERN,
  ),
  SubscriptionsAcknowledgedNotification: only(
    notification('notifications/subscriptions/acknowledged', {
      notifications: need(named('SubscriptionFilter')),
    }),
    MODERN,
  ),
  SubscriptionsAcknowledgedNotificationParams: only(
    object({ ...NOTIFICATION_META, notifications: need(named('SubscriptionFilter')) }),
    MODERN,
  ),
}
