/** All text that a user reads in this module, by file. */
export const subscriptionsText = {
  subscriptionActions: {
    notSubscribed: 'Not subscribed',
    theServerDoesNotDeclareResources: 'The server does not declare resources.subscribe.',
    unsubscribedHereButNotOnThe: 'Unsubscribed here, but not on the server',
  },
  subscriptionChip: {
    subscribedUntilYouUnsubscribeOnEvery:
      'Subscribed until you unsubscribe, on every connection. Closing the tab does not end it.',
    pressToSendResourcesSubscribe: (word: string) => `${word}. Press to send resources/subscribe.`,
    subscribed: 'subscribed',
    subscribe: 'subscribe',
  },
  subscriptionLook: {
    asking: 'asking',
    subscribed: 'subscribed',
    onTheNextConnection: 'on the next connection',
    notOffered: 'not offered',
    refused: (reason: string) => `refused: ${reason}`,
    updatesWithoutASubscription: 'updates without a subscription',
    partOfASubscribedResource: 'part of a subscribed resource',
  },
  subscriptionsPage: {
    subscriptions: 'Subscriptions',
    theServerDoesNotDeclareResources: 'The server does not declare resources.subscribe.',
    noSubscriptions: 'No subscriptions',
    pressSubscribeOnThePageOf:
      'Press Subscribe on the page of a resource, or type a URI above. Updates are counted here.',
    resource: 'resource',
    state: 'state',
    updates: 'updates',
    last: 'last',
    actions: 'actions',
    notSubscribed: 'Not subscribed',
    subscribeToAResource: 'Subscribe to a resource',
    uriToSubscribeTo: 'URI to subscribe to',
    uriOfAResourceListedOr: 'URI of a resource, listed or not',
    subscribe: 'Subscribe',
    open: (name: string) => `Open ${name}`,
    open2: 'open',
    subscribeTo: (name: string) => `Subscribe to ${name}`,
    subscribe2: 'subscribe',
    unsubscribeFrom: 'Unsubscribe from',
    remove: 'remove',
    unsubscribe: 'unsubscribe',
  },
} as const
