/** All text that a user reads in this module, by file. */
export const testFileText = {
  dialog: {
    title: 'Save as test',
    description:
      'A test for mcp-patchbay/test: it sends this request again and expects what the server answered. Keep the expectations that matter.',
    test: 'Test',
    file: 'file in tests/',
    copy: 'Copy',
    download: 'Download',
    save: 'Save',
    badName: 'Enter a name that ends in .spec.ts or .test.ts, without folders.',
    withoutSecrets: 'Variables and headers of the server are not in it: set them where the test runs.',
    couldNotMake: 'No test can be made of it',
  },
  actions: {
    saved: 'Test saved',
    run: (file: string) => `Run it in the folder of the workspace: npx patchbay test tests/${file}`,
    copyPath: 'Copy path',
    couldNotCopy: 'The path could not be copied',
    gone: 'Its frames are no longer stored.',
    couldNotOpen: 'No test can be made of the call',
  },
  source: (server: string, time: string) => `an exchange with ${server}, ${time}`,
} as const
