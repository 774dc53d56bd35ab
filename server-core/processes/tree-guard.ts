import { spawn } from 'node:child_process'
import { MARK_VARIABLE } from './process-mark.ts'

/** A guard beside one server. */
export type TreeGuard = {
  /** Returns which process it is, as soon as that is known. */
  watch(pid: number): void
  /** For when the server has ended: resolves when the guard has ended. */
  callOff(): Promise<void>
}

/**
 * Reads the mark and the pid, each a line, and waits until its stdin ends. Then all that it finds by mark, group, session
 * and parents is asked to end, and two seconds later killed until nothing is found. Processes are kept as `pid:start`,
 * so that none is meant that got a pid again.
 */
export const GUARD_SCRIPT = String.raw`
trap '' HUP INT TERM
# Without a whole mark nothing was started, and anything would match.
IFS= read -r mark || exit 0
case $mark in "$1"=????????-????-????-????-????????????/?*/) ;; *) exit 0 ;; esac
IFS= read -r pid || pid=
case $pid in *[!0-9]*) pid= ;; esac
# The same mark as a resource limit, see limit-mark.ts.
run=\${mark#*=}
count=\${run#*/}
count=\${count%/}
case $count in *[!0-9]*) exit 0 ;; esac
limit=$((0x\${run%%-*} * 1048576 + count % 1048576))
IFS= read -r end
seen=
look() {
  if [ -r /proc/self/stat ]; then
    marked=$({
      grep -lF -- "$mark" /proc/[0-9]*/environ
      grep -l "^Max file locks  *$limit " /proc/[0-9]*/limits
    } 2>/dev/null | tr -dc '0-9\n')
    table=$(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (.*) /\1 /' | awk '{ print $1, $2, $3, $4, $5, $21 }')
  else
    listing=$(ps -A -E -ww -o pid=,command=)
    marked=$(printf '%s\n' "$listing" | grep -F -- "$mark" | awk '{ print $1 }')
    table=$(LC_ALL=C ps -A -o pid=,stat=,ppid=,pgid=,lstart= | awk '{ print $1, $2, $3, $4, $4, $5 $6 $7 $8 $9 }')
  fi
  seen=$(printf '%s\n' "$table" | awk -v root="$pid" -v marked="$(echo $marked)" -v seen="$(echo $seen)" '
    BEGIN {
      count = split(marked, list, " "); for (i = 1; i <= count; i++) ours[list[i]] = 1
      count = split(seen, list, " "); for (i = 1; i <= count; i++) before[list[i]] = 1
    }
    $2 !~ /^[ZX]/ {
      parent[$1] = $3; key[$1] = $1 ":" $6
      if (($1 in ours) || (key[$1] in before) || (root != "" && ($1 == root || $4 == root || $5 == root))) tree[$1] = 1
    }
    END {
      do {
        more = 0
        for (each in parent) if (!(each in tree) && (parent[each] in tree)) { tree[each] = 1; more = 1 }
      } while (more)
      for (each in tree) print key[each]
    }')
  [ -n "$seen" ]
}
all() { for each in $seen; do kill -s "$1" "\${each%%:*}" 2>/dev/null; done; }
look || exit 0
all TERM
for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; look || exit 0; done
for _ in 1 2 3 4 5 6 7 8 9 10; do all KILL; sleep 0.1; look || exit 0; done
`.replaceAll('\\${', '${')

/**
 * Sees to it that a server ends with all it started when this process is killed and can do nothing any more: a small
 * process of the system waits at the other end of a pipe that closes with us. It is made before the server is, so that
 * there is no moment without it. On Windows there is no such guard.
 *
 * @param mark what the server's environment has as `MARK_VARIABLE`
 */
export function guardTree(mark: string): TreeGuard {
  if (process.platform === 'win32') return { watch: () => undefined, callOff: () => Promise.resolve() }
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'patchbay-guard', MARK_VARIABLE], {
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to our own group must not end the guard before its time.
    detached: true,
  })
  const gone = new Promise<void>((resolve) => {
    guard.once('exit', () => resolve())
    // Without a shell there is no guard, and everything else works.
    guard.on('error', () => resolve())
  })
  guard.stdin.on('error', () => undefined)
  guard.stdin.write(`${MARK_VARIABLE}=${mark}\n`)
  guard.unref()
  return {
    watch: (pid) => void guard.stdin.write(`${pid}\n`),
    callOff: () => {
      // Who waits for its end must not run out of things to wait for.
      guard.ref()
      guard.kill('SIGKILL')
      return gone
    },
  }
}
