/** All text that a user reads in this module, by file. */
export const appText = {
  commands: {
    searchEverything: 'Search everything',
    addServer: 'Add server…',
    nextPanel: 'Next panel',
    previousPanel: 'Previous panel',
    respondersOf: (name: string) => `Responders of ${name}…`,
    showInbox: 'Inbox',
    closeTab: 'Close tab',
    clearTimeline: 'Clear timeline…',
    theme: (value: string) => `Theme: ${value}`,
    openPageOf: (name: string) => `Open page of ${name}`,
    logLevelOf: (name: string, level: string) => `Log level of ${name}: ${level}`,
    disconnect: (name: string) => `Disconnect ${name}`,
    connect: (name: string) => `Connect ${name}`,
    approve: (name: string) => `Approve ${name}…`,
    edit: (name: string) => `Edit ${name}…`,
    remove: (name: string) => `Remove ${name}`,
  },
  inbox: {
    inbox: 'Inbox',
  },
  inspector: {
    servers: 'Servers',
  },
  layout: {
    heightOfServers: 'Height of servers',
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
    couldNotDismissNotice: 'Could not dismiss the notice',
    connectionLost: 'Connection to the host lost. Reconnecting…',
    pageOutdated: 'The page may be outdated.',
    hostStoppedSendingUpdates: 'The host stopped sending updates.',
    reloadPage: 'The page may be outdated: reload it.',
    reload: 'Reload',
    dismiss: (title: string) => `Dismiss: ${title}`,
  },
  pages: {
    tryAndConnected: 'try and connected',
    recordingsPanels: { recordings: 'recordings', recording: 'recording', use: 'commands for it' },
    tapPanels: { taps: 'taps', messages: 'messages', held: 'held message', rules: 'rules and network' },
  },
  panelBoundary: {
    couldNotShow: (name: string) => `Could not show ${name}`,
    showAgain: 'Show again',
    internalError: 'This is an error in Patchbay. Connections, results and the timeline are not affected.',
  },
  serverStatus: {
    pid: (pid: number) => `, pid ${pid}`,
  },
  settings: {
    couldNotSaveSettings: 'Could not save the settings',
  },
  starting: {
    tokenMissing: 'This window has no token',
    hostUnreachable: 'The host does not answer',
    reload: 'Reload',
    retrying: 'Retrying. If Patchbay was restarted, open the address it printed.',
    connectingToTheHost: 'Connecting to the host…',
  },
  statusBar: {
    status: 'Status',
    patchbay: 'Patchbay',
    frames: 'frames',
    droppedFrames: 'Frames dropped from memory because a limit was reached',
    dropped: 'dropped',
  },
  theme: {
    system: 'System',
  },
  titleBar: {
    patchbay: 'Patchbay',
    pages: 'Pages',
    search: 'Search',
    toolsServersCommands: 'tools, servers, commands',
    theme: 'Theme',
    inbox: 'Inbox',
    inboxPending: (waiting: string) => `Inbox: ${waiting} pending`,
  },
} as const
