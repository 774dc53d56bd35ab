/** Help of `patchbay tap`. */
export const TAP_USAGE = `  patchbay tap -- npx -y notes-server
  patchbay tap --record calls.ndjson -- node build/index.js
  patchbay tap wrap cursor notes

Usage: patchbay tap [options] -- COMMAND [ARGS…]
       patchbay tap --url URL [--port N] [--rewrite-metadata] [options]
       patchbay tap wrap CLIENT SERVER
       patchbay tap unwrap CLIENT SERVER [--forget]
       patchbay tap status [CLIENT…]
       patchbay tap swap NAME|PID [--open wait|again|error] [-- COMMAND [ARGS…]]

Forwards between a client and a server over stdio: give this to the client as the command of the server. Bytes of both
directions are forwarded as they are, stderr, exit code and signals too, and recorded. "patchbay recordings list"
shows the recording.

  --record FILE        record to this new file; one that is there stays, and the new one gets a number
  --no-record          record nothing
  --rules FILE         change messages and the network as this JSON says; with --url too
  --name NAME          the name of the server in lists (made of the command unless told)
  --client NAME        the name of the client in lists
  --without NAME       a variable of the environment that the server does not get
  --profile DIR        Patchbay's data folder

With --url it listens on loopback and forwards to a server over HTTP, HTTP+SSE or WebSocket; give the client the address
that it prints. Headers go on as they came but for Host, those of the connection, and extensions of WebSockets.

  --port N             the port to listen on (0: any free one, the default)
  --rewrite-metadata   put the tap's address in place of the server's in OAuth metadata and its headers

The exit code is that of the server; 127 if it cannot be started.

wrap puts a tap in front of a server in the configuration file of a client, unwrap restores the entry byte for byte,
status lists the servers of clients. CLIENT is claude-desktop, claude-code, cursor, vscode, codex, gemini or openclaw.
An entry that somebody changed in the meantime is left, and the difference is shown.

swap puts another server behind a tap over stdio that runs, or starts the same command again, while the client stays
connected: the handshake is repeated there, and the client gets list_changed if its lists differ. If the new server
cannot be started or used, the present one goes on.

  --open wait          requests that are open have 5 seconds to be answered, then they fail (the default)
  --open again         they are sent to the new server
  --open error         they fail at once

  --forget             forget what the entry was before, and leave it
  --project DIR        the file of a project, in place of the user's
  --file FILE          this file
  --json               JSON on a terminal too`
