/** All text that a user reads in this module, by file. */
export const declarationText = {
  declarationChip: {
    chipTitle: (words: string, value: string) =>
      `Client capabilities declared to this server: ${words}${value}`,
    clientCapabilities: (share: string, words: string) => `Client capabilities ${share}: ${words}`,
    declaration: 'Declaration',
    clientCapabilitiesDeclaredTo: 'Client capabilities declared to',
    identityNote:
      'The server receives this identity and these capabilities, and may offer more or less because of them.',
  },
  declarationEditor: {
    saveAndReconnect: 'Save and reconnect',
    capabilities: 'Capabilities',
    capabilitiesJson: 'capabilities as JSON, with extensions and whatever else',
    restoreDefault: 'Restore default',
    cancel: 'Cancel',
    client: 'client',
    inside: (label: string) => `Inside ${label}`,
    expectedObject: 'Expected an object, such as { "roots": {} }.',
  },
  declare: {
    couldNotChange: (name: string) => `Could not change ${name}`,
  },
  listChangeStrip: {
    listChanges: 'List changes',
    sinceTheDeclarationChanged: 'Since the declaration changed',
    dismiss: 'Dismiss',
    listsUnchanged: 'The lists are the same as before.',
  },
} as const
