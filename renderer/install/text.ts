/** All text that a user reads in this module, by file. */
export const installText = {
  addToClient: {
    addToAClient: 'Add to a client',
    theClientStartsPatchbayWithOne: (what: string) =>
      `The client starts Patchbay with ${what}. One entry of its file is written; every other byte stays, and what it was before is kept beside it.`,
    close: 'Close',
    clients: 'Clients',
    noneOfTheClientsThatPatchbay: 'None of the clients that Patchbay knows is on this machine.',
    notOnThisMachine: 'Not on this machine:',
  },
  clientRow: {
    isThereAlreadyAsItShould: (name: string) => `“${name}” is there already, as it should be.`,
    isInRestartToSeeIt: (name: string, value: string, title: string) =>
      `“${name}” is in ${value}. Restart ${title} to see it.`,
    isNoLongerInItsFile: (name: string) => `“${name}” is no longer in its file.`,
    theFileIsAsItWas: 'The file is as it was before.',
    addTo: (title: string) => `Add to ${title}`,
    add: 'Add',
    undo: 'Undo',
    entry: (name: string) => `Entry ${name}`,
    current: 'current',
    stale: (value: string) => `stale: ${value}`,
    test: 'Test',
    remove: 'Remove',
    failedAfter: (name: string, ms: string, value: string) => `“${name}” failed after ${ms}. ${value}`,
    answersIn: (name: string, value: string, tools: string, called: string, ms: string) =>
      `“${name}” answers: ${value}, ${tools}${called}, in ${ms}.`,
  },
} as const
