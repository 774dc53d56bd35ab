/** All text that a user reads in this module, by file. */
export const workbenchText = {
  argumentsPane: {
    arguments: 'Arguments',
    ofText: (title: string, title2: string) => `${title} of ${title2}`,
    asJson: (title: string) => `${title} as JSON`,
    copyAsJson: 'Copy as JSON',
    unfinishedJsonReplaced: 'The form replaced unfinished JSON.',
    restore: 'Restore',
    discard: 'Discard',
    valid: 'valid',
    notChecked: (reason: string) => `not checked: ${reason}`,
  },
  callTab: {
    unfinishedJson: 'The JSON is not finished.',
    definition: 'Definition',
    history: 'History',
    tagTitle: 'a tag of the tool',
    viewsOf: (title: string) => `Views of ${title}`,
    heightOfTheArguments: 'Height of the arguments',
    notListed: 'The server has not listed this',
    yet: 'yet.',
    definitionOfThe: (noun: string) => `Definition of the ${noun}`,
  },
  docTabs: {
    openItems: 'Open items',
  },
  historyPage: {
    noCallsYet: 'No calls yet',
    emptyState: 'sends the arguments. The last 50 calls are listed here.',
    earlierRun: (day: string) => `${day}, earlier run`,
    sent: 'sent',
    result: 'result',
    arguments: 'arguments',
    time: 'time',
    size: 'size',
    restore: 'restore',
    restoreArgumentsSentAt: (at: string) => `Restore arguments sent at ${at}`,
    restoreArguments: 'Restore arguments',
  },
  keepWindow: {
    openTabs: 'Open tabs',
  },
  obstacle: {
    serverRemoved: 'The server of this tab was removed.',
    isNotConnectedYet: (name: string) => `${name} is not connected yet.`,
    approvalMissing: (name: string) => `${name} is not connected: approve it first.`,
    notConnected: (name: string, value: string) => `${name} is not connected: ${value} it first.`,
  },
  openingTab: {
    unnamedTab: 'The tab that was being opened',
    notRestored: (name: string) => `The tab “${name}” was not restored.`,
    notRestoredDetail: 'The window stopped responding while it opened. Its arguments are retained.',
    openIt: 'Open it',
  },
  readyRequest: {
    unfinishedField: (name: string) => `Nothing was sent: ${name} is not finished`,
    nothingWasSent: (request: string) => `Nothing was sent: ${request}`,
  },
  resourceTab: {
    contents: 'Contents',
    definition: 'Definition',
    copyUri: 'Copy URI',
    viewsOf: (uri: string) => `Views of ${uri}`,
    followTitle: 'Reads the resource at each update while this tab is active',
    refreshOnUpdate: 'refresh on update',
    updated: 'The server sent an update of this resource.',
    readAgain: 'Read again',
  },
  sendButton: {
    cancelling: 'Cancelling…',
    cancel: 'Cancel',
  },
  serverPages: {
    composer: 'Composer',
    subscriptions: 'Subscriptions',
    tasks: 'Tasks',
    authorization: 'Authorization',
  },
  tabNotice: {
    serverRemoved: 'The server of this tab was removed.',
    isConnecting: (name: string) => `${name} is connecting…`,
    connect: 'Connect',
    approve: 'Approve…',
    isNotConnected: (name: string, value: string) => `${name} is not connected${value}.`,
    noLongerListed: (name: string, noun: string) =>
      `${name} no longer lists this ${noun}. You can still try it.`,
    theDefinitionIsMalformed: (malformed: string) => `The definition is malformed: ${malformed}`,
  },
  templateForm: {
    uriMissing: 'The URI is missing.',
  },
  toolTab: {
    runAsTask: 'Run as task',
  },
  useCall: {
    cancelFailed: 'Could not cancel the request',
  },
  workbench: {
    nothingIsOpen: 'Nothing is open',
    emptyState: 'Choose a tool, a resource or a prompt in the explorer, or press ⌘K to search all of them.',
  },
} as const
