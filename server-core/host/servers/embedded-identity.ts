/** The id of the server that Patchbay itself hosts, among the servers that a user sees. */
export const EMBEDDED_ID = 'this-app'
export const EMBEDDED_NAME = 'This app'
