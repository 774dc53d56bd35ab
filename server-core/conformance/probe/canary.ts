/** A secret that is handed to the server, to see whether it comes out where it must not. */
export const CANARY = 'patchbay-canary-3f9c1d7b'
