/** All text that a user reads in this module, by file. */
export const appText = {
  commands: {
    searchEverything: 'Search everything',
    addServer: 'Add server…',
    goToTheNextPanel: 'Go to the next panel',
    goToThePanelBefore: 'Go to the panel before',
    respondersOf: (name: string) => `Responders of ${name}…`,
    closeTheTab: 'Close the tab',
    clearTheTimeline: 'Clear the timeline…',
    theme: (value: string) => `Theme: ${value}`,
    openThePageOf: (name: string) => `Open the page of ${name}`,
    logLevelOf: (name: string, level: string) => `Log level of ${name}: ${level}`,
    disconnect: (name: string) => `Disconnect ${name}`,
    connect: (name: string) => `Connect ${name}`,
    approve: (name: string) => `Approve ${name}…`,
    edit: (name: string) => `Edit ${name}…`,
    remove: (name: string) => `Remove ${name}`,
  },
  dockTitle: {
    dock: 'Dock',
  },
  inspector: {
    servers: 'Servers',
  },
  layout: {
    widthOfServers: 'Width of servers',
    widthOfExplorer: 'Width of explorer',
    heightOfTimeline: 'Height of timeline',
    inspector: 'Inspector',
  },
  messageList: {
    errorMessages: 'Error messages',
    clear: 'Clear',
    errorMessagesNewestFirst: 'Error messages, newest first',
  },
  notices: {
    theNoticeWasNotDismissed: 'The notice was not dismissed',
    connectionToTheHostLostTrying: 'Connection to the host lost, trying again.',
    whatYouSeeMayBeOld: 'What you see may be old.',
    theHostStoppedTellingWhatHappens: 'The host stopped telling what happens.',
    whatYouSeeMayBeOld2: 'What you see may be old: load the page again.',
    loadAgain: 'Load again',
    dismiss: (title: string) => `Dismiss: ${title}`,
  },
  pages: {
    tryAndConnected: 'try and connected',
  },
  panelBoundary: {
    couldNotBeShown: (name: string) => `${name} could not be shown`,
    showItAgain: 'Show it again',
    thisIsAFaultOfPatchbay: 'This is a fault of Patchbay. Connections, results and the timeline are kept.',
  },
  serverStatus: {
    pid: (pid: number) => `, pid ${pid}`,
  },
  settings: {
    theSettingsWereNotSaved: 'The settings were not saved',
  },
  starting: {
    thisWindowHasNoToken: 'This window has no token',
    theHostDoesNotAnswer: 'The host does not answer',
    loadAgain: 'Load again',
    itIsBeingTriedAgainIf:
      'It is being tried again. If Patchbay was restarted, open the address it printed then.',
    connectingToTheHost: 'Connecting to the host…',
  },
  statusBar: {
    status: 'Status',
    patchbay: 'Patchbay',
    frames: 'frames',
    framesDroppedFromMemoryBecauseA: 'Frames dropped from memory because a limit was reached',
    dropped: 'dropped',
  },
  theme: {
    asTheSystem: 'As the system',
  },
  titleBar: {
    patchbay: 'Patchbay',
    rooms: 'Rooms',
    search: 'Search',
    toolsServersCommands: 'tools, servers, commands',
    theme: 'Theme',
    goToTheInboxAlt5: 'Go to the inbox (Alt+5)',
    inboxWaiting: (waiting: string) => `Inbox: ${waiting} waiting`,
  },
} as const
