/** All text that a user reads in this module, by file. */
export const controlsText = {
  alertDialog: {
    cancel: 'Cancel',
  },
  copyButton: {
    couldNotCopy: 'Could not copy',
    copied: 'Copied',
  },
  formDialog: {
    cancel: 'Cancel',
    close: 'Close',
  },
  menu: {
    menu: 'Menu',
  },
  select: {
    choicesOf: (label: string) => `Choices of ${label}`,
  },
  tabStrip: {
    deleteClosesTheTab: (title: string) => `${title}. Delete closes the tab.`,
    errors: (errors: number) => `${errors} errors`,
  },
  toast: {
    dismiss: 'Dismiss',
  },
  typedText: {
    expected: (fault: string) => `Expected ${fault}`,
  },
} as const
