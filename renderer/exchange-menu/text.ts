/** All text that a user reads in this module, by file. */
export const exchangeMenuText = {
  menu: {
    menu: (what: string) => `Actions for ${what}`,
    sendAgain: 'Send again',
    edit: 'Edit and send…',
    comparePrevious: 'Compare with previous call',
    chooseToCompare: 'Choose for comparison',
    compareChosen: (what: string) => `Compare with ${what}`,
    copyAs: 'Copy as',
    saveAsTest: 'Save as test…',
    showFrames: 'Show frames',
    formats: {
      json: 'JSON-RPC',
      curl: 'curl',
      command: 'patchbay command',
      typescript: 'TypeScript',
      python: 'Python',
      markdown: 'Markdown',
    },
  },
  actions: {
    copied: (format: string) => `Copied as ${format}`,
    masked: 'Secrets are masked: put them in place of ⟨redacted⟩.',
    secretsNamed: 'Secrets are read from environment variables.',
    couldNotCopy: 'The exchange could not be copied',
    notHttp: 'It did not travel over HTTP. Copy it as a patchbay command instead.',
    notOneMessage: 'It is not one JSON-RPC message. Copy it as JSON-RPC instead.',
    couldNotRead: 'The message could not be read',
  },
} as const
