import { connectTo } from '../../server-core/client/connect-to.ts'
import { TASKS_EXTENSION } from '../../server-core/protocol/extension-ids.ts'
import { callTool } from '../../server-core/client/requests/call-tool.ts'
import { TaskHandle } from '../../server-core/client/tasks/task-handle.ts'
import { exampleServer, reader } from './example-server.ts'

for (const protocol of ['2025-11-25', '2026-07-28'] as const) {
  const connection = await connectTo(exampleServer('tasks'), {
    ...reader,
    protocol,
    extensions: [{ id: TASKS_EXTENSION }],
  })
  // In 2025-11-25 the client asks for a task, from 2026-07-28 on the server decides.
  const call = await callTool(connection, { name: 'report' }, { task: { ttlMs: 60_000 } })
  if (call.type === 'task') {
    // A reference is plain data, to come back to the task later.
    const task = new TaskHandle(connection, call.task.reference)
    const { result } = await task.result({ maximumMs: 30_000 })
    console.log(task.reference.kind, JSON.stringify(result['content']))
  }
  await connection.close()
}
