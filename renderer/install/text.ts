/** All text that a user reads in this module, by file. */
export const installText = {
  addToClient: {
    addToAClient: 'Add to a client',
    whatHappens: (what: string) =>
      `The client will start Patchbay with ${what}. Writes one entry to its file, keeps every other byte, and saves a backup beside it.`,
    close: 'Close',
    clients: 'Clients',
    noClients: 'No supported client found on this computer.',
    notInstalled: 'Not installed:',
  },
  clientRow: {
    isAlreadyConfigured: (name: string) => `“${name}” is already configured.`,
    added: (name: string, value: string, title: string) =>
      `Added “${name}” to ${value}. Restart ${title} to load it.`,
    removedFromItsFile: (name: string) => `Removed “${name}” from its file.`,
    restoredTheFile: 'Restored the file.',
    addTo: (title: string) => `Add to ${title}`,
    add: 'Add',
    undo: 'Undo',
    entry: (name: string) => `Entry ${name}`,
    current: 'current',
    outdated: (value: string) => `outdated: ${value}`,
    test: 'Test',
    remove: 'Remove',
    failedAfter: (name: string, ms: string, value: string) => `“${name}” failed after ${ms}. ${value}`,
    worksIn: (name: string, value: string, tools: string, called: string, ms: string) =>
      `“${name}” works: ${value}, ${tools}${called}, in ${ms}.`,
  },
} as const
