/** All text that a user reads in this module, by file. */
export const declarationText = {
  declarationChip: {
    clientCapabilitiesDeclaredToThisServer: (words: string, value: string) =>
      `Client capabilities declared to this server: ${words}${value}`,
    clientCapabilities: (share: string, words: string) => `Client capabilities ${share}: ${words}`,
    declaration: 'Declaration',
    clientCapabilitiesDeclaredTo: 'Client capabilities declared to',
    theServerReceivesThisIdentityAnd:
      'The server receives this identity and these capabilities, and may offer more or less because of them.',
  },
  declarationEditor: {
    saveAndReconnect: 'Save and reconnect',
    capabilities: 'Capabilities',
    capabilitiesAsJsonWithExtensionsAnd: 'capabilities as JSON, with extensions and whatever else',
    restoreDefault: 'Restore default',
    cancel: 'Cancel',
    client: 'client',
    inside: (label: string) => `Inside ${label}`,
    expectedAnObjectSuchAsRoots: 'Expected an object, such as { "roots": {} }.',
  },
  declare: {
    couldNotChange: (name: string) => `Could not change ${name}`,
  },
  listChangeStrip: {
    listChanges: 'List changes',
    sinceTheDeclarationChanged: 'Since the declaration changed',
    dismiss: 'Dismiss',
    theListsAreTheSameAs: 'The lists are the same as before.',
  },
} as const
