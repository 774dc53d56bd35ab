/**
 * What connecting to a server has shown about the way to begin, for the next time: a process that ends at
 * `server/discover`, or says nothing to it, is asked for the handshake first. Whoever connects to the same server again
 * keeps it, in memory: a server may be another after an update, and then it is found out again.
 */
export class ProbeMemory {
  handshakeFirst = false
}
