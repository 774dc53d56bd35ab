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
    declareAndConnectAgain: 'Declare and connect again',
    capabilities: 'Capabilities',
    capabilitiesAsJsonWithExtensionsAnd: 'capabilities as JSON, with extensions and whatever else',
    backToTheDefault: 'Back to the default',
    cancel: 'Cancel',
    client: 'client',
    inside: (label: string) => `Inside ${label}`,
    expectedAnObjectSuchAsRoots: 'Expected an object, such as { "roots": {} }.',
  },
  declare: {
    wasLeftAsItWas: (name: string) => `${name} was left as it was`,
  },
  listChangeStrip: {
    whatTheListsGainedAndLost: 'What the lists gained and lost',
    sinceSomethingElseIsDeclared: 'Since something else is declared',
    dismiss: 'Dismiss',
    theListsAreTheSameAs: 'The lists are the same as before.',
  },
} as const
